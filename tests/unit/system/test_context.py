"""What a task inherits reaches a plain process complete, whatever its fields."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass

from mwtutor.system.child import ProcessContext

#: Imports what makes a temporary directory, as matplotlib does for an account without a home.
SERVER = """
import atexit, os, shutil, tempfile
from mwtutor.system import child
made = tempfile.mkdtemp()
atexit.register(shutil.rmtree, made)
if (task := os.fork()) == 0:
    child.fresh_state()
    child.leave(0)
os.waitpid(task, 0)
print(os.path.isdir(made), made)
"""


@dataclass(frozen=True)
class WithNice(ProcessContext):
    nice: int = 0


def test_a_new_field_reaches_a_plain_process():
    here = WithNice({"A": "b"}, "/", 0o22, {"7": (64, 128)}, nice=5)
    assert WithNice.from_json(json.loads(json.dumps(here.to_json()))) == here


def test_a_task_leaves_the_temporary_directories_of_the_fork_server():
    printed = subprocess.run([sys.executable, "-c", SERVER], capture_output=True, text=True)
    there, made = printed.stdout.split()
    assert (there, printed.stderr) == ("True", "")
    assert not os.path.exists(made)
