// Panels of runs follow JupyterLab's theme by an attribute: here it says what the page's theme is.
const dark = window.matchMedia("(prefers-color-scheme: dark)");
function follow() {
  const theme = document.body.dataset.theme;
  const isDark = theme === "dark" || (theme !== "light" && dark.matches);
  document.body.dataset.jpThemeLight = String(!isDark);
}
document.addEventListener("DOMContentLoaded", () => {
  follow();
  dark.addEventListener("change", follow);
  new MutationObserver(follow).observe(document.body, { attributeFilter: ["data-theme"] });
});
