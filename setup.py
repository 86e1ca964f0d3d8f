"""Build settings beyond pyproject.toml: the wheel's course, and the page that a registry shows."""

import re
import runpy
import shutil
import sys
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

if sys.platform == "win32":
    sys.exit("mwtutor needs Linux. Install it in WSL, the Windows Subsystem for Linux.")

HERE = Path(__file__).parent

#: The page of the repository, to which the links of the registry's page lead. The repository has no
#: page yet.
ADDRESS = ""


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


def long_description() -> str:
    """README; its links into the repository lead to that page, or are plain text without one."""

    def absolute(link: re.Match) -> str:
        picture, words, to = link.groups()
        if not ADDRESS:
            return "" if picture else words
        return f"{picture}[{words}]({ADDRESS}/{'raw' if picture else 'blob'}/main/{to})"

    readme = (HERE / "README.md").read_text(encoding="utf-8")
    return re.sub(r"(!?)\[([^]]+)\]\((?!https?:)([^)]+)\)", absolute, readme)


setup(
    cmdclass={"build_py": BuildWithCourse},
    long_description=long_description(),
    long_description_content_type="text/markdown",
    project_urls={"Source": ADDRESS} if ADDRESS else {},
)
