"""ipyparallel: new engines for each launch, because a process can join only one cluster.

Its user learns of a failure when the call that waits for all engines returns.
"""

import os

import ipyparallel
from driving import drive, tf_configs


def task(where: str, config: str, paths: list[str]) -> None:
    import os
    import sys

    os.environ["TF_CONFIG"] = config
    sys.path[:0] = paths
    from driving import become

    become(where)


def launch(workers: int) -> None:
    here = [os.path.dirname(os.path.abspath(__file__))]
    with tf_configs(workers) as configs, ipyparallel.Cluster(n=workers, log_level=40) as client:
        client[:].map_sync(task, [os.getcwd()] * workers, configs, [here] * workers)


drive(launch)
