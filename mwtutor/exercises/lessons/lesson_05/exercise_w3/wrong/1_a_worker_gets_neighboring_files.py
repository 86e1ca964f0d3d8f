# misconception: a worker gets neighboring files
# says: In your answer, a worker gets files that follow each other.


def file_shards(files, each, workers):
    size = -(-len(files) // workers)
    shards = [files[size * worker : size * worker + size] for worker in range(workers)]
    own = [[row for file in shard for row in file] for shard in shards]
    longest = max(map(len, own))
    return [[rows[s : s + each] for s in range(0, longest, each)] for rows in own]
