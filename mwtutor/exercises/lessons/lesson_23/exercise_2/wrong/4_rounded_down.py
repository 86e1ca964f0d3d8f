# misconception: a remainder may be left out
# says: does not raise ValueError


def own(rows, batch, processes, process):
    return rows[process::processes], batch // processes
