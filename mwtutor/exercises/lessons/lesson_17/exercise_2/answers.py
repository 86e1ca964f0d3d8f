# == right: one kind after the other, with NumPy
def memory(numbers, workers, stage, slots):
    share = np.ceil(numbers / workers)
    total = np.int64(0)
    total += 4 * (share if stage > 2 else numbers)
    total += 4 * (share if stage > 1 else numbers)
    total += 4 * slots * (share if stage > 0 else numbers)
    return total


# == right: by stage
def memory(numbers, workers, stage, slots):
    most = (numbers + workers - 1) // workers
    return {
        0: 4 * numbers * (2 + slots),
        1: 4 * (2 * numbers + slots * most),
        2: 4 * (numbers + (1 + slots) * most),
        3: 4 * (2 + slots) * most,
    }[stage]


# == wrong: not rounded
def memory(numbers, workers, stage, slots):
    share = numbers / workers
    return 4 * sum((share if stage > at else numbers) * n for at, n in ((2, 1), (1, 1), (0, slots)))


# == wrong: forgets the gradients
def memory(numbers, workers, stage, slots):
    share = -(-numbers // workers)
    return 4 * ((share if stage > 2 else numbers) + slots * (share if stage > 0 else numbers))


# == wrong: all workers together
# says: the total of all workers
def memory(numbers, workers, stage, slots):
    share = -(-numbers // workers)
    return (
        4
        * workers
        * sum((share if stage > at else numbers) * n for at, n in ((2, 1), (1, 1), (0, slots)))
    )


# == wrong: without the optimizer
# says: optimizer's numbers are missing
def memory(numbers, workers, stage, slots):
    share = -(-numbers // workers)
    return 4 * ((share if stage > 2 else numbers) + (share if stage > 1 else numbers))


# == wrong: the share rounded up for all slots together
def memory(numbers, workers, stage, slots):
    def part(count, first):
        return -(-count // workers) if stage >= first else count

    return 4 * (part(numbers, 3) + part(numbers, 2) + part(slots * numbers, 1))


# == wrong: stages counted from 1
def memory(numbers, workers, stage, slots):
    share = -(-numbers // workers)
    return 4 * sum((share if stage > at else numbers) * n for at, n in ((3, 1), (2, 1), (1, slots)))


# == wrong: 16 bits
def memory(numbers, workers, stage, slots):
    share = -(-numbers // workers)
    return 2 * sum((share if stage > at else numbers) * n for at, n in ((2, 1), (1, 1), (0, slots)))


# == wrong: text
def memory(numbers, workers, stage, slots):
    return "less"


# == wrong: a list of the three kinds
def memory(numbers, workers, stage, slots):
    return [4 * numbers, 4 * numbers, 4 * slots * numbers]


# == wrong: raises
def memory(numbers, workers, stage, slots):
    return numbers / stage


# == right: the largest of all workers
def memory(numbers, workers, stage, slots):
    def largest(count, divided):
        parts = workers if divided else 1
        return max((count + worker) // parts for worker in range(parts))

    weights, gradients = largest(numbers, stage == 3), largest(numbers, stage >= 2)
    return (weights + gradients + largest(numbers, stage >= 1) * slots) * 4


# == wrong: rounds up only from a tenth on
def memory(numbers, workers, stage, slots):
    share = int(numbers / workers + 0.9)
    return 4 * (
        (numbers if stage < 3 else share)
        + (numbers if stage < 2 else share)
        + slots * (numbers if stage < 1 else share)
    )
