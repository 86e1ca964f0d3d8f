# == right: a set of numbers, into a tuple
def missing(entered):
    if len(set(entered)) == 1:
        return ()
    return tuple(w for w in range(len(entered)) if entered[w] == min(entered))


# == right: NumPy
def missing(entered):
    return np.flatnonzero(np.array(entered) < max(entered))


# == right: compared with each other
def missing(entered):
    return (w for w, mine in enumerate(entered) if any(mine < other for other in entered))


# == wrong: always worker 1
def missing(entered):
    return [1]


# == wrong: nobody
def missing(entered):
    return []


# == wrong: compared with worker 0
def missing(entered):
    return [worker for worker, number in enumerate(entered) if number < entered[0]]


# == wrong: compared with the next one
def missing(entered):
    return [w for w in range(len(entered)) if entered[w] < entered[(w + 1) % len(entered)]]


# == wrong: how many
def missing(entered):
    return sum(number < max(entered) for number in entered)


# == wrong: True for each that is missing
def missing(entered):
    return [number < max(entered) for number in entered]


# == wrong: their collectives instead of the workers
def missing(entered):
    return [number for number in entered if number < max(entered)]


# == wrong: named as in the panel
def missing(entered):
    return [f"worker:{w}" for w, number in enumerate(entered) if number < max(entered)]


# == wrong: two of them at most
def missing(entered):
    return [worker for worker, number in enumerate(entered) if number < max(entered)][:2]
