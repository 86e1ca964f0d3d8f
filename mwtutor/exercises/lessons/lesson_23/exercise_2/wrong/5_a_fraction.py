# misconception: a batch size may be a fraction
# says: rows and a whole number


def own(rows, batch, processes, process):
    if batch % processes:
        raise ValueError
    return rows[process::processes], batch / processes
