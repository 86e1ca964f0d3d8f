"""Give a strategy its communication options, and report which collectives a program builds.

A ``MultiWorkerMirroredStrategy`` created without ``communication_options`` gets the implementation
that ``--comm`` asks for; a strategy created with options keeps its own. Either is reported, with
the number of workers, and so is every kind of collective operation when it is first built: its
name, the implementation it requests, and the kind of its device. TensorFlow decides by these: its
``CollectiveParamResolverLocal::AssignCollectiveType`` uses NCCL for operations on GPUs that request
it, and RING for all others (``collective_param_resolver_local.cc``).
"""

from __future__ import annotations

import functools
import os
from types import ModuleType
from typing import Any

from mwtutor import metrics
from mwtutor.system.importhook import when_imported
from mwtutor.worker.patches import builders

#: Which implementation ``--comm`` asks for: ``auto``, ``ring`` or ``nccl``.
CHOICE_ENV = "MWTUTOR_COMM"

_told: set[tuple[str, str, str]] = set()


def install() -> None:
    when_imported("tensorflow.python.distribute.collective_all_reduce_strategy", _give_options)
    builders.wrap(builders.COMBINING, _telling)


def _give_options(module: ModuleType) -> None:
    strategy = module.CollectiveAllReduceStrategy
    init = strategy.__init__
    kinds = module.collective_util.CommunicationImplementation

    @functools.wraps(init)
    def with_options(
        self: Any, cluster_resolver: Any = None, communication_options: Any = None
    ) -> None:
        wanted = _wanted(kinds, getattr(communication_options, "implementation", None))
        if communication_options is None and wanted is not kinds.AUTO:
            communication_options = module.collective_util.Options(implementation=wanted)
        init(self, cluster_resolver, communication_options)
        _tell_size(self)

    strategy.__init__ = with_options
    _leave_default_open(module)
    _give_version_1(module.CollectiveAllReduceStrategyV1, kinds)


def _wanted(kinds: Any, given: Any) -> Any:
    """The implementation for a strategy, which is reported: its own, or else mwtutor's choice."""
    choice = kinds(os.environ.get(CHOICE_ENV, "auto").upper())
    wanted, by = given, "the program"
    if given is None:
        wanted, by = choice, "TensorFlow" if choice is kinds.AUTO else "--comm"
    metrics.send("strategy", wait=1.0, wanted=getattr(wanted, "value", str(wanted)), by=by)
    return wanted


def _tell_size(strategy: Any) -> None:
    """Report the number of workers: one if the program has lost its ``TF_CONFIG``."""
    metrics.send("joined", wait=1.0, workers=strategy.extended._num_workers)


def _leave_default_open(module: ModuleType) -> None:
    """Keep the strategy's older name from passing options if it received none."""
    older = module._CollectiveAllReduceStrategyExperimental
    base = module.CollectiveAllReduceStrategy
    init = older.__init__

    @functools.wraps(init)
    def without_default(self: Any, communication: Any = None, cluster_resolver: Any = None) -> None:
        if communication is None:
            base.__init__(self, cluster_resolver)
        else:
            init(self, communication, cluster_resolver)

    older.__init__ = without_default


def _give_version_1(strategy: Any, kinds: Any) -> None:
    """Give the strategy of ``tf.compat.v1`` an implementation, because it takes no options."""
    init = strategy.__init__

    @functools.wraps(init)
    def with_choice(self: Any, communication: Any = None, cluster_resolver: Any = None) -> None:
        init(self, _wanted(kinds, communication), cluster_resolver)
        _tell_size(self)

    strategy.__init__ = with_choice


def _telling(name: str, build: builders.Build) -> builders.Build:
    names = builders.parameters(build)
    told: set[tuple[str | None, str | None]] = set()

    def telling(*args: Any, **kwargs: Any) -> Any:
        __tracebackhide__ = True
        result = build(*args, **kwargs)
        what = kwargs.get("communication_hint"), getattr(result, "device", None)
        if what not in told:
            told.add(what)
            given = {**dict(zip(names, args, strict=False)), **kwargs}
            _tell_operation(name, given, what[1] or "")
        return result

    return telling


def _tell_operation(name: str, given: dict[str, Any], device: str) -> None:
    hint = str(given.get("communication_hint", "auto")).lower()
    device = "GPU" if "GPU" in device.upper() else "CPU"
    if (name, hint, device) not in _told:
        _told.add((name, hint, device))
        metrics.send("collective", wait=1.0, op=name, hint=hint, device=device)
