"""All workers and parameter servers of a cluster, in one process: python -m ... CLUSTER (JSON)."""

from __future__ import annotations

import json
import sys

import tensorflow as tf

if __name__ == "__main__":
    cluster = tf.train.ClusterSpec(json.loads(sys.argv[1]))
    servers = [
        tf.distribute.Server(cluster, job, task)
        for job in cluster.jobs
        for task in cluster.task_indices(job)
    ]
    servers[0].join()
