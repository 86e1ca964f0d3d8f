def in_danger(directories):
    found = set()
    for run, places in directories.items():
        others = [set(one.values()) for name, one in directories.items() if name != run]
        if len(set(places.values())) > 1 or set(places.values()) & set().union(*others):
            found.add(run)
    return sorted(found)
