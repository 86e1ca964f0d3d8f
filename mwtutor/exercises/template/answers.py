# == right: takes one row after the other, into a tuple
def share(rows, worker, workers):
    return tuple(row for at, row in enumerate(rows) if at % workers == worker)


# == wrong: begins one row late
def share(rows, worker, workers):
    return rows[worker + 1 :: workers]
