"""The style sheet of everything that is shown in a page."""

from __future__ import annotations

from collections.abc import Mapping

from mwtutor.colors import DARK, LIGHT

#: Seconds without a redraw after which a panel shows when it was last updated.
FORGOTTEN = 10


def _variables(palette: Mapping[str, str]) -> str:
    return "{" + "".join(f"--mw-{name}:{color};" for name, color in palette.items()) + "}"


def _sheet() -> str:
    dark = _variables(DARK)
    light = _variables(LIGHT)
    # The front end's theme takes precedence over the system's preference.
    says_light = '[data-jp-theme-light="true"] .mwtutor,.vscode-light .mwtutor'
    says_dark = '[data-jp-theme-light="false"] .mwtutor,.vscode-dark .mwtutor'
    rules = [
        f".mwtutor{light}",
        f"@media (prefers-color-scheme:dark){{.mwtutor{dark}}}",
        f"{says_light}{light}",
        f"{says_dark}{dark}",
        "div.mwtutor{background:var(--mw-ground);color:var(--mw-text);padding:4px 8px;"
        "overflow-wrap:anywhere}",
        # A table that is too wide does not break words: it drops columns, then scrolls.
        "div.mwtutor .mw-table{container-type:inline-size;overflow-x:auto}",
        "div.mwtutor table{border:none;border-collapse:collapse;margin:4px 0;table-layout:auto;"
        "color:inherit}",
        "div.mwtutor tr{background:transparent!important}",
        "div.mwtutor th,div.mwtutor td{text-align:left;vertical-align:top;border:none;"
        "padding:2px 12px 2px 0;color:inherit;overflow-wrap:normal}",
        "@container (max-width:36em){div.mwtutor .mw-spare{display:none}"
        "div.mwtutor td,div.mwtutor th{padding-right:8px;font-size:92%}}",
        "div.mwtutor thead th{color:var(--mw-faint)}",
        "div.mwtutor tbody th{font-weight:normal;white-space:nowrap}",
        "div.mwtutor td.mw-message{padding:0 16px 6px 16px;overflow-wrap:anywhere}",
        "div.mwtutor pre{font-family:monospace;font-size:90%;white-space:pre-wrap;margin:4px 0;"
        "background:transparent;color:inherit;border-left:3px solid var(--mw-bad);"
        "padding:0 0 0 8px}",
        "div.mwtutor pre.mw-log{border-left:none;padding:0}",
        "div.mwtutor summary{cursor:pointer}",
        # One of the tabs is open. Where tabs are not supported, they are shown as folds.
        "@supports selector(::details-content){"
        "div.mwtutor .mw-tabs{display:flex;flex-wrap:wrap}"
        "div.mwtutor .mw-tabs>details{display:contents}"
        "div.mwtutor .mw-tabs>details>summary{order:0;list-style:none;padding:2px 12px;"
        "border-bottom:2px solid transparent}"
        "div.mwtutor .mw-tabs>details[open]>summary{border-bottom-color:var(--mw-going)}"
        "div.mwtutor .mw-tabs>details::details-content{order:1;flex:0 0 100%;min-width:0;"
        "border-top:1px solid var(--mw-faint);padding-top:4px}"
        "div.mwtutor .mw-tabs>details:not([open])::details-content{display:none}}",
        "div.mwtutor .mw-tail{display:flex;flex-direction:column-reverse;max-height:24em;"
        "overflow:auto}",
        "div.mwtutor .mw-tail>pre{flex:none;overflow:visible}",
        "div.mwtutor .mw-wide{overflow-x:auto}div.mwtutor .mw-wide>svg{min-width:54em}",
        "div.mwtutor .mw-tabs img{max-width:100%;height:auto}",
        "div.mwtutor .mw-forgotten{visibility:hidden;max-height:0;overflow:hidden;"
        f"animation:mw-forgotten 1ms {FORGOTTEN}s forwards}}",
        "@keyframes mw-forgotten{to{visibility:visible;max-height:none}}",
        # Hide buttons whose kernel no longer exists; the panel above shows since when.
        ".mw-controls.jupyter-widgets-disconnected{display:none!important}",
        ".jp-OutputArea:has(.mw-controls.jupyter-widgets-disconnected) div.mwtutor .mw-forgotten"
        "{animation-delay:0s}",
        # While there are tabs with the logs, do not show the ends of the logs in the panel as well.
        ".jp-OutputArea:has(.mw-controls:not(.jupyter-widgets-disconnected))"
        " div.mwtutor details[data-mw-log]{display:none}",
        # Titles of tabs are not cut: many of them need several rows.
        ".mw-controls .lm-TabBar .lm-TabBar-content{flex-wrap:wrap}"
        ".mw-controls .lm-TabBar .lm-TabBar-tab{flex:0 0 auto;min-width:max-content}",
        # In a reopened notebook, whose kernel never had the buttons, hide the text shown in their
        # place.
        ".jp-OutputArea:has(.mw-panel) .lm-Panel.jp-OutputArea-output:not(:has(*)){display:none}",
        ".jp-OutputArea:has(.jp-OutputArea-output.jupyter-widgets):not(:has(.mw-controls))"
        " div.mwtutor .mw-forgotten{animation-delay:0s}",
        "div.mwtutor .mw-bar{display:inline-block;vertical-align:middle;width:16em;max-width:40%;"
        "height:8px;margin-right:8px;border:1px solid var(--mw-faint)}",
        "div.mwtutor .mw-bar>i{display:block;height:100%;background:var(--mw-going)}",
        "div.mwtutor .mw-curve{width:80px;max-width:none;height:16px;vertical-align:middle;"
        "color:var(--mw-going)}",
        *(
            f"div.mwtutor .mw-{name}{{color:var(--mw-{name})}}"
            for name in LIGHT
            if name != "ground"
        ),
    ]
    # A repeated class takes precedence over a front end's rules for all tables.
    sheet = "".join(rules).replace("div.mwtutor", "div.mwtutor.mwtutor")
    return f"<style>{sheet}</style>"


#: The style sheet. Every panel contains it, because outputs are added and removed one by one.
SHEET = _sheet()
