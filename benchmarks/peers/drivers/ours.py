"""mwtutor, with its fork server warm, as it is a few seconds after ``%load_ext mwtutor``."""

import sys
from pathlib import Path

from driving import drive

import mwtutor

Path("nothing.py").touch()
mwtutor.launch("nothing.py", 1, name="warm").wait()


def launch(workers: int) -> None:
    mwtutor.launch("main.py", workers, keras=sys.argv[2], oversubscribe=True).wait()


drive(launch)
