# misconception: all_reduce always sums over all workers
# says: Your answer sums the values outside, too, but the default strategy has one replica.


def all_reduced(values, me, place):
    return "error" if place == "scope" else sum(values)
