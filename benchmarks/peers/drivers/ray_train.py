"""Ray Train's ``TensorflowTrainer``, on a running Ray cluster, whose start is not counted."""

import os
import sys

import ray
from driving import become, drive
from ray.train import RunConfig, ScalingConfig
from ray.train.tensorflow import TensorflowTrainer


def task(order: dict) -> None:
    sys.path.insert(0, order["drivers"])
    become(order["where"])


def launch(workers: int) -> None:
    here = os.path.dirname(os.path.abspath(__file__))
    TensorflowTrainer(
        task,
        train_loop_config={"where": os.getcwd(), "drivers": here},
        scaling_config=ScalingConfig(num_workers=workers),
        run_config=RunConfig(storage_path=os.path.join(os.getcwd(), "ray")),
    ).fit()


here = os.path.dirname(os.path.abspath(__file__))
ray.init(
    num_cpus=int(sys.argv[1]) + 1,
    include_dashboard=False,
    runtime_env={"env_vars": {"PYTHONPATH": here}},
)
ray.get(ray.remote(lambda: None).remote())
drive(launch)
