"""Typed text arrives unchanged through the real readers of each kind of file, or is rejected."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st

from mwtutor.cli import main
from mwtutor.exceptions import BadInput
from mwtutor.run.request.options import LaunchRequest
from mwtutor.system.plugins import TARGETS
from mwtutor.targets.jobs import slurm
from mwtutor.targets.jobs.export import Order, Resources, target

#: Text that a terminal can pass: any bytes but NUL, often those that the readers treat specially.
bytes_ = st.lists(
    st.sampled_from([b"\n", b"\n\n\n", b"\r\n", b"\r", b"\\", b"'", b'"', b"$", b"#", b"\xff",
                     b"\x0b", b"\x0c", b"\x1b[31m", b"\x7f", b"\t", b" ", b"%", b"#SBATCH --x"])
    | st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=4).map(
        str.encode
    ),
    max_size=6,
)  # fmt: skip
texts = bytes_.map(lambda parts: os.fsdecode(b"".join(parts)))

#: Prints its arguments, and the variable TYPED, unchanged.
PRINTER = """\
#!/bin/bash
printf '%s\\0' "$@" "$TYPED"
"""


def is_utf8(text: str) -> bool:
    return os.fsencode(text).decode("utf-8", "replace").encode() == os.fsencode(text)


def order(name: str, python: Path, args: Sequence[str], typed: str) -> Order:
    program = str(Path(python).with_name("main.py"))
    request = LaunchRequest(program, args=args, env={"TYPED": typed}, python=python)
    return Order(request, Resources(image="" if name == "slurm" else "digits:1"))


def run(script: str, place: Path) -> list[str]:
    """The text that bash passes to the printer."""
    file = place / "script"
    file.write_bytes(script.encode())
    path = f"{place}:{os.environ['PATH']}"
    command = ["bash", str(file)]
    done = subprocess.run(command, env={**os.environ, "PATH": path}, capture_output=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.decode(errors="surrogateescape").split("\0")[:-1]


def arrived(name: str, text: str, count: int, place: Path) -> list[str]:
    """The last words of the command, and the variable, as that kind of task receives them."""
    if name == "slurm":
        found = run(text, place)
    elif name == "skypilot":
        task = yaml.safe_load(text)
        found = [*run(task["run"], place)[:-1], task["envs"]["TYPED"]]
    else:
        *_, job = yaml.safe_load_all(text)
        spec = (
            job["spec"]["replicatedJobs"][0]["template"]["spec"]
            if name == "jobset"
            else job["spec"]
        )
        (container,) = spec["template"]["spec"]["containers"]
        (variable,) = [one["value"] for one in container["env"] if one["name"] == "TYPED"]
        found = [one.replace("$$", "$") for one in (*container["command"], variable)]
    return found[-count - 1 :]


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    place = tmp_path_factory.mktemp("printer")
    for name in ("srun", "python"):
        (place / name).write_text(PRINTER)
        (place / name).chmod(0o755)
    (place / "main.py").write_text("")
    return place


@pytest.mark.parametrize("name", TARGETS.built_in)
@settings(max_examples=60)
@given(st.lists(texts, max_size=5), texts)
@example(["a\n\n\nb", "\\'", "\r\n"], "\x0b\x0c\r\x85\u2028x")
@example(["\udcff"], "")
@example([], "\udcff")
@example(["\n#SBATCH --partition=other"], "\ufeff\ud7ff\ue000\ufffe\x01")
def test_arguments_and_variables_arrive_or_are_refused(name, place, args, typed):
    try:
        text = target(name).render(order(name, place / "python", args, typed))
    except BadInput as refusal:
        assert name != "slurm", refusal
        assert not all(map(is_utf8, (*args, typed))), refusal
        assert str(refusal).startswith(("args cannot contain", "--env cannot contain"))
        return
    assert arrived(name, text, len(args), place) == [*args, typed]


def directive(line: str) -> str:
    """An ``sbatch`` line by its own rules: the text after the first ``=``."""
    found, quote, at = "", "", line.index("=") + 1
    while at < len(line):
        char = line[at]
        if char == "\\":
            at += 1
            found += line[at : at + 1]
        elif char == quote:
            quote = ""
        elif not quote and char in "'\"":
            quote = char
        elif not quote and (char.isspace() or char == "#"):
            break
        else:
            found += char
        at += 1
    return found


@settings(max_examples=300)
@given(texts)
@example("/x/back\\s")
@example('it\'s "#" and # more')
def test_a_directive_says_what_was_typed_or_is_refused(text):
    if slurm.unfit(text):
        assert "\n" in text or not is_utf8(text)
    else:
        assert directive(f"#SBATCH --comment={slurm.quote(text)}") == text


@settings(max_examples=5)
@given(st.lists(texts.filter(lambda text: not slurm.unfit(text)), min_size=30, max_size=60))
def test_sbatch_reads_a_directive_so(tmp_path_factory, texts):
    """The real ``sbatch`` shows what it read before it looks for a cluster."""
    if shutil.which("sbatch") is None:
        pytest.skip("no Slurm here: there is no sbatch (Debian: apt-get install slurm-wlm)")
    place = tmp_path_factory.mktemp("sbatch")
    (place / "slurm.conf").write_text(
        "ClusterName=none\nSlurmctldHost=localhost(127.0.0.1)\nSlurmctldPort=9\nMessageTimeout=1\n"
        "NodeName=n1\nPartitionName=debug Nodes=n1\n"
    )
    lines = [f"#SBATCH --comment={slurm.quote(text)}\n" for text in texts]
    (place / "job").write_bytes("".join(["#!/bin/bash\n", *lines, "exit\n"]).encode())
    said = subprocess.run(
        ["sbatch", "-vvvv", place / "job"],
        env={**os.environ, "SLURM_CONF": str(place / "slurm.conf")},
        capture_output=True,
        timeout=120,
    ).stderr.decode()
    found = re.findall(r'Found in script, argument "--comment=(.*?)"\nsbatch: ', said, re.S)
    assert found == texts, said[-2000:]


@pytest.mark.parametrize("name", ["back\\s", "it's", "a # b", '"', "ä", "a\tb", "$HOME", "%j"])
def test_the_directory_of_a_script_is_the_one_that_was_typed(name, work, write, capsys):
    there = work / name
    there.mkdir()
    (there / "main.py").write_text("")
    assert main(["export", "2", "main.py", "--to", "slurm", "--cwd", str(there)]) == 0
    (line,) = [line for line in capsys.readouterr().out.splitlines() if "--chdir" in line]
    assert directive(line) == str(there)


@pytest.mark.parametrize("flag", ["--cwd", "--queue", "--name"])
def test_a_refusal_names_the_option_that_was_typed(flag, work, write, capsys):
    (work / "a\nb").mkdir()
    write("main.py", "")
    assert main(["export", "2", "main.py", "--to", "slurm", flag, "a\nb"]) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"mwtutor: {flag} cannot contain 'a\\nb' in a file for slurm: ")


def test_a_directory_that_was_not_typed_is_not_called_an_option(work, monkeypatch, capsys):
    (work / "a\nb").mkdir()
    monkeypatch.chdir(work / "a\nb")
    Path("main.py").write_text("")
    assert main(["export", "2", "main.py", "--to", "slurm"]) == 2
    said = capsys.readouterr().err
    assert "The working directory cannot be" in said
    assert "--cwd DIR" in said


def test_a_queue_that_cannot_be_a_label_is_refused(work, write, capsys):
    write("main.py", "")
    words = ["export", "2", "main.py", "--to", "kubernetes", "--image", "x"]
    assert main([*words, "--queue", "two words"]) == 2
    assert "--queue cannot be 'two words' in Kubernetes" in capsys.readouterr().err


def test_a_file_is_utf_8_whatever_the_terminal_takes():
    with tempfile.TemporaryDirectory() as place:
        Path(place, "main.py").write_text("")
        words = ["export", "2", "main.py", "--to", "slurm", "--env", "TYPED=ä\udcff"]
        done = subprocess.run(
            [sys.executable, "-m", "mwtutor", *words], cwd=place, capture_output=True,
            env={**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "1"},
        )  # fmt: skip
    assert b"export TYPED=$'\xc3\xa4\\377'\n" in done.stdout, done
