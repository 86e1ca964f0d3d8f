"""A real JupyterLab server, and its notebooks as a user operates them in a browser."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from playwright.sync_api import Locator, Page, expect

#: Milliseconds that any action may take; a kernel may import TensorFlow meanwhile.
PATIENCE = 120_000
expect.set_options(timeout=PATIENCE)

#: The text beside an executed cell.
_RETURNED = re.compile(r"^\[\d+\]:$")

#: Whether a notebook is in front, with an idle kernel that answers.
_READY = """name => {
    const context = window.jupyterapp.shell.currentWidget?.context;
    const session = context?.sessionContext;
    const kernel = session?.session?.kernel;
    return context?.path === name && context.isReady && session.isReady
        && kernel?.connectionStatus === "connected" && kernel.status === "idle";
}"""

#: Opens a notebook in a page that has loaded JupyterLab, and closes it without saving.
_OPEN = """name => jupyterapp.restored.then(() => jupyterapp.commands.execute(
    "docmanager:open", {path: name, kernel: {name: "python3"}})).then(() => true)"""
_CLOSE = """name => {
    const open = [...jupyterapp.shell.widgets("main")].filter(one => one.context?.path === name);
    for (const one of open) { one.context.model.dirty = false; one.close(); }
}"""

_BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def find_chromium() -> str:
    """The path of the browser; empty if there is none."""
    names = (os.environ.get("MWTUTOR_CHROMIUM", ""), *_BROWSERS)
    return next((path for name in names if name and (path := shutil.which(name))), "")


class Lab:
    """A server on a free port, with a token, and all its files below one directory.

    Args:
        home: that directory.
        variables: more environment variables for it.
    """

    def __init__(self, home: Path, variables: Mapping[str, str] = MappingProxyType({})) -> None:
        self.home = home
        self.folder = home / "notebooks"
        self.folder.mkdir()
        (home / "runtime").mkdir()
        environment = dict(
            os.environ,
            JUPYTER_RUNTIME_DIR=str(home / "runtime"),
            JUPYTER_CONFIG_DIR=str(home / "config"),
            JUPYTER_DATA_DIR=str(home / "data"),
            IPYTHONDIR=str(home / "ipython"),
            **variables,
        )
        self._log = (home / "server.log").open("w")
        self._server = subprocess.Popen(
            [sys.executable, "-m", "jupyterlab", "--no-browser", "--ServerApp.port=0"]
            + [f"--ServerApp.root_dir={self.folder}", "--expose-app-in-browser"]
            + ["--allow-root"] * (os.getuid() == 0),
            cwd=self.folder,
            env=environment,
            stdout=self._log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        told = self._told()
        self.url, self.token = told["url"], told["token"]
        self._settle("notification", fetchNews="false", checkForUpdates=False)

    def _told(self) -> dict[str, Any]:
        """The server's report, once it is listening; it may write that a moment before."""
        path = self.home / "runtime" / f"jpserver-{self._server.pid}.json"
        deadline = time.monotonic() + PATIENCE / 1000
        while self._server.poll() is None and time.monotonic() < deadline:
            try:
                told = json.loads(path.read_text())
                socket.create_connection(("localhost", told["port"]), 1).close()
                return told
            except (OSError, ValueError):
                time.sleep(0.1)
        self.close()
        raise AssertionError(f"no server:\n{(self.home / 'server.log').read_text()[-3000:]}")

    def ask(self, method: str, path: str, content: object = None) -> Any:
        """Ask the server's API."""
        data = None if content is None else json.dumps(content).encode()
        headers = {"Authorization": f"token {self.token}"}
        request = urllib.request.Request(self.url + path, data, headers, method=method)
        with urllib.request.urlopen(request, timeout=30) as answer:
            text = answer.read()
        return json.loads(text) if text else None

    def _settle(self, extension: str, **settings: object) -> None:
        path = f"lab/api/settings/@jupyterlab/apputils-extension:{extension}"
        self.ask("PUT", path, {"raw": json.dumps(settings)})

    def write(self, name: str, cells: Sequence[str]) -> None:
        """A notebook with these cells."""
        import nbformat  # takes seconds: it reads a grammar

        made = [nbformat.v4.new_code_cell(cell) for cell in cells]
        notebook = nbformat.v4.new_notebook(cells=made)
        notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3"}
        nbformat.write(notebook, self.folder / name)

    def put(self, name: str, text: str) -> None:
        """A file next to the notebooks, complete from the moment it exists."""
        made = self.home / name
        made.write_text(text)
        made.replace(self.folder / name)

    def end_kernels(self) -> None:
        for session in self.ask("GET", "api/sessions"):
            self.ask("DELETE", f"api/sessions/{session['id']}")

    def close(self) -> None:
        self._server.terminate()  # which ends its kernels
        self._server.wait(30)
        self._log.close()


class Notebook:
    """The only notebook in its page, and what it shows.

    Args:
        page: an empty page, or one in which an earlier notebook was closed.
    """

    def __init__(self, page: Page, lab: Lab, name: str) -> None:
        self.page, self.lab, self.name = page, lab, name
        if page.url.startswith(lab.url):
            self.open()
        else:
            space = name.removesuffix(".ipynb")
            page.set_default_timeout(PATIENCE)
            page.goto(f"{lab.url}lab/workspaces/{space}/tree/{name}?token={lab.token}")
            self.ready()

    def open(self) -> None:
        """Open it in a page that shows no notebook."""
        self.page.evaluate(_OPEN, self.name)
        self.ready()

    def close(self) -> None:
        """Close it, so that its page can show another one."""
        self.page.evaluate(_CLOSE, self.name)
        expect(self.page.locator(".jp-Notebook")).to_have_count(0)

    def ready(self) -> None:
        """Wait until every extension is loaded and the kernel is idle.

        The page alone is not enough: its indicator shows "idle" before there is a session, and
        without one JupyterLab silently drops an execution.
        """
        self.page.wait_for_function("window.jupyterapp", timeout=PATIENCE)
        self.page.wait_for_function(_READY, arg=self.name, timeout=PATIENCE)

    def cell(self, place: int) -> Locator:
        return self.page.locator(".jp-Notebook-cell").nth(place)

    def run(self, place: int) -> Locator:
        """Run a cell for the first time, wait until it has returned, and return its outputs."""
        prompt = self.cell(place).locator(".jp-InputPrompt").first
        expect(prompt).to_have_text("[ ]:")
        self.cell(place).locator(".cm-content").click()
        expect(self.cell(place)).to_have_class(re.compile("jp-mod-active"))
        self.order("notebook:run-cell")
        expect(prompt).to_have_text(_RETURNED, timeout=PATIENCE)
        return self.outputs(place)

    def order(self, command: str, **arguments: str) -> None:
        """Choose a menu's entry."""
        order = "([name, given]) => { window.ordered = jupyterapp.commands.execute(name, given) }"
        self.page.evaluate(order, [command, arguments])

    def restart(self) -> None:
        """Restart the kernel from the menu, and wait for the new one."""
        self.order("notebook:restart-kernel")
        self.page.locator(".jp-Dialog .jp-mod-accept").click()
        self.page.evaluate("window.ordered.then(() => true)")
        self.ready()

    def save(self) -> None:
        """Save the notebook, and wait until it is saved."""
        self.order("docmanager:save")
        self.page.evaluate("window.ordered.then(() => true)")

    def dress(self, theme: str) -> None:
        """Switch to a theme."""
        self.order("apputils:change-theme", theme=theme)
        expect(self.page.locator("body")).to_have_attribute("data-jp-theme-name", theme)

    def outputs(self, place: int) -> Locator:
        return self.cell(place).locator(".jp-OutputArea").first
