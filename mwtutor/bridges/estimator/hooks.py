"""Watch any Estimator training from outside the program: its global step and its loss.

This works on TensorFlow 2.15, which has its own Estimator, and with the bridge, because the hooks
are added at the one place that all kinds of Estimator training share, distributed or not.
"""

from __future__ import annotations

import contextlib
import functools
import logging
import time
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any, Protocol

from mwtutor.system.importhook import when_imported

_log = logging.getLogger(__name__)

MakeHook = Callable[[Any, Any], Any]
"""Called with (loss tensor, global step tensor) of a training graph; returns a SessionRunHook."""


class Report(Protocol):
    """The callback of ``report_training``; it must return immediately."""

    def __call__(self, *, step: int, loss: float) -> None: ...


_makers: list[MakeHook] = []


def add_train_hook(make_hook: MakeHook) -> None:
    """Add a hook to every Estimator training of this process, whatever the program does.

    Args:
        make_hook: called once for each training run, while its graph is being built, with the loss
            (reduced over all replicas) and the global step as graph tensors. Returns the
            ``tf.compat.v1.train.SessionRunHook`` to run.
    """
    _makers.append(make_hook)
    when_imported("tensorflow_estimator.python.estimator.estimator", _add_to)


def report_training(report: Report, min_interval: float = 0.1) -> None:
    """Call ``report(step=..., loss=...)`` while an Estimator trains.

    It is called after the first step, then at most once in ``min_interval`` seconds, and after the
    last step. ``report`` is called in the training thread, so it must not wait for anything. If it
    raises, training continues without further reports.
    """

    def make_hook(loss: Any, global_step: Any) -> Any:
        return _reporting_hook(loss, global_step, report, min_interval)

    add_train_hook(make_hook)


def _add_to(estimator: ModuleType) -> None:
    """Make ``Estimator`` run these hooks wherever it runs its caller's hooks.

    This patches ``Estimator._train_with_estimator_spec``, the only place where the loss over all
    replicas is known by name. The patch is permanent, because the Estimator has no public hook for
    all kinds of training and gets no more releases.
    """
    original = estimator.Estimator._train_with_estimator_spec
    if hasattr(original, "_mwtutor_hooks"):
        return

    @functools.wraps(original)
    def train(
        self: Any, spec: Any, worker_hooks: list[Any], hooks: Any, global_step: Any, listeners: Any
    ) -> Any:
        worker_hooks.extend(make(spec.loss, global_step) for make in _makers)
        with _no_recovery_alone(self._train_distribution):
            return original(self, spec, worker_hooks, hooks, global_step, listeners)

    train._mwtutor_hooks = True  # type: ignore[attr-defined]
    estimator.Estimator._train_with_estimator_spec = train


@contextlib.contextmanager
def _no_recovery_alone(strategy: Any) -> Iterator[None]:
    """Let a failed collective end a synchronous worker.

    A monitored session reacts to some errors by returning to the last checkpoint. This is right
    with parameter servers. But a synchronous worker that returned alone would stay behind its peers
    (by 21 steps, and with different weights, in one case) and wait forever once they exit.
    """
    if type(getattr(strategy, "extended", None)).__name__ != "CollectiveAllReduceExtended":
        yield
        return
    from tensorflow.python.training import monitored_session

    errors, monitored_session._PREEMPTION_ERRORS = monitored_session._PREEMPTION_ERRORS, ()
    try:
        yield
    finally:
        monitored_session._PREEMPTION_ERRORS = errors


def _reporting_hook(loss: Any, global_step: Any, report: Report, min_interval: float) -> Any:
    import tensorflow as tf

    class ReportingHook(tf.compat.v1.train.SessionRunHook):  # type: ignore[misc]
        """Reads only values that a step computes anyway, and the step count once per report."""

        def __init__(self) -> None:
            self.due = 0.0  # on the monotonic clock; infinity once reporting has failed
            self.loss: float | None = None
            self.sent_step: int | None = None

        def before_run(self, run_context: Any) -> Any:
            return tf.compat.v1.train.SessionRunArgs(loss)

        def after_run(self, run_context: Any, run_values: Any) -> None:
            self.loss = float(run_values.results)
            now = time.monotonic()
            if now >= self.due:
                self.due = now + min_interval
                self.send(run_context.session)

        def end(self, session: Any) -> None:
            if self.loss is not None and self.due != float("inf"):
                self.send(session)

        def send(self, session: Any) -> None:
            assert self.loss is not None
            step = int(session.run(global_step))
            if step == self.sent_step:
                return
            self.sent_step = step
            try:
                report(step=step, loss=self.loss)
            except Exception:
                _log.warning("Training continues, but is no longer reported", exc_info=True)
                self.due = float("inf")

    return ReportingHook()
