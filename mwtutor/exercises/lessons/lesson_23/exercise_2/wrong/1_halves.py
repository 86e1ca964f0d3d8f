# misconception: each process takes its part of the file
# says: does not use the rows


def own(rows, batch, processes, process):
    if batch % processes:
        raise ValueError
    each = len(rows) // processes
    return rows[process * each : (process + 1) * each], batch // processes
