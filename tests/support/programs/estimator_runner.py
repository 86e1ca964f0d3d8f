"""Run a program as mwtutor's worker does: ``estimator_runner.py PROGRAM ARGUMENT...``.

The Estimator is available if the program asks for it; the program's progress is reported to
``reported.<task>.json``.
"""

from __future__ import annotations

import json
import os
import runpy
import sys
from pathlib import Path

from mwtutor.bridges import estimator

reports: list[tuple[int, float]] = []
task = json.loads(os.environ.get("TF_CONFIG", "{}")).get("task", {"type": "local", "index": 0})
estimator.install_lazily()
estimator.report_training(lambda *, step, loss: reports.append((step, loss)))
if estimator.program_uses_estimator(Path(sys.argv[1])):
    estimator.choose_keras_2()
del sys.argv[0]
sys.path[0] = str(Path(sys.argv[0]).parent)
runpy.run_path(sys.argv[0], run_name="__main__")
Path(f"reported.{task['type']}-{task['index']}.json").write_text(json.dumps(reports))
