# misconception: a missing worker has not begun
# says: Only workers that have entered no collective at all are named.


def missing(entered):
    return [worker for worker, number in enumerate(entered) if number == 0 and any(entered)]
