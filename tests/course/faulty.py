"""Copies of the package with a fault, which the lessons' checks must notice."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

import mwtutor

_FIT = "        with one_wish_for_all(self), common_order(strategy), shared:\n            history"

_NOT_TRAINED = """\
        if strategy.cluster_resolver.task_id == 1:
            self.optimizer.learning_rate = 0.0
"""

_UNDIVIDED = """\
        options = tf.data.Options()
        options.experimental_distribute.auto_shard_policy = tf.data.experimental.AutoShardPolicy.OFF
        given.arguments["x"] = given.arguments["x"].with_options(options)
"""

_HOOKS = "    bridges.enable()\n"

_ONE_SEED = """\
    if json.loads(os.environ["TF_CONFIG"])["task"]["index"] == 1:
        from keras._tf_keras.keras import utils

        seeded = utils.set_random_seed
        utils.set_random_seed = lambda seed: seeded({seed})
"""


@dataclass(frozen=True)
class Fault:
    """A fault in the package.

    Attributes:
        why: its effect, in a few words.
        file: the faulty file, relative to the package.
        old, new: the replaced text, and its replacement.
        red: the check cells that must notice it: a lesson's number, the id of its cell, and the
            line that reports it.
    """

    why: str
    file: str
    old: str
    new: str
    red: tuple[tuple[str, str, str], ...]

    def package(self, where: Path) -> Path:
        """A directory for PYTHONPATH, with a copy of the package that has the fault."""
        source = Path(mwtutor.__file__).parent
        without = shutil.ignore_patterns("__pycache__")
        copy = Path(shutil.copytree(source, where / source.name, ignore=without)) / self.file
        text = copy.read_text()
        assert text.count(self.old) == 1, f"{self.file} does not have it once: {self.old!r}"
        copy.write_text(text.replace(self.old, self.new))
        return where


def _trainer(why: str, fault: str, *red: tuple[str, str, str]) -> Fault:
    return Fault(why, "bridges/keras3/trainer.py", _FIT, fault + _FIT, red)


_PROOF = ("03", "check-proof")
_ONE_PROCESS = ("04", "check-model", "the same as in one process: False")
_ONE_PATH = (
    "served: the chief's is result/served; the other's is temporary: False and has its name: True"
)

FAULTS = (
    _trainer(
        "worker 1 takes part in every exchange, but is not trained",
        _NOT_TRAINED,
        (*_PROOF, "both ended with the same weights: False"),
        _ONE_PROCESS,
    ),
    _trainer(
        "every worker is given all the rows",
        _UNDIVIDED,
        (*_PROOF, "together the rows of one process, in each step: False"),
        _ONE_PROCESS,
    ),
    Fault(
        "worker 1 has a fixed seed, that of worker 0 in lesson 03",
        "worker/bootstrap.py",
        _HOOKS,
        _HOOKS + _ONE_SEED.format(seed=1),
        ((*_PROOF, "the workers drew different numbers: False"),),
    ),
    Fault(
        "worker 1 has a fixed seed, that of worker 0 in lesson 04",
        "worker/bootstrap.py",
        _HOOKS,
        _HOOKS + _ONE_SEED.format(seed=0),
        (("04", "check-scope", "equal at the start: True"),),
    ),
    Fault(
        "worker 0 is the chief, even where there is a job of that name",
        "chief.py",
        'TaskId("chief" if cluster.addresses("chief") else "worker", 0)',
        'TaskId("worker", 0)',
        (("08", "check-chiefs", "mwtutor.is_chief  worker:0"),),
    ),
    Fault(
        "all workers are given one path",
        "chief.py",
        "    if is_chief():\n        yield path",
        "    if path:\n        yield path",
        (("08", "check-formats", _ONE_PATH),),
    ),
)
