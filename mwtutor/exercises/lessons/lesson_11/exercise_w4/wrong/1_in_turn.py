# misconception: steps are dealt to the workers in turn
# says: In your answer, the workers take steps in turn, whether or not they are free.


def joined_after(seconds, workers):
    return max([sum(seconds[worker::workers]) for worker in range(workers)])
