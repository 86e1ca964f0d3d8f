def batches_of(rows, context, batch):
    """The batches of one pipeline, for `PER_REPLICA`.

    Together, the pipelines read each row once; each takes
    `context.get_per_replica_batch_size(batch)` rows at a time.

    Returns a list of batches, which are lists of rows; the last batch may be smaller.

    context: as in dataset_fn, with num_input_pipelines, input_pipeline_id and
    get_per_replica_batch_size
    """
    return None
