# == right: parts of each batch
def own(rows, batch, processes, process):
    size, left = divmod(batch, processes)
    if left:
        raise ValueError("no")
    parts = rows.reshape(-1, processes, size, *rows.shape[1:])[:, process]
    return parts.reshape(-1, *rows.shape[1:]), size


# == right: a list, and NumPy's whole number
def own(rows, batch, processes, process):
    if batch % processes != 0:
        raise ValueError
    return [row for at, row in enumerate(rows) if at % processes == process], np.int64(
        batch / processes
    )


# == right: the last process first
def own(rows, batch, processes, process):
    if batch % processes:
        raise ValueError
    return rows[processes - 1 - process :: processes], batch // processes


# == wrong: always process 0
def own(rows, batch, processes, process):
    return rows[::processes], batch // processes


# == wrong: one row each
def own(rows, batch, processes, process):
    return rows[process : process + 1], batch // processes


# == wrong: only the rows
def own(rows, batch, processes, process):
    return rows[process::processes]


# == wrong: batches in turn
def own(rows, batch, processes, process):
    if batch % processes:
        raise ValueError
    batches = np.split(rows, len(rows) // batch)
    return np.concatenate(batches[process::processes]), batch // processes


# == wrong: the batch of all, and parts
def own(rows, batch, processes, process):
    if batch % processes:
        raise ValueError
    return np.array_split(rows, processes)[process], batch


# == wrong: text
def own(rows, batch, processes, process):
    return "all", "half"


# == wrong: another error
def own(rows, batch, processes, process):
    assert batch % processes == 0
    return rows[process::processes], batch // processes
