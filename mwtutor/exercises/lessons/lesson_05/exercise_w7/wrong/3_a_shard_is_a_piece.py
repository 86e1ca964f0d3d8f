# misconception: a shard is a piece
# says: In your answer, a worker gets neighboring rows.


def prepared(rows, work, worker, workers):
    size = -(-len(rows) // workers)
    return [work(row) for row in rows[worker * size : (worker + 1) * size]]
