"""The plain recipe: one process per worker, each with its ``TF_CONFIG``, started together.

Its user learns of a failure when a process other than the killed one exits with an error.
"""

import os
import subprocess
import sys
import time

from driving import drive, tf_configs


def launch(workers: int) -> None:
    with tf_configs(workers) as configs:
        running = []
        for index, config in enumerate(configs):
            with open(f"job_{index}.log", "w") as log:
                running.append(
                    subprocess.Popen(
                        [sys.executable, "main.py"],
                        env={**os.environ, "TF_CONFIG": config},
                        stdout=log,
                        stderr=log,
                    )
                )
        while running:
            for one in [one for one in running if one.poll() is not None]:
                running.remove(one)
                if one.returncode > 0 or one.returncode < -9:
                    raise RuntimeError(f"a worker ended with status {one.returncode}")
            time.sleep(0.005)


drive(launch)
