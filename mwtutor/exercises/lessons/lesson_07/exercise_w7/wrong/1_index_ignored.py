# misconception: the strategy divides the rows
# says: each pipeline reads all rows


def batches_of(rows, context, batch):
    size = context.get_per_replica_batch_size(batch)
    return [rows[first : first + size] for first in range(0, len(rows), size)]
