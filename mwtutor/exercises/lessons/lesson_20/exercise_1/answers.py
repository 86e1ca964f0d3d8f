# == right: in blocks
def share(order, done, batch, worker, workers):
    rows = order[done : done + batch]
    return rows[worker * len(rows) // workers : (worker + 1) * len(rows) // workers]


# == right: with numpy
def share(order, done, batch, worker, workers):
    return np.array_split(np.asarray(order)[done : done + batch], workers)[worker]


# == right: the last worker first
def share(order, done, batch, worker, workers):
    return tuple(order[done : done + batch][workers - 1 - worker :: workers])


# == right: a generator
def share(order, done, batch, worker, workers):
    return (row for at, row in enumerate(order[done : done + batch]) if at % workers == worker)


# == wrong: from the beginning
def share(order, done, batch, worker, workers):
    return order[:batch][worker::workers]


# == wrong: does not shuffle
def share(order, done, batch, worker, workers):
    return list(range(done, min(done + batch, len(order))))[worker::workers]


# == wrong: only two workers
def share(order, done, batch, worker, workers):
    return order[done : done + batch][worker::2]


# == wrong: begins again at the end of the epoch
def share(order, done, batch, worker, workers):
    return [order[at % len(order)] for at in range(done, done + batch)][worker::workers]


# == wrong: one row early
def share(order, done, batch, worker, workers):
    return order[max(0, done - 1) : done + batch - 1][worker::workers]


# == wrong: a text
def share(order, done, batch, worker, workers):
    return "rows"


# == wrong: a number
def share(order, done, batch, worker, workers):
    return 7


# == wrong: raises
def share(order, done, batch, worker, workers):
    return order.rows


# == wrong: positions instead of rows
def share(order, done, batch, worker, workers):
    return list(range(len(order)))[done : done + batch][worker::workers]


# == wrong: nothing
def share(order, done, batch, worker, workers):
    return []


# == wrong: takes what is done out of order
def share(order, done, batch, worker, workers):
    del order[:done]
    return order[:batch][worker::workers]
