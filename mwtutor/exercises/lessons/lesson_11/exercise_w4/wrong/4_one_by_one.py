# misconception: the steps are done one after the other
# says: One worker does all steps here.


def joined_after(seconds, workers):
    return sum(seconds)
