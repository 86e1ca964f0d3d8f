def file_shards(files, each, workers):
    shards = [files[worker::workers] for worker in range(workers)]
    own = [[row for file in shard for row in file] for shard in shards]
    longest = max(map(len, own))
    return [[rows[s : s + each] for s in range(0, longest, each)] for rows in own]
