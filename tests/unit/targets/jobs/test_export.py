"""The files for other schedulers: their content, and what is rejected."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from mwtutor.cli import main
from mwtutor.exceptions import BadInput
from mwtutor.run.request.option_kinds import rows
from mwtutor.run.request.options import LaunchRequest
from mwtutor.system.plugins import TARGETS
from mwtutor.targets.jobs import yaml as ours
from mwtutor.targets.jobs.export import Order, Resources, target

GOLDEN = Path(__file__).parents[3] / "golden" / "targets"

#: Every file, and the command that prints it. Executed as a module, this file writes them.
LINES = {
    "plain.sbatch": "2 main.py --to slurm",
    "roles.sbatch": "2 main.py --to slurm --chief --ps 1 --evaluator --queue long --timeout 5400",
    "restarted.sbatch": "4 main.py --to slurm --restarts 2 --gpus-per-worker 1 --comm nccl --cpus 3"
    " --memory 16 --env 'NAME=a $b' -- --epochs 3 'two words'",
    "plain.yaml": "2 main.py --to kubernetes --image digits:1",
    "roles.yaml": "2 main.py --to kubernetes --image digits:1 --chief --ps 1 --evaluator --keras 2"
    " --queue team --timeout 60 --grace 30 --memory 4 --cpus 2 --name demo --env 'PRICE=$5'",
    "jobset.yaml": "2 main.py --to jobset --image digits:1 --chief --ps 1 --evaluator --restarts 3"
    " --gpus-per-worker 2 --comm nccl --queue team --cwd /code -- '$(HOME)'",
    "skypilot.yaml": "2 -m pkg.train --to skypilot --ps 1 --chief --restarts 2 --cpus 4 --memory 8"
    " --image digits:1 --env 'A=b c' -- --epochs 3",
}

#: The directory in which the stored files were printed.
HOME = "/home/ada/digits"


def printed(line: str, capsys: pytest.CaptureFixture[str]) -> str:
    import shlex

    assert main(["export", *shlex.split(line)]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("name", LINES)
def test_a_file_is_as_it_was(name, work, write, capsys):
    write("main.py", "")
    found = printed(LINES[name].replace(" --to", " --python python3 --to"), capsys)
    assert found.replace(str(work), HOME) == (GOLDEN / name).read_text()


@pytest.mark.parametrize("name", [name for name in LINES if name.endswith(".sbatch")])
def test_a_script_is_one(name):
    assert subprocess.run(["bash", "-n", GOLDEN / name]).returncode == 0


def objects(name: str) -> list[dict]:
    return list(yaml.safe_load_all((GOLDEN / name).read_text()))


@pytest.mark.parametrize("name", ["plain.yaml", "roles.yaml", "jobset.yaml"])
def test_manifests_are_what_kubernetes_knows(name):
    import kubernetes_validate  # takes seconds, because it reads a grammar

    known = [one for one in objects(name) if one["kind"] != "JobSet"]
    for jobset in [one for one in objects(name) if one["kind"] == "JobSet"]:
        for job in jobset["spec"]["replicatedJobs"]:  # the defaults of a JobSet
            whole = {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": job["name"]}}
            known.append({**whole, **job["template"]})
    assert len(known) > 2
    for one in known:
        kubernetes_validate.validate(one, "1.32", strict=True)


def test_pods_meet_before_they_are_ready_and_let_only_peers_in():
    service, policy, job = objects("plain.yaml")
    assert service["spec"]["publishNotReadyAddresses"] is True
    assert service["spec"]["clusterIP"] == "None"
    labels = job["spec"]["template"]["metadata"]["labels"]
    (entry,) = policy["spec"]["ingress"]
    for selected in (service["spec"]["selector"], policy["spec"]["podSelector"]["matchLabels"],
                     *(peer["podSelector"]["matchLabels"] for peer in entry["from"])):  # fmt: skip
        assert selected == labels
    assert job["spec"]["template"]["spec"]["subdomain"] == service["metadata"]["name"]
    _, jobset = objects("jobset.yaml")
    assert jobset["spec"]["network"]["publishNotReadyAddresses"] is True


def test_a_failure_ends_or_restarts_all_pods():
    job = objects("plain.yaml")[2]["spec"]
    assert (job["backoffLimit"], job["template"]["spec"]["restartPolicy"]) == (0, "Never")
    jobset = objects("jobset.yaml")[1]["spec"]
    assert jobset["failurePolicy"] == {"maxRestarts": 3}
    assert {one["template"]["spec"]["backoffLimit"] for one in jobset["replicatedJobs"]} == {0}


def test_only_tasks_that_compute_have_gpus():
    jobs = {one["name"]: one["template"]["spec"]["template"]["spec"]["containers"][0]
            for one in objects("jobset.yaml")[1]["spec"]["replicatedJobs"]}  # fmt: skip
    gpus = {name: one.get("resources", {}).get("limits", {}) for name, one in jobs.items()}
    assert gpus == {"chief": {"nvidia.com/gpu": "2"}, "worker": {"nvidia.com/gpu": "2"},
                    "ps": {}, "evaluator": {}}  # fmt: skip


def test_a_queue_is_kueues():
    for kind in ("roles.yaml", "jobset.yaml"):
        *_, job = objects(kind)
        assert job["metadata"]["labels"]["kueue.x-k8s.io/queue-name"] == "team"
        assert job["spec"]["suspend"] is True


def test_a_queue_that_no_label_can_name_is_refused(work, write):
    write("main.py", "")
    asked = Resources(image="digits:1", queue="team!")
    with pytest.raises(BadInput, match="--queue cannot be 'team!' in Kubernetes"):
        target("kubernetes").render(Order(LaunchRequest(str(work / "main.py")), asked))


#: A value for each option that requests something.
ASKED = {
    "args": ("--x",), "args_per_task": "--index {index}", "module": True, "chief": True,
    "ps": 1, "evaluator": True, "name": "demo",
    "cwd": "/tmp", "env": {"A": "b"}, "keras": "2", "threads": 2, "python": "/opt/python",
    "cold": True, "timeout": 60.0, "grace": 5.0, "network": "host", "restarts": 2, "elastic": "1:2",
    "gpus_per_worker": 0, "share_gpus": True, "evaluator_gpus": 1, "comm": "ring",
    "partition": "256KiB", "machines": True, "link": "1gbit", "with_": "horovod",
    "oversubscribe": True, "no_ledger": True, "workers": 3, "image": "other:2", "cpus": 2,
    "memory": 3, "queue": "team",
}  # fmt: skip


@pytest.mark.parametrize("name", TARGETS.built_in)
def test_every_option_changes_the_file_or_is_refused(name, work, write):
    write("main.py", "")
    image = {"image": "digits:1"} if name in ("kubernetes", "jobset") else {}
    launches = [
        row
        for row in rows(LaunchRequest)
        if row.name not in ("program", "on") and "launch" in row.verbs
    ]

    def render(launch: dict, resources: dict) -> str:
        program = "main" if launch.get("module") else str(work / "main.py")
        return target(name).render(
            Order(LaunchRequest(program, **launch), Resources(**{**image, **resources}))
        )

    for row in (*launches, *rows(Resources)):
        assert row.name in ASKED, f"give ASKED here a value of {row.label}"
        asked = {row.name: ASKED[row.name]}
        if f"{name} file" not in row.where:
            with pytest.raises(BadInput, match=f"{row.label} has no meaning .* for {name}"):
                render(*((asked, {}) if row in launches else ({}, asked)))
            continue
        # An evaluator has GPUs where there are any.
        others = {"evaluator": True} if row.name == "evaluator_gpus" else {}
        plain = render(others, {})
        changed = render(*(({**others, **asked}, {}) if row in launches else ({}, asked)))
        # Plain processes are the default there.
        assert (changed != plain) is (row.name != "cold"), (
            f"{row.label} says nothing to {name}, though its row says so"
        )


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("2 main.py", "No export target was given"),
        ("2 main.py --to moon", "--to cannot be 'moon'"),
        ("main.py --to slurm", "'main.py' is not a number"),
        ("2 nowhere.py --to slurm", "There is no file"),
        ("2 main.py --to slurm --cwd nowhere", "There is no directory"),
        ("2 main.py --to slurm --ps 1 --gpus-per-worker 1", "every task of a step GPUs"),
        ("2 main.py --to slurm --comm nccl", "NCCL connects GPUs, but none were requested"),
        ("2 main.py --to kubernetes", "Kubernetes starts container images, but none was named"),
        ("2 main.py --to kubernetes --image x --name A_b", "--name cannot be 'A_b' in Kubernetes"),
        ("2 main.py --to kubernetes --image x --restarts 1", "--restarts has no meaning"),
        ("2 main.py --to skypilot --gpus-per-worker 1", "GPUs by their type"),
        ("2 main.py --to slurm --epochs 3", "unknown argument '--epochs'"),
    ],
)
def test_what_is_wrong_is_said(line, problem, work, write, capsys):
    write("main.py", "")
    assert main(["export", *line.split()]) == 2
    assert problem in capsys.readouterr().err


def test_times_are_never_shorter_than_asked_for():
    from mwtutor.targets.jobs.slurm import _days

    assert [_days(s) for s in (1, 60, 61, 90000)] == [
        "0-00:01:00", "0-00:01:00", "0-00:02:00", "1-01:00:00"]  # fmt: skip


_VALUES = st.recursive(
    st.text(st.characters(exclude_categories=["Cs"])) | st.booleans() | st.integers(),
    lambda inner: (
        st.lists(inner, min_size=1)
        | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), inner, min_size=1)
    ),
    max_leaves=12,
)


@given(st.dictionaries(st.sampled_from(["a", "on", "x y", ""]), _VALUES, min_size=1))
def test_what_is_written_is_read_again(value):
    # A list in a list, which no manifest has, begins on the line of its dash.
    assert yaml.safe_load(ours.dump(value)) == value


def test_text_that_yaml_cannot_hold_is_said():
    with pytest.raises(BadInput, match="cannot be written to a YAML file"):
        ours.dump({"a": "\udc80"})


def _write() -> None:
    import contextlib
    import io
    import os
    import shlex
    import tempfile

    GOLDEN.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place:
        os.chdir(place)
        Path("main.py").write_text("")
        for name, line in LINES.items():
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                assert (
                    main(["export", *shlex.split(line.replace(" --to", " --python python3 --to"))])
                    == 0
                )
            (GOLDEN / name).write_text(out.getvalue().replace(place, HOME))


if __name__ == "__main__":
    _write()
