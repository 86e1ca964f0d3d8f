"""What is there before the first cell: run in every worker, and written into exported scripts."""

#: The strategy comes before any other TensorFlow operation: it is what joins the cluster.
SOURCE = """\
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
task_type = strategy.cluster_resolver.task_type or "worker"
task_index = strategy.cluster_resolver.task_id or 0
_jobs = strategy.cluster_resolver.cluster_spec().as_dict()
num_workers = max(1, len(_jobs.get("chief", [])) + len(_jobs.get("worker", [])))
is_chief = task_type == "chief" or (task_index == 0 and not _jobs.get("chief"))
"""
