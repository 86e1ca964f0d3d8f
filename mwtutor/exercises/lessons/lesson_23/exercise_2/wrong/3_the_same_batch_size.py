# misconception: the batch size is that of all processes
# says: a step uses 8 rows


def own(rows, batch, processes, process):
    if batch % processes:
        raise ValueError
    return rows[process::processes], batch
