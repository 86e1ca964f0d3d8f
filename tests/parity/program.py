"""Runs a list of cases, as one process or as one worker, and writes what each returns.

    python -m tests.parity.program --keras 3 --replicas 2 --out DIR [--only NAME ...] [--no-bridge]

One worker in a cluster is told so by ``TF_CONFIG``. The result of a case is ``DIR/NAME.TASK.npz``,
written as soon as it is there, so that a case that hangs does not take its predecessors with it.
"""

from __future__ import annotations

import argparse
import faulthandler
import json
import os
import random
import time
import traceback
from pathlib import Path
from typing import Any

import numpy as np

# A case that takes longer hangs: its stacks are printed and the worker ends.
SECONDS = 100


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--keras", type=int, choices=(2, 3), required=True)
    parser.add_argument("--replicas", type=int, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--only", nargs="*")
    parser.add_argument("--no-bridge", action="store_true")
    options = parser.parse_args()
    keras = _import_keras(options.keras, bridge=not options.no_bridge)
    strategy, index = _strategy()

    from tests.parity.case import Env, Promise
    from tests.parity.cases import cases_for

    for case in cases_for(options.keras, options.replicas):
        if options.only and case.name not in options.only:
            continue
        promise = case.promise[options.keras]
        if strategy is None and promise is Promise.REFUSED:
            continue
        directory = options.out / "files" / case.name
        directory.mkdir(parents=True, exist_ok=True)
        env = Env(keras, strategy, options.replicas, index, directory)
        run = case.run
        if strategy is None and case.reference is not None:
            run = case.reference
        _seed(keras)
        print(f"--- {case.name}", flush=True)
        start, cpu = time.monotonic(), time.process_time()
        faulthandler.dump_traceback_later(SECONDS, exit=True)
        result = _outcome(run, env)
        faulthandler.cancel_dump_traceback_later()
        cpu = time.process_time() - cpu
        print(f"--- {case.name} took {time.monotonic() - start:.2f} s, CPU {cpu:.2f}", flush=True)
        _write(options.out / f"{case.name}.{index}.npz", result)


def _import_keras(version: int, bridge: bool) -> Any:
    if version == 2:
        os.environ["TF_USE_LEGACY_KERAS"] = "1"
        import tf_keras

        return tf_keras
    if bridge:
        from mwtutor.bridges import keras3

        keras3.install_lazily()
    import keras

    return keras


def _strategy() -> tuple[Any, int]:
    import tensorflow as tf

    # A third of the time of these small programs goes into optimising graphs that run ten times.
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


def _outcome(run: Any, env: Any) -> dict[str, np.ndarray]:
    """What the case returns, or how it was refused, or what else it raised."""
    from mwtutor.exceptions import NotSupported

    try:
        return dict(run(env))
    except NotSupported as refusal:
        return {"refused": np.array(str(refusal))}
    except Exception:
        print(traceback.format_exc(), flush=True)
        return {"raised": np.array(traceback.format_exc())}


def _write(path: Path, result: dict[str, np.ndarray]) -> None:
    """In one go, so that a reader never finds half a file."""
    own = path.with_suffix(".part")
    with own.open("wb") as stream:
        np.savez(stream, **result)
    own.rename(path)


if __name__ == "__main__":
    main()
