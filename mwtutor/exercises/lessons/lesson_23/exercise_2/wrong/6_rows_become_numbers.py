# misconception: a row is one number
# says: these are not its rows


def own(rows, batch, processes, process):
    if batch % processes:
        raise ValueError
    size = batch // processes
    return rows.reshape(-1, processes, size)[:, process].ravel(), size
