# misconception: without a strategy there is an error
# says: Outside, there is an error in your answer, but TensorFlow gives no warning at all.


def all_reduced(values, me, place):
    return sum(values) if place == "replica" else "error"
