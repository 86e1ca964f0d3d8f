# misconception: task 0 is the chief
# says: In your answer, each task with the index 0 is a chief, in every job.


def is_chief(told):
    return not told or told["task"]["index"] == 0
