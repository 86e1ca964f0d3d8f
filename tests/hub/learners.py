"""A hub with real accounts, and its learners: in a browser, or through the hub's API."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import socket
import subprocess
import sys
import time
import uuid
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import requests
import websocket
from playwright.sync_api import sync_playwright

from tests.browser.lab import _READY, find_chromium
from tests.support.machines.accounts import Account
from tests.support.waiting import until

HERE = Path(__file__).parent

#: Seconds that anything may take while ten learners share two processors.
PATIENCE = 1800.0

#: The memory of each server, in bytes.
MEMORY = 6 << 30


class Hub:
    """A running JupyterHub, seen from outside."""

    def __init__(self, people: Sequence[Account], groups: dict[str, Path], home: Path) -> None:
        self.token, self._culler = secrets.token_hex(16), secrets.token_hex(16)
        ports = _free_ports(3 + len(people))
        self.url = f"http://127.0.0.1:{ports[0]}"
        given = {
            "ports": ports,
            "people": [person.name for person in people],
            "groups": {name: str(path) for name, path in groups.items()},
            "proxy": str(Path(sys.prefix, "node_modules/.bin/configurable-http-proxy")),
            "token": self.token,
            "culler": self._culler,
            "memory": MEMORY,
        }
        self._enter = people[0].room
        self.log = home / "hub.log"
        with self.log.open("w") as log:
            self._process = subprocess.Popen(
                [
                    *(*self._enter, f"--wd={home}", sys.executable, "-m", "jupyterhub"),
                    f"--config={HERE / 'jupyterhub_config.py'}",
                ],
                env={**os.environ, "HUB_OF_THE_TEST": json.dumps(given)},
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        until(self._answers, 120, lambda: self.log.read_text()[-3000:])

    def _answers(self) -> bool:
        assert self._process.poll() is None, self.log.read_text()[-3000:]
        with contextlib.suppress(requests.ConnectionError, AssertionError):
            return bool(self.slow("GET", "/hub/api/"))
        return False

    def slow(self, method: str, path: str) -> Any:
        """Ask for what is asked for again and again."""
        time.sleep(0.5)
        return self.ask(method, path)

    def ask(self, method: str, path: str, token: str = "", content: object = None) -> Any:
        """Ask the API of the hub, or of a learner's server."""
        headers = {"Authorization": f"token {token or self.token}"}
        answer = requests.request(
            method, self.url + path, headers=headers, json=content, timeout=PATIENCE
        )
        assert answer.ok, f"{method} {path}: {answer.status_code} {answer.text}"
        return answer.json() if answer.text else None

    def servers(self) -> list[str]:
        """The learners that have a server."""
        return [one["name"] for one in self.slow("GET", "/hub/api/users") if one["servers"]]

    def cull(self) -> None:
        """Stop every server that has been idle for a second, as a hub does after an hour or so."""
        command = [*self._enter, sys.executable, "-m", "jupyterhub_idle_culler"]
        options = ["--timeout=1", "--cull-every=1", f"--url={self.url}/hub/api"]
        env = {**os.environ, "JUPYTERHUB_API_TOKEN": self._culler}
        with self.log.open("a") as log:
            culler = subprocess.Popen([*command, *options], env=env, stdout=log, stderr=log)
        try:
            until(lambda: not self.servers(), 120, lambda: self.log.read_text()[-3000:])
        finally:
            culler.terminate()
            culler.wait()

    def close(self) -> None:
        self._process.terminate()
        self._process.wait(60)


class ApiLearner:
    """Executes cells as a program would that has the learner's token."""

    def __init__(self, hub: Hub, person: Account, notebook: str) -> None:
        self._hub, self._name = hub, person.name
        users = f"/hub/api/users/{self._name}"
        hub.ask("POST", f"{users}/server")
        until(lambda: hub.slow("GET", users)["servers"].get("", {}).get("ready"), PATIENCE)
        self._token = hub.ask("POST", f"{users}/tokens", content={"note": "test"})["token"]
        asked = {"path": notebook, "name": "", "type": "notebook", "kernel": {"name": "python3"}}
        session = hub.ask("POST", f"/user/{self._name}/api/sessions", self._token, asked)
        self._kernel = f"/user/{self._name}/api/kernels/{session['kernel']['id']}"
        self._channels = hub.url.replace("http", "ws") + f"{self._kernel}/channels"

    def restart(self) -> None:
        """Restart the kernel; its fork server then knows the limits as they are now."""
        self._hub.ask("POST", f"{self._kernel}/restart", self._token)
        self.run("%load_ext mwtutor")

    def run(self, source: str) -> str:
        """All that a cell shows."""
        header = {"msg_id": uuid.uuid4().hex, "msg_type": "execute_request", "version": "5.3",
                  "username": "", "session": "test", "date": ""}  # fmt: skip
        content = {"code": source, "silent": False, "store_history": True, "allow_stdin": False}
        # A connection for each cell: an idle one would have to answer the server's pings.
        login = {"Authorization": f"token {self._token}"}
        channels = websocket.create_connection(self._channels, header=login, timeout=PATIENCE)
        channels.send(json.dumps({"header": header, "parent_header": {}, "metadata": {},
                                      "content": content, "channel": "shell"}))  # fmt: skip
        shown, pending = "", {"execute_reply", "idle"}
        while pending:
            message = json.loads(channels.recv())
            if message["parent_header"].get("msg_id") != header["msg_id"]:
                continue
            content, kind = message["content"], message["header"]["msg_type"]
            pending.discard(kind if kind != "status" else content["execution_state"])
            text = content.get("data", {}).get("text/plain", "")
            shown += content.get("text", "") + text + content.get("evalue", "") * (kind == "error")
        channels.close()
        return shown

    def run_all(self, cells: Sequence[str]) -> str:
        return "\n".join(self.run(cell) for cell in cells)


def run_all_in_browser(hub: Hub, person: Account, password: str, notebook: str) -> str:
    """Log in, open the notebook, choose Run All Cells, save it; return what its cells show."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=find_chromium(), args=["--no-sandbox", "--disable-dev-shm-usage"]
        )
        page = browser.new_page(viewport={"width": 1280, "height": 6000})
        page.set_default_timeout(PATIENCE * 1000)
        page.goto(f"{hub.url}/hub/login")
        page.fill("#username_input", person.name)
        page.fill("#password_input", password)
        page.click("#login_submit")

        page.wait_for_function("window.jupyterapp")  # once the hub has started the server
        page.goto(f"{hub.url}/user/{person.name}/lab/tree/{notebook}")
        page.wait_for_function("window.jupyterapp")
        page.wait_for_function(_READY, arg=notebook)
        for command in ("notebook:run-all-cells", "docmanager:save"):
            page.evaluate(f"jupyterapp.commands.execute('{command}').then(() => true)")
        browser.close()
    cells = json.loads((person.home / notebook).read_text())["cells"]
    outputs = [output for cell in cells for output in cell.get("outputs", ())]
    printed = (one.get("text", one.get("data", {}).get("text/plain", "")) for one in outputs)
    return "\n".join(map("".join, printed))


def _free_ports(count: int) -> list[int]:
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports
