# misconception: the steps are done one after the other
# says: One worker does all steps in your answer.


def joined_after(seconds, workers):
    return sum(seconds)
