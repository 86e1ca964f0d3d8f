# == right: from the end
def counts(attempts):
    found, end = {}, float("inf")
    for attempt in reversed(attempts):
        pairs = [pair for worker in attempt for pair in worker]
        for step, rows in pairs:
            for row in rows if step < end else []:
                found[row] = found.get(row, 0) + 1
        end = min([end, *[step for step, _ in pairs]])
    return found


# == right: a Counter
def counts(attempts):
    import collections

    found, end = collections.Counter(), float("inf")
    for attempt in attempts[::-1]:
        numbers = [step for worker in attempt for step, _ in worker]
        for worker in attempt:
            for step, rows in worker:
                if step < end:
                    found.update(rows)
        end = min([end, *numbers])
    return found


# == right: with zeros for undone rows, and NumPy's numbers
def counts(attempts):
    rows = {row for attempt in attempts for worker in attempt for _, some in worker for row in some}
    found, end = {row: np.int64(0) for row in rows}, float("inf")
    for attempt in attempts[::-1]:
        for worker in attempt:
            for step, some in worker:
                for row in some:
                    found[row] += step < end
        end = min([end, *[step for worker in attempt for step, _ in worker]])
    return found


# == wrong: each row at most once
def counts(attempts):
    return {
        row: 1 for attempt in attempts for worker in attempt for _, rows in worker for row in rows
    }


# == wrong: only the first attempt
def counts(attempts):
    found = {}
    for worker in attempts[0]:
        for _, rows in worker:
            for row in rows:
                found[row] = found.get(row, 0) + 1
    return found


# == wrong: counts workers
def counts(attempts):
    found, end = {}, float("inf")
    for attempt in reversed(attempts):
        for worker in attempt:
            for step, rows in worker:
                for row in rows if step < end else []:
                    found[row] = found.get(row, 0) + len(attempt)
        end = min([end, *[step for worker in attempt for step, _ in worker]])
    return found


# == wrong: an empty attempt undoes everything
def counts(attempts):
    found, end = {}, float("inf")
    for attempt in reversed(attempts):
        for worker in attempt:
            for step, rows in worker:
                for row in rows if step < end else []:
                    found[row] = found.get(row, 0) + 1
        end = min([end, *[step for worker in attempt for step, _ in worker]])
        if not any(attempt):
            end = 0
    return found


# == wrong: a list
def counts(attempts):
    return [1, 1, 1]


# == wrong: nothing
def counts(attempts):
    return {}


# == wrong: raises
def counts(attempts):
    return attempts.rows


# == wrong: text for numbers
def counts(attempts):
    return {
        row: "1" for attempt in attempts for worker in attempt for _, rows in worker for row in rows
    }


# == wrong: worker 0 has the first step of each attempt
def counts(attempts):
    from collections import Counter

    log = []
    for attempt in attempts:
        if attempt and attempt[0]:
            first = attempt[0][0][0]
            log = [(step, rows) for step, rows in log if step < first]
        log += [pair for worker in attempt for pair in worker]
    return Counter(row for _, rows in log for row in rows)


# == wrong: the latest of the workers' first steps
def counts(attempts):
    from collections import Counter

    log = []
    for attempt in attempts:
        firsts = [worker[0][0] for worker in attempt if worker]
        if firsts:
            log = [(step, rows) for step, rows in log if step < max(firsts)]
        log += [pair for worker in attempt for pair in worker]
    return Counter(row for _, rows in log for row in rows)
