def own(rows, batch, processes, process):
    return None
