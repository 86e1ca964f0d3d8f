"""Solutions of writing tasks give the same results as TensorFlow."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.course.lesson import ROOT


@pytest.mark.full  # half a minute, most of it TensorFlow's import
@pytest.mark.tensorflow
def test_solutions_give_what_tensorflow_does():
    command = [sys.executable, "-m", "tests.course.true_to_tensorflow"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
