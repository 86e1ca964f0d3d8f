"""Write ``golden/estimator_numbers.json``: what the Estimator of TensorFlow 2.15.1 itself computes.

Run it with a Python that has TensorFlow 2.15.1. No part of mwtutor takes part.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TESTS))

from plain_cluster import run_cluster  # noqa: E402

LOCAL = TESTS / "programs" / "estimator_local.py"
CLUSTER = TESTS / "programs" / "estimator_cluster.py"
GOLDEN = TESTS / "golden" / "estimator_numbers.json"
CLUSTERS = {
    "multi_worker": {"worker": 2, "evaluator": 1},
    "chief_ps": {"chief": 1, "ps": 1},
    "chief_ps_strategy": {"chief": 1, "ps": 1, "evaluator": 1},
    "async": {"chief": 1, "worker": 1, "ps": 1},
}


def main() -> None:
    golden = {}
    with tempfile.TemporaryDirectory() as directory:
        out = Path(directory)
        subprocess.run([sys.executable, LOCAL, out / "local.json"], check=True)
        golden.update(json.loads((out / "local.json").read_text()))
        for case, jobs in CLUSTERS.items():
            (out / case).mkdir()
            run_cluster(jobs, [sys.executable, str(CLUSTER), case], out / case)
            first = "chief-0" if "chief" in jobs else "worker-0"
            result = json.loads((out / case / f"{case}.{first}.json").read_text())
            assert result["tensorflow"] == "2.15.1"
            golden[case] = result["weights" if case == "async" else "losses"]
    lines = (f"{json.dumps(name)}: {json.dumps(value)}" for name, value in golden.items())
    GOLDEN.write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
