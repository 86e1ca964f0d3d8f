"""Measure the cost of a live panel: the kernel's processor time during a run, with and without it.

A real kernel launches a program whose tasks report a step every 20 ms, as training does. The
kernel's cells have returned; it only updates its panel.

    python benchmarks/panel.py --seconds 30 --tasks 2 --json panel.json
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from pathlib import Path

import psutil
from jupyter_client.manager import KernelManager

PROGRAM = """
import mwtutor, time
for step in range(1_000_000):
    mwtutor.report(step + 1, loss=1 / (step + 1), accuracy=0.5)
    time.sleep(0.02)
"""

WITHOUT = "import mwtutor; run = mwtutor.launch('main.py', {tasks}, cold=True, oversubscribe=True)"
WITH = "%mw_launch {tasks} main.py --cold --oversubscribe"

#: Seconds until every task of a new run reports.
SETTLING = 5.0


def share(launch: str, seconds: float) -> tuple[float, int]:
    """The share of a processor that the kernel uses in this time, and the messages it sends."""
    with tempfile.TemporaryDirectory() as directory:
        Path(directory, "main.py").write_text(PROGRAM)
        manager = KernelManager()
        manager.start_kernel(cwd=directory)
        client = manager.blocking_client()
        client.start_channels()
        try:
            client.wait_for_ready(timeout=60)
            for cell in ("%load_ext mwtutor", launch):
                reply = client.execute_interactive(cell, output_hook=lambda _: None, timeout=120)
                assert reply["content"]["status"] == "ok", reply
            process = psutil.Process(manager.provisioner.pid)
            time.sleep(SETTLING)
            before, began = process.cpu_times(), time.monotonic()
            time.sleep(seconds)
            after, passed = process.cpu_times(), time.monotonic() - began
            sent = 0
            while client.iopub_channel.msg_ready():
                sent += client.get_iopub_msg(timeout=1)["msg_type"] == "update_display_data"
            return (after.user + after.system - before.user - before.system) / passed, sent
        finally:
            client.stop_channels()
            manager.shutdown_kernel(now=True)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--tasks", type=int, default=2)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    found = {}
    for name, launch in (("without", WITHOUT), ("with", WITH)):
        found[name], updates = share(launch.format(tasks=options.tasks), options.seconds)
        print(f"{name:8} {found[name]:6.2%} of a processor, {updates} updates", flush=True)
    found["panel"] = found["with"] - found["without"]
    print(f"panel    {found['panel']:6.2%}")
    if options.json:
        options.json.write_text(json.dumps({"tasks": options.tasks, **found}, indent=2) + "\n")


if __name__ == "__main__":
    main()
