"""An Estimator as in the premade guides: ``train``, then ``evaluate``, without a strategy."""

import tensorflow as tf
from estimator_toy import input_fn, model_fn

estimator = tf.estimator.Estimator(model_fn, "model")
estimator.train(input_fn, steps=3)
print(estimator.evaluate(input_fn, steps=1))
