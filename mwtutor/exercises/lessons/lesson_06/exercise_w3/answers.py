# == right: second by second is not needed: a loop over checkpoints
def followed_numbers(saved, seconds):
    found, free, done = [], 0.0, 0
    while done != len(saved):
        start = max(free, saved[done])
        done = max(k for k, at in enumerate(saved, 1) if at <= start)
        found.append(done)
        free = start + seconds
    return tuple(found)


# == right: a generator with NumPy
def followed_numbers(saved, seconds):
    now, number = 0, 0
    while number < len(saved):
        now = max(now, saved[number])
        number = np.searchsorted(saved, now, side="right")
        yield number
        now = now + seconds


# == right: recursion
def followed_numbers(saved, seconds, done=0, free=0):
    if done == len(saved):
        return []
    start = max(free, saved[done])
    latest = len([at for at in saved if at <= start])
    return [latest, *followed_numbers(saved, seconds, latest, start + seconds)]


# == right: a checkpoint that is saved while an evaluation ends is too late for the next
def followed_numbers(saved, seconds):
    free, found = 0, []
    while not found or found[-1] < len(saved):
        latest = sum(at < free for at in saved)
        following = found[-1] + 1 if found else 1
        found.append(max(latest, following))
        free = max(free, saved[found[-1] - 1]) + seconds
    return found


# == wrong: every second one
def followed_numbers(saved, seconds):
    return list(range(1, len(saved) + 1, 2))


# == wrong: the lesson's
def followed_numbers(saved, seconds):
    return [1, 2, 3]


# == wrong: counted from 0
def followed_numbers(saved, seconds):
    now, found = 0, [0]
    while found[-1] < len(saved):
        now = max(now, saved[found[-1]])
        found.append(sum(at <= now for at in saved))
        now += seconds
    return [number - 1 for number in found[1:]]


# == wrong: it does not wait
def followed_numbers(saved, seconds):
    now, found = saved[0], []
    while not found or found[-1] < len(saved):
        found.append(sum(at <= now for at in saved))
        now += seconds
    return found


# == wrong: an evaluation takes a second
def followed_numbers(saved, seconds):
    now, found = 0, [0]
    while found[-1] < len(saved):
        now = max(now, saved[found[-1]])
        found.append(sum(at <= now for at in saved))
        now += 1
    return found[1:]


# == wrong: the oldest new one
def followed_numbers(saved, seconds):
    now, found = 0, 0
    numbers = []
    for number, at in enumerate(saved, 1):
        now = max(now, at) + seconds
        numbers.append(number)
    return numbers


# == wrong: the times instead of the numbers
def followed_numbers(saved, seconds):
    now, found = 0, [0]
    while found[-1] < len(saved):
        now = max(now, saved[found[-1]])
        found.append(sum(at <= now for at in saved))
        now += seconds
    return [saved[number - 1] for number in found[1:]]


# == wrong: without the last
def followed_numbers(saved, seconds):
    now, found = 0, [0]
    while found[-1] < len(saved):
        now = max(now, saved[found[-1]])
        found.append(sum(at <= now for at in saved))
        now += seconds
    return found[1:-1]


# == wrong: a checkpoint that is skipped takes its time
def followed_numbers(saved, seconds):
    now, found = 0, []
    for at in saved:
        now = max(now, at)
        found.append(sum(one <= now for one in saved))
        now += seconds
    return sorted(set(found))
