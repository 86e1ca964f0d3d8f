# misconception: each worker ends when its rows do
# says: In your answer, a worker with fewer rows has fewer steps: the others would wait for it.


def file_shards(files, each, workers):
    shards = [files[worker::workers] for worker in range(workers)]
    own = [[row for file in shard for row in file] for shard in shards]
    return [[rows[s : s + each] for s in range(0, len(rows), each)] for rows in own]
