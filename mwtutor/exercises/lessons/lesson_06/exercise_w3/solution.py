def followed_numbers(saved, seconds):
    now, found = 0, [0]
    while found[-1] < len(saved):
        now = max(now, saved[found[-1]])  # wait for the next one, if it does not exist yet
        found.append(sum(at <= now for at in saved))
        now += seconds
    return found[1:]
