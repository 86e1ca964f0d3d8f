"""Build a wheel and an sdist in ``dist``, inspect them, and use the wheel as a learner would.

    python scripts/check_package.py [--dependencies]

The wheel is installed into a new environment. It uses the dependencies of the environment that runs
this script, because installing TensorFlow again takes minutes; with ``--dependencies``, pip
installs them, as for a learner.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import venv
import zipfile
from pathlib import Path

import mwtutor
from mwtutor.exercises.course_files import files

ROOT = Path(__file__).parents[1]
DIST = ROOT / "dist"


def main(*options: str) -> None:
    wheel, sdist = build()
    look_into(wheel, sdist)
    read_recipe()
    with tempfile.TemporaryDirectory(prefix="mwtutor-package-") as made:
        use(install(wheel, Path(made), "--dependencies" in options), Path(made))
    print(f"{wheel.name} and {sdist.name} are in {DIST}.")


def run(*words: object, **options: object) -> str:
    """The output of a program; if it fails, the script ends."""
    print("$", *words, flush=True)
    done = subprocess.run([*map(str, words)], stdout=subprocess.PIPE, text=True, **options)
    if done.returncode:
        sys.exit(f"{done.stdout}\nIt failed with status {done.returncode}.")
    return done.stdout


def build() -> tuple[Path, Path]:
    """The wheel, built from the sdist, and the sdist."""
    shutil.rmtree(DIST, ignore_errors=True)
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", DIST, ROOT)
    (wheel,), (sdist,) = DIST.glob("*.whl"), DIST.glob("*.tar.gz")
    run(sys.executable, "-m", "twine", "check", "--strict", wheel, sdist)
    return wheel, sdist


def look_into(wheel: Path, sdist: Path) -> None:
    """Check that both contain the expected files, and the wheel no others."""
    package = {
        str(path.relative_to(ROOT))
        for path in ROOT.glob("mwtutor/**/*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    course = {f"mwtutor/_course/{path}" for path in files(ROOT)}
    with zipfile.ZipFile(wheel) as archive:
        inside = {name for name in archive.namelist() if ".dist-info/" not in name}
        (metadata,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        page = archive.read(metadata).decode()
    complain("A registry's page cannot follow", set(re.findall(r"\]\((?!https?:)[^)]*\)", page)))
    complain("The wheel lacks", (package | course) - inside)
    complain("The wheel should not have", inside - package - course)
    with tarfile.open(sdist) as archive:
        inside = {name.partition("/")[2] for name in archive.getnames()}
    wanted = package | set(map(str, files(ROOT)))
    if (ROOT / ".git").exists():  # this is the repository, not the content of an sdist
        wanted |= set(run("git", "ls-files", "-z", cwd=ROOT).split("\0")[:-1])
    complain("The sdist lacks", wanted - inside)


def read_recipe() -> None:
    """Check that rattler-build accepts the conda recipe; its error names the line."""
    from rattler_build import Stage0Recipe

    (variant,) = Stage0Recipe.from_file(ROOT / "conda" / "recipe.yaml").render()
    print(f"rattler-build accepts the recipe of {variant.recipe.package.name}.")


def complain(what: str, names: set[str]) -> None:
    if names:
        sys.exit(f"{what} {', '.join(sorted(names))}.")


def install(wheel: Path, folder: Path, dependencies: bool) -> Path:
    """The directory of programs in a new environment with the wheel."""
    venv.create(folder / "env", with_pip=True)
    programs = folder / "env" / "bin"
    words = () if dependencies else ("--no-deps",)
    run(programs / "python", "-m", "pip", "install", "--quiet", *words, wheel)
    if not dependencies:
        (site,) = (folder / "env" / "lib").glob("*/site-packages")
        # The .pth files in that directory, such as that of an editable install, have no effect.
        (site / "lent.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return programs


def use(programs: Path, folder: Path) -> None:
    """Use the wheel as after ``pip install mwtutor``."""
    env = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    here = {"cwd": folder, "env": env}
    where = run(programs / "python", "-c", "import mwtutor; print(mwtutor.__file__)", **here)
    if folder.resolve() not in Path(where.strip()).resolve().parents:
        sys.exit(f"This is not the wheel's mwtutor: {where}")
    if run(programs / "mwtutor", "--version", **here) != f"mwtutor {mwtutor.__version__}\n":
        sys.exit("The wheel and the repository have different versions.")
    run(programs / "mwtutor", "lessons", "course", **here)
    course = folder / "course"
    complain("mwtutor lessons does not copy", {*map(str, files(ROOT))} - {*map(str, files(course))})
    here["cwd"] = course / "examples"
    words = ("launch", "2", "main.py", "--", "--epochs", "1", "--steps", "5")
    print(run(programs / "mwtutor", *words, **here))


if __name__ == "__main__":
    main(*sys.argv[1:])
