# == right: a smallest size of 128 KiB
# - partitioner = partitioners.MinSizePartitioner(min_shard_bytes=128 << 10, max_shards=2)
# + partitioner = partitioners.MinSizePartitioner(min_shard_bytes=128 * 1024, max_shards=2)


# == right: its own function
# %%mw
partitioners = tf.distribute.experimental.partitioners


def partitioner(shape, dtype, **rest):
    whole = [1] * len(shape)
    if shape[0] > 5000:
        whole[0] = 2
    return whole


# == right: a largest size of 200,000 bytes
# - partitioner = partitioners.MinSizePartitioner(min_shard_bytes=128 << 10, max_shards=2)
# + partitioner = partitioners.MaxSizePartitioner(max_shard_bytes=200_000)


# == wrong: always two parts
# - partitioner = partitioners.MinSizePartitioner(min_shard_bytes=128 << 10, max_shards=2)
# + partitioner = partitioners.FixedShardsPartitioner(2)


# == wrong: a smallest size that fits into the kernel twice
# - partitioner = partitioners.MinSizePartitioner(min_shard_bytes=128 << 10, max_shards=2)
# + partitioner = partitioners.MinSizePartitioner(min_shard_bytes=1000, max_shards=2)


# == right: a smallest size of 256 KiB, for at most two parts
# - partitioner = partitioners.MinSizePartitioner(min_shard_bytes=128 << 10, max_shards=2)
# + partitioner = partitioners.MinSizePartitioner(min_shard_bytes=256 * 1024, max_shards=2)


# == wrong: a largest size of 50,000 bytes
# - partitioner = partitioners.MinSizePartitioner(min_shard_bytes=128 << 10, max_shards=2)
# + partitioner = partitioners.MaxSizePartitioner(max_shard_bytes=50_000)


# == wrong: up to ten parts
# - partitioner = partitioners.MinSizePartitioner(min_shard_bytes=128 << 10, max_shards=2)
# + partitioner = partitioners.MinSizePartitioner(min_shard_bytes=64 * 1024, max_shards=10)


# == wrong: the number of parts
# says: The cell run-11-1 ended with an error: TypeError on chief:0
# - partitioner = partitioners.MinSizePartitioner(min_shard_bytes=128 << 10, max_shards=2)
# + partitioner = 2


# == wrong: a function that cuts nothing
# - partitioner = partitioners.MinSizePartitioner(min_shard_bytes=128 << 10, max_shards=2)
# + partitioner = lambda shape, dtype, **rest: [1] * len(shape)
