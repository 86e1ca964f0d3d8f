# misconception: somebody is always missing
# says: Your answer names workers even if all have entered the same collectives.


def missing(entered):
    return [worker for worker, number in enumerate(entered) if number == min(entered)]
