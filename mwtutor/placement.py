"""Which task gets which GPU: decided before anything starts, said in the status.

Tasks that train in step get equal shares, because ``MultiWorkerMirroredStrategy`` wants as many
replicas on each of them, and the slowest sets the pace. When that is not possible all of them use
the CPU. A task finds its share in ``CUDA_VISIBLE_DEVICES``, which CUDA reads when TensorFlow first
uses it: after the fork.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from mwtutor.cluster import ClusterSize, TaskId
from mwtutor.exceptions import BadInput
from mwtutor.gpus import VISIBLE, Device, Survey

#: Makes TensorFlow take GPU memory as it needs it, instead of all of it at the start.
GROWTH = "TF_FORCE_GPU_ALLOW_GROWTH"

NO_DEVICE = "-1"


@dataclass(frozen=True)
class Wish:
    """What was asked for.

    Attributes:
        per_worker: GPUs for each chief and worker; None shares out what there is, 0 is the CPU.
        share: whether several workers may use one GPU.
        evaluator: GPUs for the evaluator, which gets none unless asked.
    """

    per_worker: int | None = None
    share: bool = False
    evaluator: int = 0


@dataclass(frozen=True)
class Placement:
    """Which task gets what.

    Attributes:
        devices: of each task; none is the CPU.
        words: the same in a few words, for the status.
        decided: whether this placement is imposed; False leaves the environment as it is.
    """

    devices: Mapping[TaskId, tuple[Device, ...]] = field(default_factory=dict)
    words: str = ""
    decided: bool = False

    @property
    def shared(self) -> bool:
        """Whether two tasks that train use one device."""
        used = [device.id for share in self.training().values() for device in share]
        return len(set(used)) < len(used)

    @property
    def one_card(self) -> bool:
        """Whether two tasks that train use one card, be it different parts of it."""
        cards = [card for share in self.training().values() for card in {d.card for d in share}]
        return len(set(cards)) < len(cards)

    @property
    def mixed(self) -> bool:
        """Whether some tasks that train have a GPU, and others have none."""
        return len({bool(share) for share in self.training().values()}) > 1

    def training(self) -> dict[TaskId, tuple[Device, ...]]:
        return {task: share for task, share in self.devices.items() if trains(task)}

    def env(self, task: TaskId, given: Mapping[str, str]) -> dict[str, str]:
        """What is added to the environment of a task, beside what is ``given``."""
        if not self.decided:
            return {}
        share = self.devices.get(task, ())
        added = {VISIBLE: ",".join(device.id for device in share) or NO_DEVICE}
        if share and self.shared and GROWTH not in given:
            added[GROWTH] = "true"
        return added


def trains(task: TaskId) -> bool:
    return task.type in ("chief", "worker")


def place(wish: Wish, size: ClusterSize, survey: Survey, setting: str | None) -> Placement:
    """Decide who gets which GPU.

    Args:
        wish: what was asked for.
        size: the tasks there will be.
        survey: the GPUs there are.
        setting: the value ``CUDA_VISIBLE_DEVICES`` has already, which is respected: only what it
            leaves is shared out. None if it is not set.

    Raises:
        BadInput: more was asked for than there is.
    """
    wish = wish if size.evaluator else replace(wish, evaluator=0)
    pool = survey.visible(setting)
    tasks = _tasks(size)
    training = [task for task in tasks if trains(task)]
    empty: dict[TaskId, tuple[Device, ...]] = dict.fromkeys(tasks, ())
    wanted = (wish.per_worker or 0) * len(training) + wish.evaluator
    if not pool:
        if wanted:
            raise BadInput(
                f"GPUs were asked for, and there is none to use: {_why_none(survey, setting)}.",
                "Leave out the number of GPUs to train on the CPU; %mw_doctor says more.",
            )
        hidden = f": {_why_none(survey, setting)}" if survey.gpus else ""
        return Placement(empty, f"on CPU{hidden}", decided=False)
    if wish.per_worker == 0:
        return Placement(empty, "on CPU, as asked", decided=True)
    _check(wish, training, pool, wanted)
    reserved, rest = pool[len(pool) - wish.evaluator :], pool[: len(pool) - wish.evaluator]
    devices = {**empty, **_shares(wish, training, rest)}
    devices |= {task: reserved for task in tasks if task.type == "evaluator"}
    made = Placement(devices, decided=True)
    return Placement(devices, _words(made, training, rest), decided=True)


def _tasks(size: ClusterSize) -> Sequence[TaskId]:
    return list(size.at([f"h:{number + 1}" for number in range(size.tasks)]).tasks())


def _why_none(survey: Survey, setting: str | None) -> str:
    if survey.problem:
        return survey.problem
    if not survey.gpus:
        return "the driver lists none"
    if not survey.devices:
        return "MIG is enabled, and no instance has been created"
    return f"{VISIBLE}={setting} hides {_count(len(survey.devices))}"


def _check(wish: Wish, training: Sequence[TaskId], pool: Sequence[Device], wanted: int) -> None:
    if (wish.per_worker or 0) > 1 and any(device.is_part for device in pool):
        raise BadInput(
            f"--gpus-per-worker {wish.per_worker} cannot be had: these are MIG parts of GPUs, and "
            "CUDA shows a process one of them.",
            "Write --gpus-per-worker 1.",
        )
    least = wish.evaluator + max(wish.per_worker or 0, 1) if wish.share else wanted
    if least > len(pool):
        share = "" if wish.share or len(training) < 2 else ", or let workers share: --share-gpus"
        raise BadInput(
            f"{_count(least)} {'is' if least == 1 else 'are'} needed, and "
            f"{_count(len(pool))} can be used.",
            f"Ask for fewer{share}, or train on the CPU: --gpus-per-worker 0.",
        )


def _shares(
    wish: Wish, training: Sequence[TaskId], pool: Sequence[Device]
) -> dict[TaskId, tuple[Device, ...]]:
    each = wish.per_worker or len(pool) // len(training)
    if any(device.is_part for device in pool):
        each = min(each, 1)
    if wish.share:
        each = max(each, 1)
    return {
        task: tuple(pool[(at * each + k) % len(pool)] for k in range(each))
        for at, task in enumerate(training)
    }


def _words(made: Placement, training: Sequence[TaskId], pool: Sequence[Device]) -> str:
    each = len(made.devices[training[0]])
    if not each:
        return (
            f"on CPU: {_count(len(pool))} for {len(training)} workers "
            "(--share-gpus lets them share)"
        )
    used = {device.id for share in made.training().values() for device in share}
    left = f", {len(pool) - len(used)} left over" if len(used) < len(pool) else ""
    if made.shared:
        return f"sharing {_count(len(used))}, memory grows as needed{left}"
    return f"{_count(each)}{' each' if len(training) > 1 else ''}{left}"


def _count(number: int) -> str:
    return f"{number} GPU{'s' * (number != 1)}"
