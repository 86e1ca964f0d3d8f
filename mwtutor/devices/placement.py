"""Before any task starts, decide which task gets which GPU; the status shows the decision.

Tasks that train synchronously get equal shares, because ``MultiWorkerMirroredStrategy`` needs the
same number of replicas on each task, and the slowest task sets the pace. When that is not possible,
all of them use the CPU. A task finds its share in ``CUDA_VISIBLE_DEVICES``, which CUDA reads when
TensorFlow first uses it: after the fork.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from mwtutor.cluster import ClusterSize, TaskId
from mwtutor.devices.gpus import VISIBLE, Device, Survey
from mwtutor.exceptions import BadInput

#: Makes TensorFlow allocate GPU memory as it needs it, instead of all of it at the start.
GROWTH = "TF_FORCE_GPU_ALLOW_GROWTH"

NO_DEVICE = "-1"


@dataclass(frozen=True)
class Wish:
    """The request for GPUs.

    Attributes:
        per_worker: GPUs for each chief and worker; None divides those available, 0 means the CPU.
        share: whether several workers may use one GPU.
        evaluator: GPUs for the evaluator; none by default.
        most: the maximum number of GPUs that a chief or worker can use, if there is a limit.
    """

    per_worker: int | None = None
    share: bool = False
    evaluator: int = 0
    most: int | None = None


@dataclass(frozen=True)
class Placement:
    """Which task gets which devices.

    Attributes:
        devices: those of each task; none means the CPU.
        words: a short description for the status.
        beside: the runs that use some of these GPUs at the same time.
        decided: whether this placement is imposed; False leaves the environment unchanged.
    """

    devices: Mapping[TaskId, tuple[Device, ...]] = field(default_factory=dict)
    words: str = ""
    beside: tuple[str, ...] = ()
    decided: bool = False

    @property
    def shared(self) -> bool:
        """Whether two tasks that train use the same device."""
        used = [device.id for share in self.training().values() for device in share]
        return len(set(used)) < len(used)

    @property
    def one_card(self) -> bool:
        """Whether two tasks that train use the same card, even different parts of it."""
        cards = [card for share in self.training().values() for card in {d.card for d in share}]
        return len(set(cards)) < len(cards)

    @property
    def mixed(self) -> bool:
        """Whether some tasks that train have a GPU, and others have none."""
        return len({bool(share) for share in self.training().values()}) > 1

    def training(self) -> dict[TaskId, tuple[Device, ...]]:
        return {task: share for task, share in self.devices.items() if task.trains}

    def env(
        self, task: TaskId, given: Mapping[str, str], neighbors: Sequence[TaskId] = ()
    ) -> dict[str, str]:
        """The variables to add to a task's environment, which already has those that are ``given``.

        Args:
            neighbors: the tasks whose GPUs this task sees, in their order; it selects its own GPU
                by index, as Horovod programs do. If none are given, it sees only its own.
        """
        if not self.decided:
            return {}
        seen = (self.devices.get(one, ()) for one in neighbors or [task])
        share = tuple(dict.fromkeys(itertools.chain.from_iterable(seen)))
        added = {VISIBLE: ",".join(device.id for device in share) or NO_DEVICE}
        if share and (self.shared or self.beside) and GROWTH not in given:
            added[GROWTH] = "true"
        return added


def place(
    wish: Wish,
    size: ClusterSize,
    survey: Survey,
    setting: str | None,
    others: Mapping[str, Iterable[str]] | None = None,
) -> Placement:
    """Decide which task gets which GPU.

    Args:
        wish: the request.
        size: the tasks of the cluster.
        survey: the GPUs of this machine.
        setting: the existing value of ``CUDA_VISIBLE_DEVICES``: only the devices that it leaves
            visible are divided. None if it is not set.
        others: the values of ``CUDA_VISIBLE_DEVICES`` in every other run in progress, by its name.
            TensorFlow takes all the memory of a GPU, so GPUs of other runs are not used unless
            sharing is requested.

    Raises:
        BadInput: more was requested than is available.
    """
    wish = wish if size.evaluator else replace(wish, evaluator=0)
    there = survey.visible(setting)
    users = _users(survey, others or {})
    free = [device for device in there if device.hardware not in users]
    pool = free + [device for device in there if wish.share and device.hardware in users]
    busy = _runs_on(there, users)
    tasks = _tasks(size)
    training = [task for task in tasks if task.trains]
    empty: dict[TaskId, tuple[Device, ...]] = dict.fromkeys(tasks, ())
    wanted = (wish.per_worker or 0) * len(training) + wish.evaluator
    if there and wish.per_worker == 0:
        return Placement(empty, "on CPU, as requested", decided=True)
    if not pool:
        return _none_left(empty, wanted, busy, _why_none(survey, setting), bool(survey.gpus))
    _check(wish, training, pool, wanted, busy)
    reserved, rest = pool[len(pool) - wish.evaluator :], pool[: len(pool) - wish.evaluator]
    devices = {**empty, **_shares(wish, training, rest)}
    devices |= {task: tuple(reserved) for task in tasks if task.type == "evaluator"}
    taken = [device for share in devices.values() for device in share]
    made = Placement(devices, beside=_runs_on(taken, users), decided=True)
    return replace(made, words=_words(made, training, rest, busy))


def _none_left(
    empty: Mapping[TaskId, tuple[Device, ...]],
    wanted: int,
    busy: Sequence[str],
    why: str,
    to_be_said: bool,
) -> Placement:
    """Place all tasks on the CPU, unless GPUs were requested."""
    way = "@mw_doctor shows more"
    if busy:
        why = f"all GPUs are in use by {_named(busy)}"
        way = f"to get GPUs, stop the run that uses them (@mw_stop {busy[0]}) or add --share-gpus"
    if wanted:
        raise BadInput(
            f"GPUs were requested, but none is available: {why}.",
            f"Leave out the number of GPUs to train on the CPU; {way}.",
        )
    return Placement(empty, f"on CPU: {why}" if to_be_said else "on CPU", decided=bool(busy))


def _users(survey: Survey, others: Mapping[str, Iterable[str]]) -> dict[tuple[str, str], str]:
    """For each device in use, the other run that uses it."""
    return {
        device.hardware: name
        for name, settings in others.items()
        for setting in settings
        for device in survey.visible(setting)
    }


def _runs_on(devices: Iterable[Device], users: Mapping[tuple[str, str], str]) -> tuple[str, ...]:
    return tuple(sorted({users[d.hardware] for d in devices if d.hardware in users}))


def _tasks(size: ClusterSize) -> Sequence[TaskId]:
    return list(size.at([f"h:{number + 1}" for number in range(size.tasks)]).tasks())


def _why_none(survey: Survey, setting: str | None) -> str:
    if survey.problem:
        return survey.problem
    if not survey.gpus:
        return "the driver lists none"
    if not survey.devices:
        return "MIG is enabled, but no instance has been created"
    return f"{VISIBLE}={setting} hides {_count(len(survey.devices))}"


def _check(
    wish: Wish,
    training: Sequence[TaskId],
    pool: Sequence[Device],
    wanted: int,
    busy: Sequence[str],
) -> None:
    if (wish.per_worker or 0) > 1 and any(device.is_part for device in pool):
        raise BadInput(
            f"--gpus-per-worker {wish.per_worker} is not possible, because CUDA shows a process"
            " only one MIG instance.",
            "Use --gpus-per-worker 1.",
        )
    least = wish.evaluator + max(wish.per_worker or 0, 1) if wish.share else wanted
    if least > len(pool):
        share = "" if wish.share or len(training) < 2 else ", let workers share them (--share-gpus)"
        raise BadInput(
            f"{_count(least)} {'is' if least == 1 else 'are'} needed, but only "
            f"{_count(len(pool))} {'is' if len(pool) == 1 else 'are'} available{_except(busy)}.",
            f"Request fewer{share}, or train on the CPU (--gpus-per-worker 0).",
        )


def _shares(
    wish: Wish, training: Sequence[TaskId], pool: Sequence[Device]
) -> dict[TaskId, tuple[Device, ...]]:
    each = wish.per_worker or len(pool) // len(training)
    if any(device.is_part for device in pool):
        each = min(each, 1)
    if wish.share:
        each = max(each, 1)
    if wish.most is not None:
        each = min(each, wish.most)
    return {
        task: tuple(pool[(at * each + k) % len(pool)] for k in range(each))
        for at, task in enumerate(training)
    }


def _words(
    made: Placement, training: Sequence[TaskId], pool: Sequence[Device], busy: Sequence[str]
) -> str:
    each = len(made.devices[training[0]])
    if not each:
        return (
            f"on CPU: {_count(len(pool))} for {len(training)} workers{_except(busy)} "
            "(--share-gpus lets them share)"
        )
    used = {device.id for share in made.training().values() for device in share}
    left = f", {len(pool) - len(used)} left over" if len(used) < len(pool) else ""
    if made.shared or made.beside:
        others = f" with {_named(made.beside)}" if made.beside else ""
        return f"sharing {_count(len(used))}{others}, memory grows as needed{left}"
    return f"{_count(each)}{' each' if len(training) > 1 else ''}{left}{_except(busy)}"


def _except(busy: Sequence[str]) -> str:
    return f", not counting those in use by {_named(busy)}" if busy else ""


def _named(names: Sequence[str]) -> str:
    return f"the run{'s' * (len(names) > 1)} {', '.join(names)}"


def _count(number: int) -> str:
    return f"{number} GPU{'s' * (number != 1)}"
