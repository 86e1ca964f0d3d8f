# == right: arrays
def evaluated_rows(rows, batch, worker, workers):
    batches = np.split(np.arange(rows), range(batch, rows, batch))
    return np.concatenate(
        [b[-(-len(b) // workers) * worker :][: -(-len(b) // workers)] for b in batches]
    )


# == right: row by row
def evaluated_rows(rows, batch, worker, workers):
    for row in range(rows):
        first = row - row % batch
        each = -(-min(batch, rows - first) // workers)
        if (row - first) // each == worker:
            yield row


# == right: a tuple
import math


def evaluated_rows(rows, batch, worker, workers):
    found = ()
    for first in range(0, rows, batch):
        of_batch = list(range(first, min(first + batch, rows)))
        each = math.ceil(len(of_batch) / workers)
        found += tuple(of_batch[each * worker : each * worker + each])
    return found


# == wrong: the numbers of the lesson
def evaluated_rows(rows, batch, worker, workers):
    return list(range(149)) if worker == 0 else list(range(149, 297))


# == wrong: always two workers
def evaluated_rows(rows, batch, worker, workers):
    found = []
    for first in range(0, rows, batch):
        part = list(range(first, min(first + batch, rows)))
        each = -(-len(part) // 2)
        found += part[each * worker : each * worker + each]
    return found


# == wrong: always worker 0
def evaluated_rows(rows, batch, worker, workers):
    found = []
    for first in range(0, rows, batch):
        part = list(range(first, min(first + batch, rows)))
        found += part[: -(-len(part) // workers)]
    return found


# == wrong: rounded down
def evaluated_rows(rows, batch, worker, workers):
    found = []
    for first in range(0, rows, batch):
        part = list(range(first, min(first + batch, rows)))
        each = len(part) // workers
        found += part[each * worker : each * worker + each]
    return found


# == wrong: how many rows
def evaluated_rows(rows, batch, worker, workers):
    return -(-rows // workers)


# == wrong: batch by batch, in lists
def evaluated_rows(rows, batch, worker, workers):
    found = []
    for first in range(0, rows, batch):
        part = list(range(first, min(first + batch, rows)))
        each = -(-len(part) // workers)
        found.append(part[each * worker : each * worker + each])
    return found
