"""Measure the memory of a class: kernels with mwtutor, and then the same with two workers each.

PSS divides a shared page equally among the processes that share it.

    python benchmarks/classroom.py [--learners 1 5 10] [--json FILE]
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections import defaultdict
from collections.abc import Mapping
from typing import Any

import psutil
from jupyter_client.manager import KernelManager
from versions import versions

#: The code that every learner's kernel executes; it returns once the fork server has imported
#: everything.
LOAD = """
%load_ext mwtutor
import mwtutor
open("nothing.py", "w").close()
mwtutor.launch("nothing.py", 1).wait()
"""
START = "%mw_start 2"
TRAIN = """
%%mw
import numpy as np
from mwtutor.datasets import digits
(images, labels), _ = digits.load()
with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Flatten(), tf.keras.layers.Dense(10)])
    loss = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    model.compile("sgd", loss)
model.fit(np.asarray(images, "float32"), np.asarray(labels), batch_size=64, verbose=0)
"""


class Learner:
    """A kernel, and the processes that descend from it."""

    def __init__(self) -> None:
        self.manager = KernelManager()
        self.manager.start_kernel(cwd=tempfile.mkdtemp())
        self.client = self.manager.client()
        self.client.start_channels()
        self.client.wait_for_ready(timeout=300)

    def run(self, cell: str) -> None:
        reply = self.client.execute_interactive(cell.strip(), output_hook=_ignore, timeout=600)
        if reply["content"]["status"] != "ok":
            raise SystemExit(reply["content"]["evalue"])

    def memory(self) -> dict[str, float]:
        """The memory in MiB, by kind of process."""
        kernel = psutil.Process(self.manager.provisioner.pid)
        found: dict[str, float] = defaultdict(float)
        found["kernel"] = _pss(kernel)
        for process in kernel.children(recursive=True):
            title = " ".join(process.cmdline())
            kind = "workers" if title.startswith("worker:") else "mwtutor"
            found["fork server" if "fork server" in title else kind] += _pss(process)
        return found

    def close(self) -> None:
        self.client.stop_channels()
        self.manager.shutdown_kernel(now=True)


def _ignore(message: Mapping[str, Any]) -> None:
    pass


def _pss(process: psutil.Process) -> float:
    return float(process.memory_full_info().pss) / 2**20


def measure(count: int) -> dict[str, dict[str, float]]:
    """The mean memory of a learner, by state and kind of process."""
    learners: list[Learner] = []
    try:
        for _ in range(count):
            learners.append(Learner())
            learners[-1].run(LOAD)
        loaded = [learner.memory() for learner in learners]
        for learner in learners:
            learner.run(START)
            learner.run(TRAIN)
        trained = [learner.memory() for learner in learners]
    finally:
        for learner in learners:
            learner.close()
    return {"loaded": _mean(loaded), "two workers": _mean(trained)}


def _mean(found: list[dict[str, float]]) -> dict[str, float]:
    kinds = {kind for one in found for kind in one}
    return {kind: sum(one.get(kind, 0) for one in found) / len(found) for kind in sorted(kinds)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--learners", nargs="+", type=int, default=[1, 5, 10])
    parser.add_argument("--json")
    options = parser.parse_args()
    results = {count: measure(count) for count in options.learners}
    print(
        "| learners | state | MiB for each learner | breakdown | total GiB |\n|---|---|---|---|---|"
    )
    for count, states in results.items():
        for state, kinds in states.items():
            total = sum(kinds.values())
            parts = ", ".join(f"{kind} {size:.0f}" for kind, size in kinds.items())
            print(f"| {count} | {state} | {total:.0f} | {parts} | {count * total / 1024:.1f} |")
    if options.json:
        with open(options.json, "w") as file:
            json.dump({"versions": versions(), "mib": results}, file, indent=1)


if __name__ == "__main__":
    main()
