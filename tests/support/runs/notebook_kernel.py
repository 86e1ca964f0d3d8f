"""A real kernel, driven the way a notebook's front end drives it, for the end-to-end tests."""

from __future__ import annotations

import os
import re
import time
from pathlib import Path

from jupyter_client.manager import KernelManager

from mwtutor.system.runtime_dir import new_socket_dir, remove_socket_dir

#: ``python -c PYTEST ...`` is ``pytest ...`` with notebooks executed in such kernels.
PYTEST = f"""\
import sys
sys.path.append({str(Path(__file__).parents[3])!r})
import nbval.kernel, pytest
from tests.support.runs.notebook_kernel import UnixKernelManager
nbval.kernel.KernelManager = UnixKernelManager
sys.exit(pytest.main(sys.argv[1:]))
"""


class UnixKernelManager(KernelManager):
    """Starts a kernel that listens on Unix sockets.

    TCP ports are chosen before the kernel binds them. If another process takes one in between, the
    kernel dies, or hangs while dying. Each happened once in about 400 starts, with 6 at a time.
    """

    def __init__(self, **traits: object) -> None:
        self._sockets = new_socket_dir()
        super().__init__(transport="ipc", ip=str(self._sockets / "kernel"), **traits)

    def cleanup_connection_file(self) -> None:
        super().cleanup_connection_file()
        remove_socket_dir(self._sockets)


class Kernel:
    """A separate kernel, and the outputs of its cells."""

    def __init__(self, cwd: Path, **env: str) -> None:
        self.cwd = cwd
        self.manager = UnixKernelManager()
        self.manager.start_kernel(
            cwd=str(cwd), env={**os.environ, **env}, extra_arguments=["--log-level=40"]
        )
        self.client = self.manager.blocking_client()
        self.client.start_channels()
        self.client.wait_for_ready(timeout=60)
        self.updates: list[dict[str, str]] = []
        self.places: list[dict[str, str]] = []

    @property
    def pid(self) -> int:
        return self.manager.provisioner.pid

    def run(self, cell: str, interrupt_at: str = "") -> str:
        """All text that the cell shows; interrupted once ``interrupt_at`` is printed."""
        shown: list[str] = []
        waiting_for = [interrupt_at] if interrupt_at else []

        def take(message: dict) -> None:
            content = message["content"]
            if message["msg_type"].startswith("comm"):  # from widgets, if installed
                return
            if message["msg_type"] == "error":
                shown.append("\n".join(content["traceback"]))
            elif message["msg_type"] == "stream":
                shown.append(content["text"])
            elif "data" in content:
                self.updates.append(content["data"])
                self.places.append(content.get("transient", {}))
                shown.append(content["data"]["text/plain"])
            else:
                return
            if waiting_for and waiting_for[0] in shown[-1]:
                waiting_for.clear()  # only once: a second interrupt could arrive between two cells
                self.manager.interrupt_kernel()

        while True:
            self.reply = self.client.execute_interactive(cell, output_hook=take, timeout=300)
            # The kernel skips cells that arrive within milliseconds of a cell that raised, as a
            # part of "Run all".
            if self.reply["content"]["status"] != "aborted":
                break
        return re.sub(r"\x1b\[[0-9;]*m", "", "".join(shown))

    def wait_for_update(self, begins: str) -> None:
        """Wait, while no cell is executed, for a display to begin with this text."""
        text, last = "", time.monotonic() + 60
        while not text.startswith(begins):
            assert time.monotonic() < last, f"no display changed to: {begins}"
            message = self.client.get_iopub_msg(timeout=60)
            if message["msg_type"] == "update_display_data":
                text = message["content"]["data"]["text/plain"]

    def complete(self, before: str, after: str = "") -> list[str]:
        """The completions at the cursor, which is between the two texts."""
        asked = self.client.complete(before + after, len(before), reply=True, timeout=60)
        return list(asked["content"]["matches"])

    def inspect(self, before: str) -> str:
        """The text shown about the name at the cursor, which is at the end."""
        content = self.client.inspect(before, len(before), reply=True, timeout=60)["content"]
        return content["data"].get("text/plain", "") if content["found"] else ""

    def close(self) -> None:
        self.client.stop_channels()
        if self.manager.is_alive():
            self.manager.shutdown_kernel(now=True)
