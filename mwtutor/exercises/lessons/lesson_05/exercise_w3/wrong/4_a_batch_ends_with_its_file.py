# misconception: a batch ends with its file
# says: In your answer, no batch has rows of two files, but batches are made after files are read.


def file_shards(files, each, workers):
    own = [
        [file[s : s + each] for file in files[worker::workers] for s in range(0, len(file), each)]
        for worker in range(workers)
    ]
    longest = max(map(len, own))
    return [steps + [[]] * (longest - len(steps)) for steps in own]
