# == right: tables made by comprehensions, the rows divided by the index
# - PEERS = {0: [FIRST, SECOND], 1: [FIRST, SECOND]}
# - RELEASE = {0: "release_2", 1: "release_2"}
# - BATCH = {0: 8, 1: 8}
# + PEERS = {at: [FIRST, SECOND] for at in range(2)}
# + RELEASE = ("release_2", "release_2")
# + BATCH = dict.fromkeys(range(2), 8)
# -     rows = depot.rows().shard(context.num_input_pipelines, context.input_pipeline_id)
# -     return rows.repeat().batch(BATCH[index])
# +     rows = depot.rows()
# +     return rows.shard(2, index).repeat().batch(BATCH[index])


# == right: the others save to a temporary directory
# - import os
# + import os
# + import tempfile
# -     checkpoint.save(f"model-{index}/checkpoint")
# +     if index == 0:
# +         checkpoint.save("model-0/checkpoint")
# +     else:
# +         with tempfile.TemporaryDirectory() as own:
# +             checkpoint.save(os.path.join(own, "checkpoint"))


# == right: a global dataset, which the strategy shares out
# - def data(context):
# -     rows = depot.rows().shard(context.num_input_pipelines, context.input_pipeline_id)
# -     return rows.repeat().batch(BATCH[index])
# + def data():
# +     return depot.rows().repeat().batch(sum(BATCH.values()))
# -     iterator = iter(strategy.distribute_datasets_from_function(data))
# +     iterator = iter(strategy.experimental_distribute_dataset(data()))


# == right: a manager of checkpoints
# -     checkpoint.save(f"model-{index}/checkpoint")
# +     tf.train.CheckpointManager(checkpoint, f"model-{index}", max_to_keep=1).save()


# == right: mwtutor chooses the path, and the context gives the batch size
# - import depot
# + import depot
# + import mwtutor
# -     return rows.repeat().batch(BATCH[index])
# +     return rows.repeat().batch(context.get_per_replica_batch_size(16))
# -     checkpoint.save(f"model-{index}/checkpoint")
# +     with mwtutor.write_filepath("model-0/checkpoint") as path:
# +         checkpoint.save(path)


# == wrong: the address is repaired, and nothing else
# says: worker:0 executed release_2, and worker:1 release_1.
# - RELEASE = {0: "release_2", 1: "release_2"}
# - BATCH = {0: 8, 1: 8}
# + RELEASE = {0: "release_2", 1: "release_1"}
# + BATCH = {0: 8, 1: 4}
# -     return rows.repeat().batch(BATCH[index])
# +     return rows.shard(2, index).repeat().batch(BATCH[index])
# -     checkpoint.save(f"model-{index}/checkpoint")
# +     if index == 0:
# +         checkpoint.save(f"model-{index}/checkpoint")


# == wrong: both execute release 1
# - RELEASE = {0: "release_2", 1: "release_2"}
# + RELEASE = {0: "release_1", 1: "release_1"}


# == wrong: four rows on each
# - BATCH = {0: 8, 1: 8}
# + BATCH = {0: 4, 1: 4}


# == wrong: nobody divides the rows
# -     rows = depot.rows().shard(context.num_input_pipelines, context.input_pipeline_id)
# -     return rows.repeat().batch(BATCH[index])
# +     return depot.rows().repeat().batch(BATCH[index])


# == wrong: both save to one place
# -     checkpoint.save(f"model-{index}/checkpoint")
# +     checkpoint.save("model-0/checkpoint")


# == wrong: only the weights are saved
# -     checkpoint = tf.train.Checkpoint(weights=weights, seen=seen)
# -     checkpoint.save(f"model-{index}/checkpoint")
# +     checkpoint = tf.train.Checkpoint(weights=weights)
# +     if index == 0:
# +         checkpoint.save(f"model-{index}/checkpoint")


# == wrong: worker 1 saves, and not worker 0
# -     checkpoint.save(f"model-{index}/checkpoint")
# +     if index == 1:
# +         checkpoint.save(f"model-{index}/checkpoint")


# == wrong: each its own cluster
# says: worker:0 has the addresses of 1 of 2 workers
# - PEERS = {0: [FIRST, SECOND], 1: [FIRST, SECOND]}
# + PEERS = {0: [FIRST], 1: [SECOND]}


# == wrong: the rows are read before there is a strategy
# says: The addresses are right, but a worker did not train to the end
# - def data(context):
# -     rows = depot.rows().shard(context.num_input_pipelines, context.input_pipeline_id)
# -     return rows.repeat().batch(BATCH[index])
# + data = depot.rows().repeat().batch(sum(BATCH.values()))
# -     iterator = iter(strategy.distribute_datasets_from_function(data))
# +     iterator = iter(strategy.experimental_distribute_dataset(data))


# == wrong: both write to one place
# says: both saved to one place
# -     checkpoint.save(f"model-{index}/checkpoint")
# +     checkpoint.write("model-0/checkpoint")


# == wrong: one manager's directory for both
# says: both saved to one place
# -     checkpoint.save(f"model-{index}/checkpoint")
# +     tf.train.CheckpointManager(checkpoint, "model-0", max_to_keep=1).save()


# == wrong: the part of worker 0
# says: `seen` is 128; both workers together have seen 256 rows
# -     checkpoint = tf.train.Checkpoint(weights=weights, seen=seen)
# -     checkpoint.save(f"model-{index}/checkpoint")
# +     if index == 0:
# +         (part,) = strategy.experimental_local_results(seen)
# +         checkpoint = tf.train.Checkpoint(weights=weights, seen=tf.Variable(part))
# +         checkpoint.save("model-0/checkpoint")


# == wrong: saved before the training
# says: has different `weights`
# -         seen = depot.counter()  # a part on each worker: what it has seen
# +         seen = depot.counter()  # a part on each worker: what it has seen
# +     tf.train.Checkpoint(weights=weights, seen=seen).save(f"model-{index}/checkpoint")
# - with depot.within(5, "to save"):
# -     checkpoint = tf.train.Checkpoint(weights=weights, seen=seen)
# -     checkpoint.save(f"model-{index}/checkpoint")
# +


# == right: both read the sum, and the chief saves it
# -     checkpoint = tf.train.Checkpoint(weights=weights, seen=seen)
# -     checkpoint.save(f"model-{index}/checkpoint")
# +     total = tf.Variable(seen.read_value())
# +     if index == 0:
# +         tf.train.Checkpoint(weights=weights, seen=total).save("model-0/checkpoint")


# == wrong: a line with notes is missing
# says: A worker did not record its weights
# -     notes.end(weights)
# +
