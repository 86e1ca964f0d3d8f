"""Proof that forking after the import of TensorFlow leaves CUDA to the children."""

from __future__ import annotations

import gc
import math
import os
import shutil
import socket
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from mwtutor.engines.local import forkserver

#: Replaces NVIDIA's driver library: records the settings that it would have to honor.
DRIVER = """
    #include <stdio.h>
    #include <stdlib.h>
    int cuInit(unsigned flags) {
      FILE *log = fopen(getenv("CUINIT_LOG"), "a");
      const char *seen = getenv("CUDA_VISIBLE_DEVICES");
      fprintf(log, "%s\\n", seen ? seen : "unset");
      fclose(log);
      return 100;  /* no device */
    }
"""

SERVER = """
    import ctypes, os
    import tensorflow as tf
    from mwtutor.engines.local import forkserver

    baseline = forkserver.Baseline.now(own=set())
    print("imported:", forkserver.cuda_is_loaded(), os.path.exists(os.environ["CUINIT_LOG"]))
    for devices in ("GPU-3c91", "5"):
        pid = os.fork()
        if not pid:
            os.environ["CUDA_VISIBLE_DEVICES"] = devices
            tf.config.list_physical_devices("GPU")
            os._exit(0)
        os.waitpid(pid, 0)
    print("forked:", forkserver.cuda_is_loaded(), baseline.broken())
    ctypes.CDLL("libcuda.so.1")
    print("opened:", baseline.broken())
"""


@pytest.mark.full
@pytest.mark.tensorflow
@pytest.mark.skipif(not shutil.which("cc"), reason="needs a C compiler")
def test_cuda_is_opened_by_the_children_and_with_their_own_variable(tmp_path: Path):
    library, log = tmp_path / "libcuda.so.1", tmp_path / "cuinit.log"
    source = tmp_path / "cuda.c"
    source.write_text(textwrap.dedent(DRIVER))
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source], check=True)
    env = {**os.environ, "LD_LIBRARY_PATH": str(tmp_path), "CUINIT_LOG": str(log)}
    env.pop("CUDA_VISIBLE_DEVICES", None)
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(SERVER)], env=env, capture_output=True, text=True
    )
    assert done.stdout.splitlines() == [
        "imported: False False",
        "forked: False ",
        "opened: CUDA has been started in the fork server",
    ], done.stderr[-2000:]
    assert log.read_text().split() == ["GPU-3c91", "5"]


def test_an_import_is_not_interrupted_to_collect_garbage_and_what_follows_is(tmp_path, monkeypatch):
    (tmp_path / "imported_uncollected.py").write_text("import gc\nCOLLECTS = gc.isenabled()\n")
    monkeypatch.syspath_prepend(tmp_path)
    forkserver._import("imported_uncollected")
    assert not sys.modules.pop("imported_uncollected").COLLECTS
    assert gc.isenabled()
    forkserver._import("a_package_that_is_not_there")
    assert gc.isenabled()


def test_a_server_that_nobody_needs_ends_after_its_time():
    ours, theirs = socket.socketpair()
    with ours, theirs:
        assert not forkserver._asked_within(theirs, 0.05)
        ours.send(b"?")
        assert forkserver._asked_within(theirs, math.inf)
    assert forkserver._patience() == math.inf, "on a machine that is not shared"


def test_a_server_hears_at_once_that_its_kernel_has_ended():
    ours, theirs = socket.socketpair()
    with theirs:
        ours.close()
        assert forkserver._asked_within(theirs, math.inf)
