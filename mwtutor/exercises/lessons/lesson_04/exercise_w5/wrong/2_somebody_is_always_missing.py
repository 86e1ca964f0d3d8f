# misconception: somebody is always missing
# says: Workers are named in your answer even if all have entered the same collectives.


def missing(entered):
    return [worker for worker, number in enumerate(entered) if number == min(entered)]
