"""Run a task without a supervisor, in the interpreter that has replaced ``mwtutor exec``."""

from __future__ import annotations

import faulthandler
import os
from collections.abc import Sequence
from typing import Literal, NoReturn, cast

from mwtutor.cluster import parse_tf_config
from mwtutor.system import child
from mwtutor.worker import allocator, bootstrap, end_of_training, program
from mwtutor.worker.patches import registry


def run(words: Sequence[str]) -> NoReturn:
    """Run a program in this interpreter, with the compatibility layers, and exit as it does.

    Args:
        words: ``script`` or ``module``, its path or name, and its arguments.
    """
    kind, target, *args = words
    cluster, task = parse_tf_config(os.environ["TF_CONFIG"])
    child.set_title_where_others_look(f"{task} {os.path.basename(target)}")
    child.fresh_state()
    allocator.install()
    faulthandler.enable()

    def prepare() -> None:
        registry.install_everywhere()
        end_of_training.end_with_training(cluster, task, bootstrap.training_has_ended)

    ending = program.run(
        cast(Literal["script", "module"], kind), target, tuple(args), prepare=prepare
    )
    if ending.error is None:
        bootstrap.print_advice(ending.advice)
        child.leave(ending.code)
    advice = bootstrap.crash_report(ending.error)["advice"]
    bootstrap.end_by(ending.error, advice, ending.code)
