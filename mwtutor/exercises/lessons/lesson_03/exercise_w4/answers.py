# == right: counters
from collections import Counter


def share_the_work(parts, whole):
    steps = zip(zip(*parts), whole)
    return all(Counter(sum(map(list, own), [])) == Counter(list(rows)) for own, rows in steps)


# == right: NumPy's truth
def share_the_work(parts, whole):
    found = [np.sort(np.concatenate([worker[s] for worker in parts])) for s in range(len(whole))]
    return np.all([np.array_equal(a, np.sort(b)) for a, b in zip(found, whole)])


# == right: rows taken out one by one
def share_the_work(parts, whole):
    for step, rows in enumerate(whole):
        left = list(rows)
        for worker in parts:
            for row in worker[step]:
                if row not in left:
                    return False
                left.remove(row)
        if left:
            return False
    return True


# == wrong: always True
def share_the_work(parts, whole):
    return True


# == wrong: always False
def share_the_work(parts, whole):
    return False


# == wrong: only in the same order
def share_the_work(parts, whole):
    return all(
        [row for worker in parts for row in worker[step]] == list(rows)
        for step, rows in enumerate(whole)
    )


# == wrong: no two workers have the same rows
def share_the_work(parts, whole):
    return not any(set(parts[0][s]) & set(parts[-1][s]) for s in range(len(whole)))


# == wrong: the first two workers
def share_the_work(parts, whole):
    return all(
        sorted([*parts[0][s], *parts[-1][s]]) == sorted(rows) for s, rows in enumerate(whole)
    )


# == wrong: each worker has taken the rows of one process
def share_the_work(parts, whole):
    return all(sorted(w[s]) == sorted(rows) for w in parts for s, rows in enumerate(whole))


# == wrong: the sums of the rows
def share_the_work(parts, whole):
    return all(sum(sum(worker[s]) for worker in parts) == sum(rows) for s, rows in enumerate(whole))


# == wrong: the last step is not compared
# says: Right answers:
def share_the_work(parts, whole):
    steps = range(len(whole) - 1)
    return all(sorted(r for p in parts for r in p[s]) == sorted(whole[s]) for s in steps)
