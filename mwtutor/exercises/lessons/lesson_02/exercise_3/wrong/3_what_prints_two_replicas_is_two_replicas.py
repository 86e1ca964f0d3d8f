# misconception: a program that prints two replicas has two replicas
# says: no cluster was formed

# %%writefile repaired.py
import json

import tensorflow as tf

import measured

mine = tf.constant(measured.heights())  # two heights that only this worker knows
found = {"replicas": 2, "mean": round(float(tf.reduce_mean(mine)), 2)}
print("RESULT", json.dumps(found))
