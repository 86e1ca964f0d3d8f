"""``.ci/run`` with a ``make`` that does nothing: its reports on legs that pass, and on one that
fails."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

TEST = "tests/e2e/test_launch.py::test_it[a b]"

#: A make that fails, as pytest does, if its arguments contain what FAILS says. The environments
#: that it makes have a Python that only reruns tests, and ends as AGAIN says.
_MAKE = """\
#!/bin/sh
echo "$*" >> calls
for made in .venv .venv-old .venv-keras3-oldest; do
    mkdir -p $made/bin
    printf '#!/bin/sh\\necho "$*" >> again\\nexit $AGAIN\\n' > $made/bin/$$
    chmod +x $made/bin/$$
    mv $made/bin/$$ $made/bin/python  # at once: another make's leg may be executing it
done
echo "===== 3 passed, 1 skipped in 2.00s (0:00:02) ====="
[ "$FAILS" ] || exit 0
case " $* " in *" $FAILS "*)
    echo "=== FAILURES ==="
    echo "a traceback"
    echo "$FAILED" | sed '/./s/.*/FAILED & - assert 1 == 2/'
    exit 1;;
esac
"""


@pytest.fixture
def ci(tmp_path):
    """``.ci/run`` in its own folder, which has every interpreter and every tool."""
    (tmp_path / ".ci").mkdir()
    shutil.copy(ROOT / ".ci" / "run", tmp_path / ".ci")
    programs = tmp_path / "bin"
    programs.mkdir()
    texts = {
        "make": _MAKE,
        "python3.12": "#!/bin/sh\n",
        "id": "#!/bin/sh\necho 0\n",
        "apt-get": '#!/bin/sh\necho "$1" >> installs\n',
    }
    for name, text in texts.items():
        (programs / name).write_text(text)
        (programs / name).chmod(0o755)
    for name in ("python3.11", "python3.10"):
        shutil.copy(programs / "python3.12", programs / name)

    def run(
        fails: str = "", failed: str = TEST, again: int = 1
    ) -> subprocess.CompletedProcess[str]:
        path = f"{programs}:{os.environ['PATH']}"
        told = {"FAILS": fails, "FAILED": failed, "AGAIN": str(again)}
        env = {**os.environ, "PATH": path, **told}
        command = ["bash", tmp_path / ".ci" / "run"]
        return subprocess.run(command, env=env, capture_output=True, text=True, timeout=60)

    return run


def test_every_leg_says_how_long_it_took(ci, tmp_path):
    done = ci()
    assert done.returncode == 0, done.stdout + done.stderr
    took = re.findall(
        r"^== make (.+?) (?:\w+_)?PYTHON=.*: passed in \d+ min \d+ s"
        r" \(3 passed, 1 skipped in 2.00s \(0:00:02\)\)$",
        done.stdout,
        re.M,
    )
    assert sorted(took) == sorted(
        [
            "demo", "lint", "docs package", "test", "test-all AFTER=test",
            "test-extra WHAT=old", "test-extra WHAT=keras3-oldest", "test-extra WHAT=browser",
        ]
    )  # fmt: skip
    assert re.search(r"^== all of it: \d+ min", done.stdout.splitlines()[-1])


@pytest.mark.parametrize(("fails", "environment"), [("test", ".venv"), ("WHAT=old", ".venv-old")])
def test_a_leg_that_fails_says_first_what_failed_and_how_to_run_it_alone(
    ci, tmp_path, fails, environment
):
    done = ci(fails)
    assert done.returncode == 1
    _, failed = done.stdout.split(": FAILED after ")
    lines = failed.splitlines()[1:]
    assert lines[:2] == [
        f"   FAILED {TEST} - assert 1 == 2",
        f"   alone: {environment}/bin/python -m pytest -m '' '{TEST}'",
    ]
    assert re.match(rf"   this leg: make .*\b{fails}\b", lines[2])
    assert "a traceback" in lines[3:]
    assert "all of it" not in done.stdout


def test_a_test_that_passes_when_it_is_run_again_is_named_as_flaky(ci, tmp_path):
    done = ci("test", again=0)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"\n   FLAKY, a bug to find: failed once, and passed when run again alone: {TEST}\n" in (
        done.stdout
    )
    assert "a traceback" in done.stdout
    assert (tmp_path / "again").read_text() == f"-m pytest -m  {TEST}\n"


def test_three_tests_that_fail_are_no_accident(ci, tmp_path):
    done = ci("test", failed="\n".join(f"tests/test_{n}.py::test_it" for n in "abc"), again=0)
    assert done.returncode == 1
    assert not (tmp_path / "again").exists()


def test_a_leg_that_fails_without_a_failed_test_has_failed(ci, tmp_path):
    assert ci("lint", failed="", again=0).returncode == 1
    assert not (tmp_path / "again").exists()


def test_a_browser_that_is_missing_is_installed_and_its_leg_skipped_if_that_does_not_help(
    ci, tmp_path
):
    done = ci("chromium")
    assert done.returncode == 0, done.stdout + done.stderr
    assert (tmp_path / "installs").read_text().split() == ["update", "install"]
    assert "== make test-extra WHAT=browser SKIPPED: " in done.stdout
    assert "SKIPPED" not in ci().stdout
    assert (tmp_path / "installs").read_text().split() == ["update", "install"]
