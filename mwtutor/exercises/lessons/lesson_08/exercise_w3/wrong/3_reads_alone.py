# misconception: one worker can read the sum alone
# says: In your answer, a worker gets the sum although others do not take part in reading it.


def in_files(parts, saving):
    return {task: sum(parts.values()) for task in saving}
