# misconception: the steps are done one after the other
# says: In your answer, one worker does all steps.


def joined_after(seconds, workers):
    return sum(seconds)
