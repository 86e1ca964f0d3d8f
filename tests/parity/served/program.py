"""Runs all rows, as the chief or as one process without a cluster.

python -m tests.parity.served.program --keras 3 --out DIR --cluster JSON [--only NAME ...]
"""

from __future__ import annotations

import argparse
import json
import os
from pathlib import Path
from typing import Any

from tests.parity.case import Env
from tests.parity.program import _import_keras, _timed, _write

SERVERS = 2


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--keras", type=int, choices=(2, 3), required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--cluster", type=json.loads, default=None)
    parser.add_argument("--only", nargs="*")
    parser.add_argument("--no-bridge", action="store_true")
    options = parser.parse_args()
    keras = _import_keras(options.keras, bridge=not options.no_bridge)
    version = tuple(int(part) for part in keras.__version__.split(".")[:2])
    strategy = None if options.cluster is None else _strategy(options.cluster)
    workers = 0 if strategy is None else strategy._num_workers

    from tests.parity.served.cases import CASES

    for case in CASES.cases:
        chosen = not options.only or case.name in options.only
        if not chosen or not case.runs_on(version) or (workers and workers not in case.workers):
            continue
        directory = options.out / "files" / case.name
        directory.mkdir(parents=True, exist_ok=True)
        env = Env(keras, strategy, 1, 0, directory)
        run = case.run if strategy is not None else case.reference or case.run
        _write(options.out / f"{case.name}.npz", _timed(case.name, run, env))
    os._exit(0)  # the servers are still there, and the coordinator would wait for them


def _strategy(jobs: dict[str, list[str]]) -> Any:
    import tensorflow as tf

    tf.config.optimizer.set_experimental_options({"disable_meta_optimizer": True})
    cluster = tf.train.ClusterSpec(jobs)
    resolver = tf.distribute.cluster_resolver.SimpleClusterResolver(cluster, rpc_layer="grpc")
    # Small models stay whole; the embedding of the rows about parts is cut in two.
    parts = tf.distribute.experimental.partitioners.MinSizePartitioner(1000, max_shards=SERVERS)
    return tf.distribute.ParameterServerStrategy(resolver, variable_partitioner=parts)


if __name__ == "__main__":
    main()
