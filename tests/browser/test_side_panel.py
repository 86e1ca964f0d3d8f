"""The package mwtutor-lab, built as a wheel and installed for a real JupyterLab, in a browser."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import sysconfig
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from http.cookiejar import CookieJar
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Locator, Page, expect

from mwtutor.run.record.events import RunEnded
from tests.browser.lab import PATIENCE, Lab
from tests.browser.programs import LAUNCH, TRAINING
from tests.browser.test_accessible import CHECKED, measured
from tests.support.runs.directories import a_run, dead, supervised_by

pytestmark = [pytest.mark.lab, pytest.mark.timeout(600)]

ROOT = Path(__file__).parents[2]

STATE = "data-mw-state"

#: Makes axe examine everything: it skips what is in a body without a height, such as JupyterLab's.
READ_ALL = "body { height: 100vh }"


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, str]:
    """The variables with which a server finds the package, installed from its wheel."""
    made = tmp_path_factory.mktemp("package")
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "wheel", "--no-deps", "-w", made, ROOT / "lab"], check=True)
    (wheel,) = made.glob("*.whl")
    there = made / "there"
    subprocess.run([*pip, "install", "--no-deps", "--prefix", there, wheel], check=True)
    site = sysconfig.get_path("purelib", vars={"base": str(there), "platbase": str(there)})
    return {
        "PYTHONPATH": site,
        "JUPYTER_PATH": str(there / "share" / "jupyter"),
        "JUPYTER_CONFIG_PATH": str(there / "etc" / "jupyter"),
    }


@pytest.fixture(scope="session")
def lab(installed: Mapping[str, str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    home = tmp_path_factory.mktemp("lab")
    (home / "config").mkdir()  # as below a hub
    settings = {"ServerApp": {"base_url": "/user/ann%20b/"}}
    (home / "config" / "jupyter_server_config.json").write_text(json.dumps(settings))
    lab = Lab(home, installed)
    yield lab
    lab.close()


def opened(page: Page) -> Locator:
    """The panel, opened as the palette does it."""
    page.wait_for_function("window.jupyterapp")
    page.evaluate(
        "jupyterapp.restored.then(() => jupyterapp.commands.execute('mwtutor:show-runs'))"
    )
    panel = page.get_by_role("region", name="mwtutor: runs and sessions")
    expect(panel).to_be_visible()
    return panel


def plain(browser: Browser, lab: Lab, width: int = 1280) -> Page:
    """JupyterLab without a notebook."""
    page = browser.new_page(viewport={"width": width, "height": 900})
    page.set_default_timeout(PATIENCE)
    page.goto(f"{lab.url}lab?token={lab.token}&reset")
    return page


def states(panel: Locator) -> dict[str, str]:
    """The state of each run, by name."""
    runs = panel.locator(f"[{STATE}]").all()
    return {run.get_attribute("data-mw-run"): run.get_attribute(STATE) for run in runs}


def test_a_run_of_a_notebook_is_seen_until_its_end_and_its_log_is_read(lab, notebook, picture):
    lesson = notebook("side.ipynb", TRAINING, LAUNCH, own_page=True)
    panel = opened(lesson.page)
    expect(panel).to_contain_text("There are no runs here yet. Start one in a notebook")
    lesson.run(0)
    lesson.run(1)
    run = panel.locator('[data-mw-run="train"]')
    expect(run).to_have_attribute(STATE, "running")
    expect(run).to_contain_text("run · train.py · launched 20")
    run.get_by_text("Details").click()
    expect(run).to_contain_text("worker:1: running")
    expect(run).to_contain_text("2 workers · train.py end")
    run.get_by_role("button", name="Log: train").click()
    view = lesson.page.get_by_role("region", name="Log of train")
    log = view.get_by_role("log", name="Log of train")
    expect(log).to_contain_text(re.compile(r"worker:\S+ +\| step \d+ of 1000"))
    view.get_by_role("combobox", name="Task").select_option("worker:0")
    expect(log).to_have_text(re.compile(r"^(worker:0 \| step \d+ of 1000\s?)+$"))
    picture(lesson, "side-log")
    run.get_by_role("button", name="Notebook: side.ipynb").click()
    expect(lesson.cell(0)).to_be_visible()
    lab.put("end", "worker:1")
    expect(run).to_have_attribute(STATE, "failed")
    expect(run).to_contain_text("worker:1 raised ValueError: no digits left (train.py, line")
    expect(run.get_by_role("button", name="Stop: train")).to_have_count(0)
    run.get_by_role("button", name="Log: train").click()
    expect(view).to_contain_text("failed")
    view.get_by_role("combobox", name="Task").select_option("worker:1")
    expect(log).to_contain_text("ValueError: no digits left")
    picture(lesson, "side-failed")


def test_a_session_is_stopped_with_the_keyboard(lab, notebook, picture):
    cells = ("%load_ext mwtutor", "%mw_start 2", "%%mw\nprint(6 * 7)")
    lesson = notebook("session.ipynb", *cells, own_page=True)
    panel = opened(lesson.page)
    for place in range(3):
        lesson.run(place)
    run = panel.locator('[data-mw-run="session"]')
    expect(run).to_have_attribute(STATE, "idle")
    expect(run).to_contain_text("session · cells · launched 20")
    run.get_by_role("button", name="Stop: session").focus()
    lesson.page.keyboard.press("Enter")
    dialog = lesson.page.get_by_role("dialog")
    expect(dialog).to_contain_text("The variables of its cells are lost.")
    picture(lesson, "side-asks")
    dialog.get_by_role("button", name="Cancel").press("Enter")
    expect(dialog).to_have_count(0)
    run.get_by_role("button", name="Stop: session").press("Enter")
    dialog.get_by_role("button", name="Stop").press("Enter")
    expect(run).to_have_attribute(STATE, "stopped")
    expect(panel.get_by_role("status")).to_have_text("session stopped.")
    expect(run).to_contain_text("It was stopped in the side panel.")
    picture(lesson, "side-stopped")


LONG = "a_name_of_sixty_characters_that_no_side_panel_shows_on_one_line"


@pytest.fixture
def thirty(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with thirty runs that ended in several ways, and what cannot be read."""
    folder = lab.folder / "thirty"
    folder.mkdir()
    monkeypatch.chdir(folder)
    for number in range(30):
        spec = a_run(LONG if number == 29 else f"run-{number}")
        status = ("succeeded", "failed", "stopped", "timed out")[number % 4]
        reason = "worker:1 raised KeyError" * (status != "succeeded")
        supervised_by(spec, *dead(), RunEnded(status, reason))
    a_run().file.write_text("{")
    yield folder
    shutil.rmtree(folder)


def overflows(panel: Locator) -> bool:
    """Whether something in it is wider than the panel."""
    return panel.evaluate("panel => panel.scrollWidth > panel.clientWidth")


@pytest.mark.parametrize("theme", ["JupyterLab Light", "JupyterLab Dark"])
def test_thirty_runs_can_be_read_in_a_narrow_window(theme, lab, thirty, notebook, picture):
    lesson = notebook("narrow.ipynb", "1", width=800, own_page=True)
    lesson.dress(theme)
    panel = opened(lesson.page)
    section = panel.get_by_role("region", name="Folder /thirty")
    expect(section.locator(f"[{STATE}]")).to_have_count(30)
    assert list(states(section).items())[:2] == [(LONG, "failed"), ("run-28", "succeeded")]
    expect(section).to_contain_text(re.compile(r"The run.json in \S+ is damaged, or was written"))
    assert not overflows(panel)
    section.get_by_role("button", name=f"Log: {LONG}").click()
    expect(lesson.page.locator(".mwtutor-log")).to_contain_text("Nothing was printed.")
    section.get_by_text("Details").first.click()
    picture(lesson, f"side-800-{theme.split()[1].lower()}")
    lesson.page.add_style_tag(content=READ_ALL)
    lesson.page.set_viewport_size({"width": 800, "height": 6000})
    for part in (".mwtutor-panel", ".mwtutor-log"):
        found = Axe().run(lesson.page, part, {"runOnly": CHECKED})
        print(found.generate_report())
        assert [rule["id"] for rule in found.response["violations"]] == []
        assert measured(found.response, "color-contrast") >= 2


# -- bad input ----------------------------------------------------------------------------------


def refused(lab: Lab, method: str, path: str, **headers: str) -> int:
    """The status with which the server refuses a request."""
    data = b"{}" if method == "POST" else None
    request = urllib.request.Request(lab.url + path, data, headers, method=method)
    with pytest.raises(urllib.error.HTTPError) as caught:
        urllib.request.urlopen(request, timeout=30)
    return caught.value.code


def test_nobody_reads_or_stops_without_the_token_or_from_another_page(lab):
    for method, path in (("GET", "runs"), ("GET", "log?key=x"), ("POST", "stop")):
        assert refused(lab, method, f"mwtutor/{path}") == 403
    assert refused(lab, "GET", "mwtutor/stop", Authorization=f"token {lab.token}") == 405
    cookies = urllib.request.HTTPCookieProcessor(CookieJar())
    browser = urllib.request.build_opener(cookies)
    browser.open(f"{lab.url}lab?token={lab.token}", timeout=30).close()
    browser.open(f"{lab.url}mwtutor/runs", timeout=30).close()  # the cookie is enough to read
    with pytest.raises(urllib.error.HTTPError) as caught:
        browser.open(f"{lab.url}mwtutor/stop", b"{}", timeout=30)
    assert caught.value.code == 403
    assert "_xsrf" in json.loads(caught.value.read())["message"]


@pytest.fixture
def another(installed: Mapping[str, str], tmp_path: Path) -> Iterator[Callable[[str], Lab]]:
    """Another server; its environment has a module mwtutor with this source, if one is given."""
    started = []

    def start(source: str = "") -> Lab:
        path = installed["PYTHONPATH"]
        if source:
            (tmp_path / "mwtutor.py").write_text(source)
            path = f"{tmp_path}:{path}"
        (tmp_path / "lab").mkdir()
        started.append(Lab(tmp_path / "lab", {**installed, "PYTHONPATH": path}))
        return started[0]

    yield start
    for lab in started:
        lab.close()


def test_a_panel_says_since_when_a_server_is_gone(another, browser, monkeypatch):
    lab = another()
    monkeypatch.chdir(lab.folder)
    supervised_by(a_run("gone"), *dead(), RunEnded("succeeded", ""))
    page = plain(browser, lab)
    panel = opened(page)
    expect(panel.get_by_role("button", name="Log: gone")).to_be_enabled()
    lab.close()
    expect(panel.get_by_role("status")).to_have_text(
        re.compile(r"Not updated since \d\d:\d\d.*\. The server does not answer\.")
    )
    expect(panel.get_by_role("button", name="Log: gone")).to_be_disabled()
    page.close()


@pytest.mark.parametrize(
    ("source", "said"),
    [
        (
            "raise ModuleNotFoundError(name='mwtutor')",
            "mwtutor is not installed in the environment of the Jupyter server. Install it there:",
        ),
        (
            "VERSION = '0.0.1'",
            "The version of mwtutor in the environment of the Jupyter server is older than"
            " mwtutor-lab.",
        ),
    ],
)
def test_a_server_without_this_mwtutor_says_what_to_install(another, browser, source, said):
    page = plain(browser, another(source))
    expect(opened(page).get_by_role("status")).to_contain_text(said)
    page.close()
