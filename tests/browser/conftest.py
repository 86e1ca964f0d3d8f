"""One server, one browser and mostly one page for all tests; a kernel for each notebook."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

    from tests.browser.lab import Lab, Notebook

if importlib.util.find_spec("playwright") is None:  # without the extra there is nothing to collect
    collect_ignore_glob = ["test_*.py"]

#: Where screenshots are stored.
SCREENSHOTS = Path(__file__).parents[2] / "build" / "screenshots"

FAILED = pytest.StashKey[bool]()


@pytest.fixture(scope="session")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    from tests.browser.lab import Lab

    lab = Lab(tmp_path_factory.mktemp("lab"))
    yield lab
    lab.close()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    from playwright.sync_api import sync_playwright

    from tests.browser.lab import find_chromium

    path = find_chromium()
    if not path:
        pytest.fail("no Chromium found: install it, or name it in MWTUTOR_CHROMIUM", pytrace=False)
    with sync_playwright() as playwright:
        # A container has no user namespaces for its sandbox, and little /dev/shm.
        arguments = ["--no-sandbox", "--disable-dev-shm-usage"]
        browser = playwright.chromium.launch(executable_path=path, args=arguments)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def profile(browser: Browser) -> Iterator[BrowserContext]:
    """The pages of one user: JupyterLab is downloaded and compiled for the first one only."""
    context = browser.new_context()
    yield context
    context.close()


@pytest.fixture(scope="session")
def kept() -> list[Page]:
    """At most one page that has loaded JupyterLab, which takes seconds, and shows no notebook."""
    return []


@pytest.fixture
def notebook(
    lab: Lab, profile: BrowserContext, kept: list[Page], request: pytest.FixtureRequest
) -> Iterator[Callable[..., Notebook]]:
    """Write a notebook and open it; afterwards, close it and shut down its kernel.

    A test that changes more than its notebook, or reloads the page, asks for its own page.
    """
    from tests.browser.lab import Notebook

    shared: list[Notebook] = []  # at most one
    pages: list[Page] = []

    def opened(name: str, *cells: str, width: int = 1280, own_page: bool = False) -> Notebook:
        lab.write(name, cells)
        share = not own_page and not shared
        while kept and not kept[0].url.startswith(lab.url):
            kept.pop().close()  # it belongs to another server
        page = kept.pop() if share and kept else profile.new_page()
        pages.append(page)
        page.set_viewport_size({"width": width, "height": 900})
        made = Notebook(page, lab, name)
        if share:
            shared.append(made)
        return made

    yield opened
    if request.node.stash.get(FAILED, False):
        for place, page in enumerate(pages):
            page.screenshot(path=_pictures() / f"failed-{request.node.name}-{place}.png")
    elif shared:
        shared[0].close()
        pages.remove(shared[0].page)
        kept.append(shared[0].page)
    for page in pages:
        page.close()
    lab.end_kernels()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    report = yield
    if report.when == "call":
        item.stash[FAILED] = report.failed
    return report


def _pictures() -> Path:
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    return SCREENSHOTS


@pytest.fixture
def picture() -> Callable[[Notebook, str], None]:
    """Store a screenshot."""

    def taken(notebook: Notebook, name: str) -> None:
        notebook.page.screenshot(path=_pictures() / f"{name}.png")

    return taken
