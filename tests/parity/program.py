"""Runs a list of cases, as one process or as one worker, and writes what each returns.

    python -m tests.parity.program --keras 3 --out DIR [--only NAME ...] [--no-bridge]

A worker finds its cluster in ``TF_CONFIG`` and writes ``DIR/NAME.INDEX.npz``. One process writes
the results that N workers should have, ``DIR/NAME.asN.npz``. Each file is written as soon as its
content is known, so that a case that hangs does not lose the earlier results.
"""

from __future__ import annotations

import argparse
import faulthandler
import importlib.metadata
import json
import os
import random
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from mwtutor.exceptions import NotSupported
from tests.parity.case import Case, Env, Promise, Result

# A case that takes longer hangs: its stacks are printed and the worker exits.
SECONDS = 300


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--keras", type=int, choices=(2, 3), required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--only", nargs="*")
    parser.add_argument("--no-bridge", action="store_true")
    options = parser.parse_args()
    keras = _import_keras(options.keras, bridge=not options.no_bridge)
    version = tuple(int(part) for part in keras.__version__.split(".")[:2])
    strategy, index = _strategy()

    from tests.parity.cases import ALL

    for case in ALL:
        chosen = not options.only or case.name in options.only
        if not chosen or not case.runs_on(version):
            continue
        directory = options.out / "files" / case.name
        directory.mkdir(parents=True, exist_ok=True)
        if strategy is None:
            _as_one_process(case, keras, directory, options.out)
        elif strategy.num_replicas_in_sync in case.workers:
            env = Env(keras, strategy, strategy.num_replicas_in_sync, index, directory)
            _write(options.out / f"{case.name}.{index}.npz", _timed(case.name, case.run, env))

    ours = sorted(name for name in sys.modules if name.partition(".")[0] == "mwtutor")
    print("=== of the package:", *ours, flush=True)


def _as_one_process(case: Case, keras: Any, directory: Path, out: Path) -> None:
    """A reference is computed for each size of cluster; a plain run is the same for all."""
    if Promise.REFUSED in case.promise.values():
        return
    result: Result = {}
    for workers in case.workers:
        if case.reference is not None or not result:
            env = Env(keras, None, workers, 0, directory)
            result = _timed(case.name, case.reference or case.run, env)
        _write(out / f"{case.name}.as{workers}.npz", result)


def _timed(name: str, run: Callable[[Env], Result], env: Env) -> Result:
    print(f"--- {name}", flush=True)
    _seed(env.keras)
    _forget()
    start, cpu = time.monotonic(), time.process_time()
    faulthandler.dump_traceback_later(SECONDS, exit=True)
    result = _outcome(run, env)
    faulthandler.cancel_dump_traceback_later()
    cpu = time.process_time() - cpu
    print(f"--- {name} took {time.monotonic() - start:.2f} s, CPU {cpu:.2f}", flush=True)
    return result


def _import_keras(version: int, bridge: bool) -> Any:
    if version == 2:
        return _import_keras_2()
    if bridge:
        from mwtutor.bridges import keras3

        keras3.install_lazily()
    import keras

    return keras


def _import_keras_2() -> Any:
    """Import ``tf.keras`` on TensorFlow 2.15, and ``tf_keras`` on later versions."""
    if importlib.metadata.version("keras").startswith("2."):
        import keras

        return keras
    os.environ["TF_USE_LEGACY_KERAS"] = "1"
    import tf_keras

    return tf_keras


def _strategy() -> tuple[Any, int]:
    import tensorflow as tf

    # Optimizing graphs that run only ten times would take a third of the time of these small
    # programs.
    tf.config.optimizer.set_experimental_options({"disable_meta_optimizer": True})
    if "TF_CONFIG" not in os.environ:
        return None, 0
    return (
        tf.distribute.MultiWorkerMirroredStrategy(),
        json.loads(os.environ["TF_CONFIG"])["task"]["index"],
    )


def _seed(keras: Any) -> None:
    random.seed(0)
    np.random.seed(0)
    keras.utils.set_random_seed(0)


def _forget() -> None:
    """Reset the state, because each case is a separate program."""
    if (bridge := sys.modules.get("mwtutor.bridges.keras3.refusals")) is not None:
        bridge.note_training(together=False)


def _outcome(run: Callable[[Env], Result], env: Env) -> Result:
    """What the case returns, or how it was refused, or what else it raised."""
    try:
        return dict(run(env))
    except NotSupported as refusal:
        return {"refused": np.array(str(refusal))}
    except Exception:
        print(traceback.format_exc(), flush=True)
        return {"raised": np.array(traceback.format_exc())}


def _write(path: Path, result: Result) -> None:
    """Write the file at once, so that a reader never finds half of it."""
    own = path.with_suffix(".part")
    with own.open("wb") as stream:
        np.savez(stream, **result)
    own.rename(path)


if __name__ == "__main__":
    main()
