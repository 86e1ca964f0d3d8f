# misconception: each worker needs its own directory
# says: Runs whose workers share a directory are listed, although they must do so.


def in_danger(directories):
    return sorted(run for run, places in directories.items() if len(set(places.values())) == 1)
