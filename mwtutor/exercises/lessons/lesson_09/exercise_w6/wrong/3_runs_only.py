# misconception: each worker may have its own directory
# says: Runs whose workers use several directories are missing.


def in_danger(directories):
    used = {run: set(places.values()) for run, places in directories.items()}
    return sorted(
        run
        for run, own in used.items()
        if any(own & other for name, other in used.items() if name != run)
    )
