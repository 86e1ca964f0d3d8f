# misconception: the scope is the place for collectives
# says: In the scope, the values are summed in your answer, but no replica could call it.


def all_reduced(values, me, place):
    return values[me] if place == "outside" else sum(values)
