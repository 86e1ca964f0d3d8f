# misconception: without a strategy there is an error
# says: Outside, your answer is an error, but TensorFlow does not even warn.


def all_reduced(values, me, place):
    return sum(values) if place == "replica" else "error"
