"""TensorFlow's own ``multi_process_runner``, which its tests use.

Outside TensorFlow's build system, the runner does not find the program that it has to execute again
(``test_main`` raises an error). So this driver marks the runner as initialized, and
``multiprocessing`` finds the interpreter without it.
"""

import functools
import os

from driving import become, drive
from tensorflow.python.distribute import multi_process_lib, multi_process_runner
from tensorflow.python.distribute.multi_worker_test_base import create_cluster_spec

multi_process_lib._test_main_called = True


def launch(workers: int) -> None:
    task = functools.partial(become, os.getcwd())
    multi_process_runner.run(task, create_cluster_spec(num_workers=workers), timeout=None)


if __name__ == "__main__":
    drive(launch)
