"""The examples and exported scripts as plain processes, with ``TF_CONFIG`` set by hand."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from mwtutor.run.request.options import LaunchRequest
from mwtutor.sessions.export import write_script
from mwtutor.sessions.result import Cell
from mwtutor.system.ports import HeldPorts

pytestmark = [pytest.mark.e2e, pytest.mark.tensorflow]

ROOT = Path(__file__).parents[2]

MODEL = """
tf.keras.utils.set_random_seed(7)
model = tf.keras.Sequential([tf.keras.layers.Dense(3, input_shape=(4,))])
model.compile(loss="mse", optimizer="sgd")
"""


def by_hand(program: Path, place: Path, *args: str) -> list[str]:
    """Run a program as both workers of a cluster; return the output of each."""
    logs = [place / f"worker-{index}.log" for index in (0, 1)]
    started = []
    with HeldPorts(2) as held:
        cluster = {"worker": held.addresses}
        try:
            for index, log in enumerate(logs):
                config = {"cluster": cluster, "task": {"type": "worker", "index": index}}
                env = {
                    **os.environ,
                    "TF_CONFIG": json.dumps(config),
                    "TF_GRPC_REUSE_PORT": "1",
                    "CUDA_VISIBLE_DEVICES": "-1",
                    "PYTHONPATH": str(ROOT),
                }
                with log.open("w") as out:
                    command = [sys.executable, program, *args]
                    started.append(subprocess.Popen(command, env=env, stdout=out, stderr=out))
            codes = [process.wait(timeout=240) for process in started]
        finally:
            for process in started:
                process.kill()
                process.wait()
    assert codes == [0, 0], logs[0].read_text()[-3000:] + logs[1].read_text()[-3000:]
    return [log.read_text() for log in logs]


@pytest.mark.full
@pytest.mark.parametrize(
    ("example", "last"), [("main.py", "test images: "), ("custom_loop.py", "final loss ")]
)
def test_an_example_ends_with_the_same_on_both_workers(tmp_path, example, last):
    printed = by_hand(ROOT / "examples" / example, tmp_path)
    results = {text.split(last)[1].split()[0] for text in printed}
    assert len(results) == 1


@pytest.mark.parametrize("keras", ["auto", pytest.param("2", marks=pytest.mark.full)])
def test_an_exported_script_trains(tmp_path, keras):
    cells = [
        Cell(MODEL, scope=True),
        Cell("model.fit(tf.ones([8, 4]), tf.ones([8, 3]), batch_size=8, verbose=0)"),
        Cell("print('trained', type(model).__module__, float(tf.reduce_sum(model.weights[0])))"),
    ]
    write_script(cells, tmp_path / "main.py", LaunchRequest("", keras=keras))
    printed = by_hand(tmp_path / "main.py", tmp_path)
    (trained,) = {text.split("trained ")[1].split("\n")[0] for text in printed}
    assert keras == "auto" or not trained.startswith("keras.src.models")
