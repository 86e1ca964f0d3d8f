"""A real JupyterLab server, and its notebooks as somebody at a browser handles them."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import time
import urllib.request
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import nbformat
from playwright.sync_api import Locator, Page, expect

#: Milliseconds that anything on the page may take; a kernel may import TensorFlow meanwhile.
PATIENCE = 60_000

#: What stands beside a cell that has been executed.
_RETURNED = re.compile(r"^\[\d+\]:$")

_BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def find_chromium() -> str:
    """The path of the browser, empty if there is none."""
    names = (os.environ.get("MWTUTOR_CHROMIUM", ""), *_BROWSERS)
    return next((path for name in names if name and (path := shutil.which(name))), "")


class Lab:
    """A server on a free port, with a token, and all its files below one directory."""

    def __init__(self, home: Path) -> None:
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
        """What the server says of itself when it listens."""
        path = self.home / "runtime" / f"jpserver-{self._server.pid}.json"
        deadline = time.monotonic() + PATIENCE / 1000
        while self._server.poll() is None and time.monotonic() < deadline:
            try:
                return json.loads(path.read_text())
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
        made = [nbformat.v4.new_code_cell(cell) for cell in cells]
        notebook = nbformat.v4.new_notebook(cells=made)
        notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3"}
        nbformat.write(notebook, self.folder / name)

    def end_kernels(self) -> None:
        for session in self.ask("GET", "api/sessions"):
            self.ask("DELETE", f"api/sessions/{session['id']}")

    def close(self) -> None:
        self._server.terminate()  # which ends its kernels
        self._server.wait(30)
        self._log.close()


class Notebook:
    """A notebook in a page of its own, and what is to be seen of it."""

    def __init__(self, page: Page, lab: Lab, name: str) -> None:
        self.page, self.lab, self.name = page, lab, name
        space = name.removesuffix(".ipynb")
        page.goto(f"{lab.url}lab/workspaces/{space}/tree/{name}?token={lab.token}")
        self.ready()

    def ready(self) -> None:
        """Wait until every extension is there, and a kernel that has nothing to do."""
        self.page.wait_for_function("window.jupyterapp", timeout=PATIENCE)
        self.page.evaluate("window.jupyterapp.restored.then(() => true)")
        idle = self.page.locator('.jp-Notebook-ExecutionIndicator[data-status="idle"]')
        expect(idle).to_be_visible(timeout=PATIENCE)

    def cell(self, place: int) -> Locator:
        return self.page.locator(".jp-Notebook-cell").nth(place)

    def run(self, place: int) -> Locator:
        """Run a cell by the menu's command until it has returned; its outputs.

        JupyterLab may drop an execution that is asked for just after a kernel was connected. The
        cell then stands there as one that was never executed, and is run again.
        """
        prompt = self.cell(place).locator(".jp-InputPrompt").first
        before = prompt.inner_text()
        for _ in range(10):
            self.cell(place).locator(".cm-content").click()
            expect(self.cell(place)).to_have_class(re.compile("jp-mod-active"))
            self.order("notebook:run-cell")
            if prompt.inner_text() != before:
                break
        expect(prompt).to_have_text(_RETURNED, timeout=PATIENCE)
        return self.outputs(place)

    def order(self, command: str) -> None:
        """Do what is behind a menu's entry, and wait until it is done."""
        said = self.page.evaluate(
            "name => window.jupyterapp.commands.execute(name).then(String, String)", command
        )
        print(command, said)  # shown if the test fails

    def outputs(self, place: int) -> Locator:
        return self.cell(place).locator(".jp-OutputArea").first
