"""A script for ``sbatch``: one job, one step, restarted as a whole if that was requested."""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Mapping, Sequence
from string import Template
from typing import ClassVar

from mwtutor.exceptions import BadInput
from mwtutor.run.request.option_kinds import short_repr
from mwtutor.run.request.options import directory, name_from
from mwtutor.targets.jobs.export import Order, Target, is_utf8, shell

_SCRIPT = Template("""\
#!/bin/bash
# Written by mwtutor export; submit it with sbatch.
$directives
$exports
# If one task fails, Slurm stops all of them. Tasks that only serve exit by themselves.
step=(srun$options $command)
$run
""")

#: Values that need no quotes for sbatch.
_BARE = re.compile(r"[A-Za-z0-9@%+=:,./_-]+")

_ONCE = 'exec "${step[@]}"'

#: A single restarted task would find a failed cluster, so all tasks restart.
_RESTARTED = Template("""\
for ((attempt = 1; ; attempt++)); do
    export MWTUTOR_ATTEMPT=$$((attempt + $${SLURM_RESTART_COUNT:-0}))
    "$${step[@]}" && exit 0
    status=$$?
    [ "$$MWTUTOR_ATTEMPT" -gt $restarts ] && exit "$$status"
    sleep 1
done""")


class Slurm(Target):
    """See :mod:`mwtutor.targets.jobs.slurm`."""

    name = "slurm"
    remedies: ClassVar[Mapping[str, str]] = {
        "grace": "The time between SIGTERM and SIGKILL is KillWait in Slurm's own configuration.",
        "image": "Slurm starts programs on its nodes; a plugin like pyxis starts images.",
        "evaluator_gpus": "Slurm gives every task of a step the same number of GPUs.",
    }

    def text(self, order: Order) -> str:
        request = order.request
        request.executes.read(directory(request.cwd))
        exports = [f"export {name}={shell([value])}\n" for name, value in order.env().items()]
        run = _RESTARTED.substitute(restarts=request.restarts) if request.restarts else _ONCE
        return _SCRIPT.substitute(
            directives="\n".join(f"#SBATCH {one}" for one in directives(order)),
            exports="".join(exports),
            options="".join(f" {one}" for one in step_options(order)),
            # Like the program, this interpreter is in a directory that the nodes share.
            command=shell(order.command(sys.executable)),
            run=run,
        )

    def cannot_hold(self, option: str, text: str) -> str:
        # Everything else in the script is read by bash, for which any text can be quoted.
        return unfit(text) if option in ("cwd", "name", "queue") else ""


def unfit(text: str) -> str:
    """Why a line that ``sbatch`` reads cannot contain a text, as a clause; empty if it can."""
    if "\n" in text:
        return "a directive must be one line, but this text has several"
    return "" if is_utf8(text) else "a directive must be UTF-8, but this text is not"


def quote(text: str) -> str:
    """A value quoted for ``sbatch``, which treats a backslash as an escape even inside quotes."""
    if _BARE.fullmatch(text):
        return text
    return '"' + re.sub(r'(["\\])', r"\\\1", text) + '"'


#: Checks every node of a job; if something is wrong, prints it and ends the job.
_ASKED = Template("""\
#!/bin/bash
# Written by mwtutor launch.
$directives
# Before anything is started: can every node run the tasks?
ask=(srun --overlap --nodes="$$SLURM_JOB_NUM_NODES" --ntasks="$$SLURM_JOB_NUM_NODES"
    --ntasks-per-node=1 bash -c 'command -v "$$0" >/dev/null || {
        echo "$$(hostname) cannot start $$0. Name an interpreter that every node has: --python." >&2
        exit 1
    }; exec "$$0" - "$$@"' $words)
if ! said=$$("$${ask[@]}" 2>&1 >/dev/null <<'QUESTION'
$question
QUESTION
); then
    grep -v '^srun: ' <<<"$$said" | head -1 | grep . || echo "$$said"
    exit 1
fi
exec $command
""")


def script(
    lines: Sequence[str], command: Sequence[str], question: str, words: Sequence[str]
) -> str:
    """A script with the requests in ``lines``; it checks the nodes and then executes one command.

    Args:
        question: a Python program that fails on a node that cannot run the tasks.
        words: its interpreter, and its arguments.
    """
    return _ASKED.substitute(
        directives="\n".join(f"#SBATCH {one}" for one in lines),
        words=shell(words),
        question=question.rstrip("\n"),
        command=shell(command),
    )


def directives(order: Order) -> list[str]:
    """The requests of the job, as options of ``sbatch``.

    Raises:
        BadInput: a directory cannot be named in a script, or only some tasks request GPUs.
    """
    request, resources = order.request, order.resources
    if request.gpus_per_worker and (request.ps or request.evaluator):
        raise BadInput(
            "Slurm gives every task of a step GPUs, including parameter servers and evaluators.",
            "Leave out --gpus-per-worker, or --ps and --evaluator.",
        )
    if why := unfit(where := directory(request.cwd)):
        raise BadInput(
            f"The working directory cannot be {short_repr(where)} in a script for Slurm: {why}.",
            "Rename it, or choose another: --cwd DIR.",
        )
    asked = {
        "job-name": request.name or name_from(request.executes.stem),
        "ntasks": request.size.tasks,
        "chdir": where,
        "partition": resources.queue,
        "time": _days(request.timeout),
        "cpus-per-task": resources.cpus,
        "mem-per-cpu": _memory(resources.memory, resources.cpus),
        "gpus-per-task": request.gpus_per_worker,
    }
    requeue = "--requeue" if request.restarts else "--no-requeue"
    words = [f"--{name}={quote(str(value))}" for name, value in asked.items() if value]
    return [*words, requeue]


def step_options(order: Order) -> list[str]:
    # Since 22.05, srun does not inherit the number of processors from its job.
    cpus = order.resources.cpus
    return ["--kill-on-bad-exit=1", *([f"--cpus-per-task={cpus}"] if cpus else [])]


def _memory(gib: int, cpus: int) -> str:
    return f"{math.ceil(gib * 1024 / max(cpus, 1))}M" if gib else ""


def _days(seconds: float) -> str:
    """A time as Slurm writes it; Slurm counts minutes, so a little more is requested."""
    if not seconds:
        return ""
    minutes = math.ceil(seconds / 60)
    return f"{minutes // 1440}-{minutes % 1440 // 60:02}:{minutes % 60:02}:00"
