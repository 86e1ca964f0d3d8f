"""Programs that end because of their arguments, and the advice about each."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

import pytest

from mwtutor.worker.advice import missing_arguments
from tests.unit.worker.task import as_task

PARSED = "import argparse\nparser = argparse.ArgumentParser()\n"

#: The program, and the advice.
EXITS = {
    "named": (
        PARSED + "parser.add_argument('--task_index', '-t', type=int, required=True)\n"
        "parser.add_argument('--job_name', required=True)\nparser.parse_args()",
        "The program needs --task_index, --job_name, which were not given. Give each task its own"
        " arguments with --args-per-task '--task_index {index} --job_name {type}'.",
    ),
    "classic": (
        PARSED + "for name in ('ps_hosts', 'worker_hosts', 'job_name', 'task_index'):\n"
        "    parser.add_argument('--' + name, required=True)\nparser.parse_args()",
        "The program needs --ps_hosts, --worker_hosts, --job_name, --task_index, which were not"
        " given. Give each task its own arguments with --args-per-task '--ps_hosts {ps}"
        " --worker_hosts {worker} --job_name {type} --task_index {index}'; --ps 1 adds a parameter"
        " server.",
    ),
    "by_place": (
        PARSED + "parser.add_argument('index', type=int)\nparser.parse_args()",
        "The program needs index, which was not given. Give each task its own arguments"
        " with --args-per-task '{index}'.",
    ),
    "mixed": (
        PARSED + "parser.add_argument('--data', required=True)\n"
        "parser.add_argument('--rank', required=True)\nparser.parse_args()",
        "The program needs --data, --rank, which were not given. Give each task its own arguments"
        " with --args-per-task '--rank {index}', and the others after --.",
    ),
    "nothing_of_a_task": (
        PARSED + "parser.add_argument('--data', required=True)\nparser.parse_args()",
        "The program needs --data, which was not given. Pass it after the program:"
        " -- --data VALUE.",
    ),
    "nothing_of_a_task_twice": (
        PARSED + "parser.add_argument('source')\n"
        "parser.add_argument('--out', required=True)\nparser.parse_args()",
        "The program needs source, --out, which were not given. Pass them after the program:"
        " -- VALUE --out VALUE.",
    ),
    "absl": (
        "from absl import app, flags\nflags.DEFINE_integer('task_index', None, 'which')\n"
        "flags.mark_flag_as_required('task_index')\napp.run(print)",
        "The program needs --task_index, which was not given. Give each task its own arguments"
        " with --args-per-task '--task_index {index}'.",
    ),
    "own_usage": (
        "import sys\nif len(sys.argv) != 3:\n    print('main.py INDEX TYPE')\n    sys.exit(1)",
        "The program exited because of its arguments. Pass its arguments after --; for arguments"
        " that differ from task to task, use, for example, --args-per-task '{index} {type}'.",
    ),
    "help": (PARSED + "parser.print_help()\nparser.exit()", ""),
    "unknown_value": (
        PARSED + "parser.add_argument('--n', type=int, default='x')\nparser.parse_args()",
        "",
    ),
    "another_cause": (
        "import sys\nif len(sys.argv) < 9:\n    n = 3\nif n == 3:\n    sys.exit(4)",
        "",
    ),
}


@pytest.mark.parametrize("name", EXITS)
def test_a_program_is_told_which_arguments_it_wants(name, tmp_path: Path, monkeypatch):
    source, words = EXITS[name]
    path = tmp_path / "main.py"
    path.write_text(source)
    monkeypatch.setattr(sys, "argv", ["main.py"])
    monkeypatch.delenv("TF_CONFIG", raising=False)
    with pytest.raises(SystemExit) as raised:
        runpy.run_path(str(path), run_name="__main__")
    assert missing_arguments.advise(raised.value) == words


def test_it_is_printed_and_reported(work):
    source, words = EXITS["by_place"]
    ended = as_task(work, source)
    assert ended.status == 2
    assert ended.printed.endswith(
        f"the following arguments are required: index\nmwtutor: {words}\n"
    )
    assert ended.told[-1]["event"] == "program_ended"
    assert ended.told[-1]["advice"] == words


def test_nothing_is_said_of_other_exits(work):
    ended = as_task(work, "import sys; sys.exit(3)")
    assert (ended.status, ended.printed, ended.told[-1]["advice"]) == (3, "", "")
