# == right: a list
def for_workers(rows, batch, rate, workers):
    return [
        batch * workers,
        len(range(0, rows - batch * workers + 1, batch * workers)),
        workers * rate,
    ]


# == right: NumPy's numbers
def for_workers(rows, batch, rate, workers):
    each = np.int64(batch) * workers
    return each, np.floor_divide(rows, each), np.float64(rate) * workers


# == right: an array
def for_workers(rows, batch, rate, workers):
    steps = int(rows / batch / workers)
    return np.array([batch * workers, steps, rate * workers])


# == wrong: the numbers of the lesson
def for_workers(rows, batch, rate, workers):
    return 96, 14, 0.15


# == wrong: three workers whatever the argument
def for_workers(rows, batch, rate, workers):
    return batch * 3, rows // (batch * 3), rate * 3


# == wrong: the square root of the workers
def for_workers(rows, batch, rate, workers):
    return batch * workers, rows // (batch * workers), rate * workers**0.5


# == wrong: a partial batch is a step
def for_workers(rows, batch, rate, workers):
    return batch * workers, -(-rows // (batch * workers)), rate * workers


# == wrong: in another order
def for_workers(rows, batch, rate, workers):
    return rows // (batch * workers), batch * workers, rate * workers


# == wrong: nothing changes
def for_workers(rows, batch, rate, workers):
    return batch, rows // batch, rate


# == wrong: steps as a fraction
def for_workers(rows, batch, rate, workers):
    return batch * workers, rows / (batch * workers), rate * workers
