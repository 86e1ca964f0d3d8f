"""Which variables still act in a fork of a process with the fork server's imports.

A launch with variables that act may stay warm. Each variable that does not act has a row that
proves it: the output is the same in a fork with and without the variable, and different in a new
process. ``MKL_`` and ``KMP_`` have no rows, because nothing that pip installs reads them; a NumPy
built with MKL reads them as this one reads ``OPENBLAS_``. The loader reads ``LD_`` before a program
begins.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from mwtutor.engines.local.import_time import import_time_changes
from mwtutor.run.logs.noise import is_noise
from tests.parity.versions import keras_versions

PROBING = Path(__file__).parents[2] / "support" / "programs" / "probing.py"

THREADS = """
import ctypes, numpy
blas = ctypes.CDLL(next(line.split()[-1] for line in open("/proc/self/maps") if "blas" in line))
names = [f"{a}openblas_get_num_threads{b}" for a in ("scipy_", "") for b in ("64_", "")]
print(next(getattr(blas, name)() for name in names if hasattr(blas, name)))
"""
MEMORY = """
import ctypes
libc = ctypes.CDLL(None)
libc.malloc.restype = ctypes.c_void_p
print(ctypes.string_at(libc.malloc(5000), 5000).count(0x55) > 4000)
"""
BACKEND = """
try:
    import keras
    print(keras.backend.backend())
except ImportError:
    print("another")
"""
MULTIPLY = """
import tensorflow as tf
try:
    tf.matmul(tf.ones([2, 3]), tf.ones([2, 3]))
except Exception as error:
    print("Mkl" in str(error))
"""
SERVE = "import tensorflow as tf\ntf.distribute.Server.create_local_server()\nprint('serves')"
HAS_MATPLOTLIB = "import sys\nprint('matplotlib' in sys.modules)"
COMPILE = "import tensorflow as tf\ntf.function(tf.identity, jit_compile=True)(1)\nprint('ran')"

#: The value with the seed 5.
SEEDED = subprocess.run(
    [sys.executable, "-c", "print(hash('a'))"],
    env={"PYTHONHASHSEED": "5"},
    capture_output=True,
    text=True,
).stdout.strip()

#: TensorFlow uses oneDNN by default only on processors with such instructions.
USES_ONEDNN = re.search(r"avx(512)?_vnni|avx512_bf16|amx_", Path("/proc/cpuinfo").read_text())

#: The variable, a value, and a program that prints its effect.
NOT_IN_A_FORK = {
    "TF_CPP_MAX_VLOG_LEVEL": ("1", "import tensorflow as tf\ntf.constant(1) + 1"),
    "TF_ENABLE_ONEDNN_OPTS": ("0" if USES_ONEDNN else "1", MULTIPLY),
    "OMP_NUM_THREADS": ("1", THREADS),
    "OPENBLAS_NUM_THREADS": ("1", THREADS),
    "PYTHONHASHSEED": ("5", f"print(hash('a') == {SEEDED})"),
    "MALLOC_PERTURB_": ("170", MEMORY),
    "GLIBC_TUNABLES": ("glibc.malloc.perturb=170", MEMORY),
    "KERAS_BACKEND": ("numpy_of_nobody", BACKEND),
    "PROTOCOL_BUFFERS_PYTHON_IMPLEMENTATION": (
        "python",
        "from google.protobuf.internal import api_implementation as a\nprint(a.Type())",
    ),
    "MPLBACKEND": ("svg", "import matplotlib\nprint(matplotlib.get_backend())"),
}

ENV = {**os.environ, "CUDA_VISIBLE_DEVICES": "-1", "PYTHONPATH": str(PROBING.parents[2])}

#: The same, and the program's output if the variable does not act.
IN_A_FORK = {
    "XLA_FLAGS": ("--no_such_flag=1", COMPILE, "ran"),
    "GRPC_POLL_STRATEGY": ("no_such_strategy", SERVE, "serves"),
}


def in_new_processes(code, env):
    done = subprocess.run(
        [sys.executable, "-c", code], env={**ENV, **env}, capture_output=True, text=True
    )
    return done.stdout + done.stderr


def in_forks(*probes):
    done = subprocess.run(
        [sys.executable, PROBING, json.dumps(probes)], env=ENV, capture_output=True, text=True
    )
    return json.loads(done.stdout.splitlines()[-1])


@pytest.fixture(scope="module")
def forks():
    """The output of each program in a fork, without and with the variable."""
    variables = {**NOT_IN_A_FORK, **{name: row[:2] for name, row in IN_A_FORK.items()}}
    plan = [(code, env) for name, (value, code) in variables.items() for env in ({}, {name: value})]
    *printed, matplotlib = in_forks(*plan, (HAS_MATPLOTLIB, {}))
    found = dict(zip(variables, zip(printed[::2], printed[1::2], strict=True), strict=True))
    return {**found, HAS_MATPLOTLIB: matplotlib}


@pytest.mark.full
@pytest.mark.bridges
@pytest.mark.parametrize("name", NOT_IN_A_FORK)
def test_what_needs_a_new_process_does_nothing_in_a_fork(forks, name):
    if name == "KERAS_BACKEND" and 3 not in keras_versions():
        pytest.skip("Keras 2 has one backend")
    if name == "MPLBACKEND" and forks[HAS_MATPLOTLIB] == "False\n":
        pytest.skip("TensorFlow 2.15 does not import matplotlib")
    value, code = NOT_IN_A_FORK[name]
    without, with_it = (in_new_processes(code, env) for env in ({}, {name: value}))
    assert how_much(without) != how_much(with_it), "it does something"
    without, with_it = forks[name]
    assert how_much(without) == how_much(with_it), "it does so in a fork"
    assert import_time_changes({}, {name: value})


def how_much(printed):
    """The last line that a program itself prints, or else the number of TensorFlow's own lines."""
    own = [line for line in printed.splitlines() if not is_noise(line)]
    return own[-1] if own else len(printed.splitlines()) // 20


@pytest.mark.full
@pytest.mark.tensorflow
def test_what_acts_in_a_fork_needs_no_new_process(forks):
    for name, (value, _, said) in IN_A_FORK.items():
        without, with_it = forks[name]
        assert said in without
        assert said not in with_it, f"{name} does nothing"
        assert import_time_changes({}, {name: value}) == ""
