# misconception: each pipeline takes the global batch
# says: a pipeline takes the global batch


def batches_of(rows, context, batch):
    own = rows[context.input_pipeline_id :: context.num_input_pipelines]
    return [own[first : first + batch] for first in range(0, len(own), batch)]
