"""The Slurm engine without Slurm: its script, and the requests that it rejects."""

from __future__ import annotations

import subprocess

import pytest

from mwtutor import launcher
from mwtutor.cli import main
from mwtutor.engines.slurm.task import Lines
from mwtutor.exceptions import LaunchFailed, NotSupported
from mwtutor.run.record.store import Store
from mwtutor.run.request.option_kinds import row
from mwtutor.run.request.options import LaunchRequest


@pytest.fixture
def program(work, write, monkeypatch):
    """A command that the system finds under this name."""
    monkeypatch.setenv("PATH", f"{work / 'bin'}:/usr/bin:/bin")

    def add(name: str, script: str) -> None:
        write(f"bin/{name}", f"#!/bin/sh\n{script}\n").chmod(0o755)

    return add


def test_a_dry_run_shows_the_script_and_submits_nothing(work, write, program, capsys):
    program("sbatch", "exit 1")
    write("main.py", "")
    line = "launch 3 main.py --chief --ps 1 --on slurm --dry-run --timeout 60 --name demo"
    assert main(line.split()) == 0
    script = capsys.readouterr().out
    assert subprocess.run(["bash", "-n"], input=script, text=True).returncode == 0
    assert "#SBATCH --ntasks=5\n" in script
    assert "#SBATCH --time=0-00:03:00\n" in script, "the run's own time, and some to end in order"
    assert "#SBATCH --job-name=demo\n" in script
    assert f"slurm {work}/.mwtutor/runs/RUN\n" in script
    assert not Store().root.exists()


def test_nothing_is_handed_over_on_this_machine(work, write, capsys):
    write("main.py", "")
    assert main(["launch", "2", "main.py", "--dry-run"]) == 2
    assert "The local engine does not submit" in capsys.readouterr().err


@pytest.mark.parametrize(
    "asked",
    [
        {"network": "private"},
        {"gpus_per_worker": 1},
        {"share_gpus": True},
        {"with_": "horovod"},
        {"oversubscribe": True},
    ],
)
def test_what_it_has_no_use_for_is_refused(work, write, program, asked):
    program("sbatch", "exit 1")
    write("main.py", "")
    (name,) = asked
    with pytest.raises(
        NotSupported, match=f"The slurm engine does not support {row(LaunchRequest, name).label}"
    ):
        launcher.start(LaunchRequest("main.py", on="slurm", **asked))
    assert not list(Store().directories())


def test_a_machine_without_slurm(work, write, monkeypatch):
    write("main.py", "")
    monkeypatch.setenv("PATH", str(work))
    with pytest.raises(NotSupported, match="Slurm is not available here: sbatch was not found"):
        launcher.start(LaunchRequest("main.py", on="slurm"))


def test_a_job_that_is_refused_leaves_nothing(work, write, program):
    program(
        "sbatch", "echo 'sbatch: error: Batch job submission failed: Quota reached.' >&2; exit 1"
    )
    write("main.py", "")
    with pytest.raises(LaunchFailed, match=r"refused the job: Batch job .* Quota reached") as error:
        launcher.start(LaunchRequest("main.py", on="slurm"))
    assert "nothing was submitted" in error.value.remedy
    assert not list(Store().directories())


def test_a_number_from_a_command_that_failed_is_no_job(work, write, program):
    write("main.py", "")
    program("sbatch", "echo 7; echo 'sbatch: error: Socket timed out' >&2; exit 1")
    with pytest.raises(LaunchFailed, match="Socket timed out"):
        launcher.start(LaunchRequest("main.py", on="slurm"))


def test_a_controller_that_does_not_answer_is_no_end_of_a_run(work, write, program):
    program("sbatch", "echo 7")
    program("scontrol", "echo 'Unable to contact slurm controller' >&2; exit 1")
    write("main.py", "")
    run = launcher.start(LaunchRequest("main.py", on="slurm")).run
    assert run.state.status == "unknown"
    assert run.state.doubt.endswith("cannot be determined from here: Slurm does not answer here")
    assert run.outcome is None


def test_a_job_that_waits_says_why(work, write, program, capsys):
    program("sbatch", "echo 7")
    program("scontrol", "echo JobId=7 JobState=PENDING Reason=QOSMaxJobsPerUserLimit")
    program("scancel", "test $1 = 7")
    write("main.py", "")
    run = launcher.start(LaunchRequest("main.py", on="slurm")).run
    assert run.state.status == "pending"
    assert run.state.pending == "Slurm's job 7 has not started: QOSMaxJobsPerUserLimit"
    assert run.stop("enough").reason == "enough"


def test_half_a_line_is_read_once_it_is_whole(tmp_path):
    lines = Lines(tmp_path / "orders")
    assert lines.read() == []
    with (tmp_path / "orders").open("ab", buffering=0) as file:
        file.write(b"one\ntw")
        assert lines.read() == [b"one"]
        file.write(b"o\n")
        assert lines.read() == [b"two"]
