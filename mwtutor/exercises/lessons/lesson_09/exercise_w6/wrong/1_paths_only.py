# misconception: equal paths mean one directory
# says: In your answer, equal paths on different disks count as one directory.


def in_danger(directories):
    paths = {run: {path for _, path in places.values()} for run, places in directories.items()}
    return sorted(
        run
        for run, own in paths.items()
        if len(own) > 1 or any(own & other for name, other in paths.items() if name != run)
    )
