# == right: loops and tuples
def file_shards(files, each, workers):
    own = [[] for _ in range(workers)]
    for number, file in enumerate(files):
        own[number % workers].extend(file)
    steps = -(-max(map(len, own)) // each)
    return tuple(tuple(rows[s * each : s * each + each] for s in range(steps)) for rows in own)


# == right: taken from the front
def file_shards(files, each, workers):
    own = [[row for file in files[k::workers] for row in file] for k in range(workers)]
    found = [[] for _ in own]
    while any(own):
        for steps, rows in zip(found, own):
            steps.append(rows[:each])
            del rows[:each]
    return found


# == right: arrays of rows
def file_shards(files, each, workers):
    own = [np.array(sum(files[k::workers], []), int) for k in range(workers)]
    steps = max(-(-len(rows) // each) for rows in own)
    return [[rows[s * each : (s + 1) * each] for s in range(steps)] for rows in own]


# == wrong: the lesson's answer
def file_shards(files, each, workers):
    return [[[0, 1], [2, 9], [10, 11]], [[3, 4], [5], []], [[6, 7], [8], []]]


# == wrong: always two rows in a step
def file_shards(files, each, workers):
    own = [sum(files[worker::workers], []) for worker in range(workers)]
    return [[rows[s : s + 2] for s in range(0, max(map(len, own)), 2)] for rows in own]


# == wrong: always three workers
def file_shards(files, each, workers):
    own = [sum(files[worker::3], []) for worker in range(3)]
    return [[rows[s : s + each] for s in range(0, max(map(len, own)), each)] for rows in own]


# == wrong: each and workers swapped
def file_shards(files, each, workers):
    each, workers = workers, each
    own = [sum(files[worker::workers], []) for worker in range(workers)]
    return [[rows[s : s + each] for s in range(0, max(map(len, own)), each)] for rows in own]


# == wrong: not divided into steps
def file_shards(files, each, workers):
    return [sum(files[worker::workers], []) for worker in range(workers)]


# == wrong: rows instead of files in turn
def file_shards(files, each, workers):
    rows = sum(files, [])
    own = [rows[worker::workers] for worker in range(workers)]
    return [[part[s : s + each] for s in range(0, max(map(len, own)), each)] for part in own]


# == wrong: the numbers of rows
def file_shards(files, each, workers):
    own = [sum(map(len, files[worker::workers])) for worker in range(workers)]
    return [[max(0, min(each, n - s)) for s in range(0, max(own), each)] for n in own]
