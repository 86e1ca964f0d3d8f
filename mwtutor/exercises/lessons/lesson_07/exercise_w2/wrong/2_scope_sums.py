# misconception: the scope is the place for collectives
# says: In the scope, your answer sums the values, but no replica makes this call.


def all_reduced(values, me, place):
    return values[me] if place == "outside" else sum(values)
