def own(rows, batch, processes, process):
    if batch % processes:
        raise ValueError(f"{processes} processes cannot divide a batch of {batch}")
    return rows[process::processes], batch // processes
