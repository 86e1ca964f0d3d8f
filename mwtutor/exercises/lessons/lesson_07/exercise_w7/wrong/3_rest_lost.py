# misconception: only full batches are read
# says: no pipeline reads


def batches_of(rows, context, batch):
    size = context.get_per_replica_batch_size(batch)
    own = rows[context.input_pipeline_id :: context.num_input_pipelines]
    return [own[first : first + size] for first in range(0, len(own) - size + 1, size)]
