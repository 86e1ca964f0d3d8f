# misconception: the workers that have entered the most collectives are missing
# says: These workers have entered the most collectives: no worker waits for them.


def missing(entered):
    return [worker for worker, number in enumerate(entered) if number == max(entered)]
