# misconception: a batch size may be a fraction
# says: a whole batch size


def own(rows, batch, processes, process):
    if batch % processes:
        raise ValueError
    return rows[process::processes], batch / processes
