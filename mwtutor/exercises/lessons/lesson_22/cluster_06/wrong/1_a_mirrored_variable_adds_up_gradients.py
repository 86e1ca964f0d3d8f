# misconception: a mirrored variable adds up gradients
# says: twice as far

# %%writefile broken_06.py
from mwtutor.facts import note, own_number
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
with strategy.scope():
    weight = tf.Variable(0.0, aggregation=tf.VariableAggregation.SUM)


@tf.function
def step(gradient):
    strategy.run(lambda: weight.assign_sub(gradient))


step(tf.constant(own_number()))
note("weight", weight)
