# misconception: two runs may share a directory
# says: Runs that share a directory are missing.


def in_danger(directories):
    return sorted(run for run, places in directories.items() if len(set(places.values())) > 1)
