"""Let an evaluator notice that training has ended.

In an evaluator, ``train_and_evaluate`` sleeps before each check for a checkpoint: by default 120 s
before the first, and up to 600 s before each later one. It ends after evaluating a checkpoint of
``max_steps`` steps; if there is none, it never ends. Once it is notified that training has ended,
it checks immediately, for the last time.
"""

from __future__ import annotations

import functools
import threading
import time
from collections.abc import Callable
from types import ModuleType, SimpleNamespace
from typing import Any

from mwtutor.system.importhook import when_imported
from mwtutor.system.wrapping import before

_over = threading.Event()


def training_has_ended() -> None:
    """Report that no further checkpoint will be written; any thread may call this."""
    _over.set()


def follow_training() -> None:
    """From now on, evaluators of this process end when training does."""
    when_imported("tensorflow_estimator.python.estimator.training", _add_to)


def report_left_out_evaluation(report: Callable[[], None]) -> None:
    """Call ``report`` when a chief starts to train and leaves the ``EvalSpec`` to an evaluator."""

    def look(executor: Any) -> None:
        if executor._eval_spec is not None:
            report()

    def watch(training: ModuleType) -> None:
        before(training._TrainingExecutor, "run_chief", look)

    when_imported("tensorflow_estimator.python.estimator.training", watch)


def _add_to(training: ModuleType) -> None:
    """Patch ``_execute_evaluator_once``, and the module ``time`` that it uses to sleep.

    The patch is permanent, because the Estimator gets no more releases.
    """
    executor = training._TrainingExecutor
    original = executor._execute_evaluator_once
    if hasattr(original, "_mwtutor_follows"):
        return

    @functools.wraps(original)
    def once(self: Any, *args: Any, **kwargs: Any) -> tuple[Any, bool]:
        last = _over.is_set()  # before it looks for a checkpoint
        result, stop = original(self, *args, **kwargs)
        return result, stop or last

    once._mwtutor_follows = True  # type: ignore[attr-defined]
    executor._execute_evaluator_once = once
    vars(training)["time"] = SimpleNamespace(**{**vars(time), "sleep": _over.wait})
