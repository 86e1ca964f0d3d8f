"""Chief, worker and parameter server, in a program that ``tf.app`` runs with its flags."""

import time

import tensorflow.compat.v1 as tf
from estimator_toy import input_fn, model_fn
from toy import result

tf.app.flags.DEFINE_string("model_dir", "", "Where the checkpoints go.")
tf.app.flags.DEFINE_integer("max_steps", 10, "Of all workers together.")
FLAGS = tf.app.flags.FLAGS


def main(argv):
    tf.logging.set_verbosity(tf.logging.INFO)
    config = tf.estimator.RunConfig(FLAGS.model_dir, experimental_max_worker_delay_secs=0)
    estimator = tf.estimator.Estimator(model_fn, config=config)
    while config.task_type == "worker" and not tf.train.latest_checkpoint(FLAGS.model_dir):
        time.sleep(0.01)  # otherwise, a worker checks for a ready chief only every 30 s
    tf.estimator.train_and_evaluate(
        estimator,
        tf.estimator.TrainSpec(input_fn, max_steps=FLAGS.max_steps),
        tf.estimator.EvalSpec(input_fn, steps=1),
    )
    if config.is_chief:
        step = estimator.get_variable_value("global_step")
        assert step >= FLAGS.max_steps
        result([min(step, FLAGS.max_steps)])


if __name__ == "__main__":
    tf.app.run()
