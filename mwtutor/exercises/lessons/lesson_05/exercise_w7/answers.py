# == right: map
def prepared(rows, work, worker, workers):
    return map(work, rows[worker::workers])


# == right: by index, into a tuple
def prepared(rows, work, worker, workers):
    return tuple(work(row) for at, row in enumerate(rows) if at % workers == worker)


# == right: an array
def prepared(rows, work, worker, workers):
    return np.array([work(rows[at]) for at in range(worker, len(rows), workers)])


# == wrong: every other row
def prepared(rows, work, worker, workers):
    return [work(row) for row in rows[worker::2]]


# == wrong: every row of worker 0
def prepared(rows, work, worker, workers):
    return [work(row) for row in rows[::workers]]


# == wrong: no work at all
def prepared(rows, work, worker, workers):
    return rows[worker::workers]


# == wrong: work is called twice
def prepared(rows, work, worker, workers):
    return [work(row) for row in rows[worker::workers] if work(row) is not None]


# == wrong: worker and workers swapped
def prepared(rows, work, worker, workers):
    return [work(row) for row in rows[workers :: worker + 1]]


# == wrong: by the row's value
def prepared(rows, work, worker, workers):
    return [work(row) for row in rows if row % workers == worker]


# == wrong: what work does is guessed
def prepared(rows, work, worker, workers):
    return [2 * row for row in rows[worker::workers]]


# == wrong: a result of 0 is left out
def prepared(rows, work, worker, workers):
    return list(filter(None, map(work, rows[worker::workers])))
