# == right: contiguous rows
def batches_of(rows, context, batch):
    size = context.get_per_replica_batch_size(batch)
    share = -(-len(rows) // context.num_input_pipelines)
    own = rows[share * context.input_pipeline_id :][:share]
    return (own[first : first + size] for first in range(0, len(own), size))


# == right: arrays
import numpy as np


def batches_of(rows, context, batch):
    own = np.array(rows)[context.input_pipeline_id :: context.num_input_pipelines]
    size = context.get_per_replica_batch_size(batch)
    return np.split(own, range(size, len(own), size))


# == right: batches first
def batches_of(rows, context, batch):
    size = context.get_per_replica_batch_size(batch)
    full = len(rows) // (size * context.num_input_pipelines) * context.num_input_pipelines * size
    own = [rows[first : first + size] for first in range(0, full, size)][
        context.input_pipeline_id :: context.num_input_pipelines
    ]
    return [*own, rows[full:][context.input_pipeline_id :: context.num_input_pipelines]]


# == wrong: the second half twice
def batches_of(rows, context, batch):
    size = context.get_per_replica_batch_size(batch)
    own = rows[context.input_pipeline_id :]
    return [own[first : first + size] for first in range(0, len(own), size)]


# == wrong: two pipelines
def batches_of(rows, context, batch):
    size = context.get_per_replica_batch_size(batch)
    own = rows[context.input_pipeline_id :: 2]
    return [own[first : first + size] for first in range(0, len(own), size)]


# == wrong: a batch for each row
def batches_of(rows, context, batch):
    own = rows[context.input_pipeline_id :: context.num_input_pipelines]
    return [[row] for row in own]


# == wrong: one batch
def batches_of(rows, context, batch):
    return [rows[context.input_pipeline_id :: context.num_input_pipelines]]


# == wrong: rows, not batches
def batches_of(rows, context, batch):
    return rows[context.input_pipeline_id :: context.num_input_pipelines]


# == wrong: the first batch only
def batches_of(rows, context, batch):
    size = context.get_per_replica_batch_size(batch)
    return [rows[context.input_pipeline_id :: context.num_input_pipelines][:size]]


# == wrong: rows of another pipeline for one
def batches_of(rows, context, batch):
    size = context.get_per_replica_batch_size(batch)
    own = rows[min(1, context.input_pipeline_id) :: context.num_input_pipelines]
    return [own[first : first + size] for first in range(0, len(own), size)]


# == right: interleaved batches
def batches_of(rows, context, batch):
    size = context.get_per_replica_batch_size(batch)
    whole = [rows[i : i + size] for i in range(0, len(rows), size)]
    return whole[context.input_pipeline_id :: context.num_input_pipelines]
