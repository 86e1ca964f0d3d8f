# misconception: a reduced value is the mean
# says: In a replica, your answer is the mean.


def all_reduced(values, me, place):
    found = {"scope": "error", "outside": values[me], "replica": sum(values) / len(values)}
    return found[place]
