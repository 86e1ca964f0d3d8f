"""The script of a run's job, as it is submitted to Slurm."""

from __future__ import annotations

import sys
from dataclasses import replace

from mwtutor.engines import node_check
from mwtutor.exceptions import BadInput
from mwtutor.run.record.spec import RunSpec
from mwtutor.run.request.option_kinds import short_repr
from mwtutor.system import child
from mwtutor.targets.jobs import slurm
from mwtutor.targets.jobs.export import Order, Resources

#: Seconds that the job may continue after the run's own time limit, to end cleanly.
_SPARE = 120.0


def job_script(run: RunSpec) -> str:
    """The script that is submitted for a run."""
    request = run.request
    limit = request.timeout + _SPARE if request.timeout else 0.0
    asked = slurm.directives(Order(replace(request, timeout=limit, restarts=0), Resources()))
    if (
        why := "Slurm interprets the backslash in it"
        if "\\" in str(run.path)
        else slurm.unfit(str(run.path))
    ):
        raise BadInput(
            f"Slurm cannot write into the run's directory, {short_repr(str(run.path))}: {why}.",
            "Launch from a directory with another name.",
        )
    # In file names, Slurm expands sequences that begin with a percent sign.
    output = str(run.supervisor_log).replace("%", "%%")
    lines = [*asked, f"--output={slurm.quote(output)}", "--open-mode=append"]
    python = request.python or sys.executable
    command = [python, str(child.ENTRY), "slurm", run.directory]
    asked = [python, *node_check.words(run, elsewhere=False, shared=[run.directory])]
    return slurm.script(lines, command, node_check.question(), asked)
