"""Write ``golden/estimator_numbers.json``, the results of TensorFlow 2.15.1's own Estimator.

Run it with a Python that has TensorFlow 2.15.1: ``estimator_golden.py [CASE...]``, with the cases
to rewrite (default: all). No part of mwtutor is used.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

PROGRAMS = Path(__file__).resolve().parent
TESTS = PROGRAMS.parents[1]
sys.path.insert(0, str(TESTS.parent))

from tests.support.clusters.plain_cluster import run_cluster  # noqa: E402

LOCAL = PROGRAMS / "estimator_local.py"
CLUSTER = PROGRAMS / "estimator_cluster.py"
GOLDEN = TESTS / "golden" / "estimator_numbers.json"
CLUSTERS = {
    "multi_worker": {"worker": 2, "evaluator": 1},
    "chief_ps": {"chief": 1, "ps": 1},
    "chief_ps_strategy": {"chief": 1, "ps": 1, "evaluator": 1},
    "async": {"chief": 1, "worker": 1, "ps": 1},
}


def main(chosen: list[str]) -> None:
    golden = json.loads(GOLDEN.read_text()) if chosen else {}
    local = [case for case in chosen if case not in CLUSTERS]
    with tempfile.TemporaryDirectory() as directory:
        out = Path(directory)
        if local or not chosen:
            subprocess.run([sys.executable, LOCAL, out / "local.json", *local], check=True)
            golden.update(json.loads((out / "local.json").read_text()))
        for case, jobs in CLUSTERS.items():
            if case in chosen or not chosen:
                golden[case] = run_case(case, jobs, out)
    lines = (f"{json.dumps(name)}: {json.dumps(value)}" for name, value in golden.items())
    GOLDEN.write_text("{\n" + ",\n".join(lines) + "\n}\n")


def run_case(case: str, jobs: dict[str, int], out: Path) -> list[float]:
    """Train on a cluster, and return the numbers of its first trainer."""
    (out / case).mkdir()
    run_cluster(jobs, [str(CLUSTER), case], out / case)
    first = "chief-0" if "chief" in jobs else "worker-0"
    result = json.loads((out / case / f"{case}.{first}.json").read_text())
    assert result["tensorflow"] == "2.15.1"
    numbers: list[float] = result["weights" if case == "async" else "losses"]
    return numbers


if __name__ == "__main__":
    main(sys.argv[1:])
