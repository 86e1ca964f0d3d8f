# == right: arrays
def data_shard(rows, batch, worker, workers):
    return np.array(rows).reshape(-1, workers, batch // workers)[:, worker]


# == right: batch by batch, into tuples
def data_shard(rows, batch, worker, workers):
    found = ()
    for start in range(0, len(rows), batch):
        whole = rows[start : start + batch]
        size = batch // workers
        found += (tuple(whole[worker * size : worker * size + size]),)
    return found


# == right: a generator
def data_shard(rows, batch, worker, workers):
    for start in range(0, len(rows), batch):
        yield np.split(np.array(rows[start : start + batch]), workers)[worker]


# == wrong: the rows of the lesson
def data_shard(rows, batch, worker, workers):
    return [[2, 3], [6, 7], [10, 11]] if worker else [[0, 1], [4, 5], [8, 9]]


# == wrong: numbers instead of the rows
def data_shard(rows, batch, worker, workers):
    each = batch // workers
    return [list(range(s, s + each)) for s in range(worker * each, len(rows), batch)]


# == wrong: always two workers
def data_shard(rows, batch, worker, workers):
    each = batch // 2
    return [rows[s : s + each] for s in range(worker * each, len(rows), batch)]


# == wrong: always worker 1
def data_shard(rows, batch, worker, workers):
    each = batch // workers
    return [rows[s : s + each] for s in range(each, len(rows), batch)]


# == wrong: batch for each worker
def data_shard(rows, batch, worker, workers):
    starts = range(worker * batch, len(rows), batch * workers)
    return [rows[s : s + batch] for s in starts][: len(rows) // batch]


# == wrong: not divided into steps
def data_shard(rows, batch, worker, workers):
    each = batch // workers
    return [row for s in range(worker * each, len(rows), batch) for row in rows[s : s + each]]


# == wrong: only the first step
def data_shard(rows, batch, worker, workers):
    each = batch // workers
    return [rows[worker * each : worker * each + each]]


# == wrong: the position of a row instead of the row
def data_shard(rows, batch, worker, workers):
    each = batch // workers
    starts = range(worker * each, len(rows), batch)
    return [list(range(start, start + each)) for start in starts]
