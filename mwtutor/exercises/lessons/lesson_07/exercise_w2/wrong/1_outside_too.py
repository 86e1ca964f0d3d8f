# misconception: all_reduce always sums over all workers
# says: Outside, too, the values are summed here, but the default strategy has one replica.


def all_reduced(values, me, place):
    return "error" if place == "scope" else sum(values)
