# misconception: the epoch ends when the first worker has no rows
# says: In your answer, the epoch ends when one worker has no rows left: rows are lost.


def file_shards(files, each, workers):
    shards = [files[worker::workers] for worker in range(workers)]
    own = [[row for file in shard for row in file] for shard in shards]
    shortest = min(map(len, own))
    return [[rows[s : s + each] for s in range(0, shortest, each)] for rows in own]
