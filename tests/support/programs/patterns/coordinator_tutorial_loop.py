"""As in the tutorial on parameter servers: a loop, lookup layers, and a partitioned embedding."""

import random

import tensorflow as tf
from toy import result

cluster = tf.distribute.cluster_resolver.TFConfigClusterResolver()
if cluster.task_type in ("worker", "ps"):
    server = tf.distribute.Server(
        cluster.cluster_spec(), job_name=cluster.task_type, task_index=cluster.task_id
    )
    server.join()

parts = tf.distribute.experimental.partitioners.FixedShardsPartitioner(2)
strategy = tf.distribute.ParameterServerStrategy(cluster, variable_partitioner=parts)
films = ["avenger", "ironman", "batman", "hulk", "spiderman", "kingkong", "wonder_woman"]

with strategy.scope():
    feature_lookup = tf.keras.layers.StringLookup(vocabulary=films, mask_token=None)
    label_lookup = tf.keras.layers.StringLookup(
        vocabulary=["yes", "no"], num_oov_indices=0, mask_token=None
    )
    raw_feature = tf.keras.layers.Input(shape=(3,), dtype=tf.string, name="feature")
    feature_stage = tf.keras.Model({"features": raw_feature}, feature_lookup(raw_feature))
    raw_label = tf.keras.layers.Input(shape=(1,), dtype=tf.string, name="label")
    label_stage = tf.keras.Model({"label": raw_label}, label_lookup(raw_label))


def examples(number=200):
    features = [random.sample(films, 3) for _ in range(number)]
    labels = [["yes"] if "avenger" in three else ["no"] for three in features]
    return {"features": features, "label": labels}


def dataset_fn(_):
    def prepared(row):
        features = feature_stage({"features": row["features"]})
        return {"features": features}, label_stage({"label": row["label"]})

    raw = tf.data.Dataset.from_tensor_slices(examples())
    return raw.shuffle(200).batch(32).map(prepared).repeat()


with strategy.scope():
    model_input = tf.keras.layers.Input(shape=(3,), dtype=tf.int64, name="model_input")
    embedding = tf.keras.layers.Embedding(len(feature_lookup.get_vocabulary()), 64)
    average = tf.keras.layers.GlobalAveragePooling1D()(embedding(model_input))
    output = tf.keras.layers.Dense(units=1, activation="sigmoid")(average)
    model = tf.keras.Model({"features": model_input}, output)
    optimizer = tf.keras.optimizers.RMSprop(learning_rate=0.1)

assert len(embedding.weights) == 2
assert embedding.weights[0].shape == embedding.weights[1].shape == (4, 64)


@tf.function
def step_fn(iterator):
    def replica_fn(batch, labels):
        with tf.GradientTape() as tape:
            pred = model(batch, training=True)
            per_example = tf.keras.losses.BinaryCrossentropy(reduction=None)(labels, pred)
            loss = tf.nn.compute_average_loss(per_example)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        return loss

    batch, labels = next(iterator)
    losses = strategy.run(replica_fn, args=(batch, labels))
    return strategy.reduce(tf.distribute.ReduceOp.SUM, losses, axis=None)


coordinator = tf.distribute.coordinator.ClusterCoordinator(strategy)


@tf.function
def per_worker_dataset_fn():
    return strategy.distribute_datasets_from_function(dataset_fn)


iterator = iter(coordinator.create_per_worker_dataset(per_worker_dataset_fn))
for _ in range(4):
    for _ in range(5):
        loss = coordinator.schedule(step_fn, args=(iterator,))
    coordinator.join()
assert loss.fetch() < 0.6
result([optimizer.iterations.numpy()])
