"""What pyproject.toml cannot say: the course goes into the wheel, for ``mwtutor lessons``."""

import runpy
import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

HERE = Path(__file__).parent


class BuildWithCourse(build_py):
    """The modules, and ``mwtutor/_course``. An editable installation has the course beside it."""

    def run(self):
        super().run()
        if self.editable_mode:
            return
        inside = Path(self.build_lib, "mwtutor", "_course")
        shutil.rmtree(inside, ignore_errors=True)
        for path in runpy.run_path(HERE / "mwtutor/exercises/course_files.py")["files"](HERE):
            (inside / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(HERE / path, inside / path)


setup(cmdclass={"build_py": BuildWithCourse})
