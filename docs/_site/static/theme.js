// Panels of runs follow JupyterLab's theme by an attribute, which is set here to the page's theme.
const dark = window.matchMedia("(prefers-color-scheme: dark)");
function follow() {
  const theme = document.body.dataset.theme;
  const isDark = theme === "dark" || (theme !== "light" && dark.matches);
  document.body.dataset.jpThemeLight = String(!isDark);
}

// A table wider than its column becomes a list; what still scrolls can be scrolled with the keyboard.
function fit() {
  for (const table of document.querySelectorAll("article table.docutils")) {
    table.classList.remove("mw-narrow");
    const names = [...table.querySelectorAll("thead th, thead td")].map((th) => th.textContent);
    for (const row of table.querySelectorAll("tbody tr"))
      [...row.children].forEach((cell, n) => names[n] && (cell.dataset.column = names[n]));
    const room = table.parentElement;
    table.classList.toggle("mw-narrow", room.scrollWidth > room.clientWidth + 1);
  }
  for (const one of document.querySelectorAll("article pre, article .table-wrapper, article .cell_output"))
    if (one.scrollWidth > one.clientWidth) one.tabIndex = 0;
}

// Adds what the theme lacks for screen readers.
function name() {
  for (const caption of document.querySelectorAll(".caption[role=heading]")) caption.ariaLevel = "2";
  document.querySelector(".sidebar-drawer")?.setAttribute("aria-label", "pages");
  document.querySelector(".toc-drawer")?.setAttribute("aria-label", "this page");
  for (const th of document.querySelectorAll("article thead th"))
    if (!th.textContent.trim()) th.replaceWith(document.createElement("td"));
}

document.addEventListener("DOMContentLoaded", () => {
  follow();
  name();
  dark.addEventListener("change", follow);
  new MutationObserver(follow).observe(document.body, { attributeFilter: ["data-theme"] });
  fit();
  window.addEventListener("resize", fit);
});
