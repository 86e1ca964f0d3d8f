# == right: bfloat16 in a comprehension
# %%mw
def exchange(gradients):
    context = tf.distribute.get_replica_context()
    return [
        tf.cast(one, tf.float32)
        for one in context.all_reduce("SUM", [tf.cast(g, tf.bfloat16) for g in gradients])
    ]


# == right: one exchange for each gradient
# %%mw
def exchange(gradients):
    context = tf.distribute.get_replica_context()
    out = []
    for g in gradients:
        out.append(
            tf.cast(
                context.all_reduce(tf.distribute.ReduceOp.SUM, tf.cast(g, tf.bfloat16)), tf.float32
            )
        )
    return out


# == right: tf.nest and names of types
# %%mw
def exchange(gradients):
    context = tf.distribute.get_replica_context()
    return tf.nest.map_structure(
        lambda g: tf.cast(g, "float32"),
        context.all_reduce(
            "SUM", tf.nest.map_structure(lambda g: tf.cast(g, "bfloat16"), gradients)
        ),
    )


# == wrong: float16
# %%mw
def exchange(gradients):
    context = tf.distribute.get_replica_context()
    return [
        tf.cast(one, tf.float32)
        for one in context.all_reduce("SUM", [tf.cast(g, tf.float16) for g in gradients])
    ]


# == wrong: not cast back
# %%mw
def exchange(gradients):
    context = tf.distribute.get_replica_context()
    return context.all_reduce("SUM", [tf.cast(g, tf.bfloat16) for g in gradients])


# == wrong: cast after the exchange
# %%mw
def exchange(gradients):
    context = tf.distribute.get_replica_context()
    return [
        tf.cast(tf.cast(one, tf.bfloat16), tf.float32)
        for one in context.all_reduce("SUM", gradients)
    ]


# == wrong: arithmetic instead of an exchange
# %%mw
def exchange(gradients):
    context = tf.distribute.get_replica_context()
    return [2 * g for g in gradients]


# == wrong: float16 of 1024 times the number
# %%mw
def exchange(gradients):
    context = tf.distribute.get_replica_context()
    return [
        tf.cast(one, tf.float32) / 1024
        for one in context.all_reduce("SUM", [tf.cast(g * 1024, tf.float16) for g in gradients])
    ]


# == wrong: the mean
# %%mw
def exchange(gradients):
    context = tf.distribute.get_replica_context()
    return [
        tf.cast(one, tf.float32)
        for one in context.all_reduce("MEAN", [tf.cast(g, tf.bfloat16) for g in gradients])
    ]


# == wrong: 64 bits
# %%mw
def exchange(gradients):
    context = tf.distribute.get_replica_context()
    return [
        tf.cast(one, tf.float32)
        for one in context.all_reduce("SUM", [tf.cast(g, tf.float64) for g in gradients])
    ]
