"""One server and one browser for all tests; a page and a kernel for each notebook."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser

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


@pytest.fixture
def notebook(
    lab: Lab, browser: Browser, request: pytest.FixtureRequest
) -> Iterator[Callable[..., Notebook]]:
    """Write a notebook and open it; afterwards, close its page and shut down its kernel."""
    from tests.browser.lab import Notebook

    pages = []

    def opened(name: str, *cells: str, width: int = 1280) -> Notebook:
        lab.write(name, cells)
        page = browser.new_page(viewport={"width": width, "height": 900})
        pages.append(page)
        return Notebook(page, lab, name)

    yield opened
    for place, page in enumerate(pages):
        if request.node.stash.get(FAILED, False):
            page.screenshot(path=_pictures() / f"failed-{request.node.name}-{place}.png")
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
