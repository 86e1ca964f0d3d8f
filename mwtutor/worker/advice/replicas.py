"""Errors of calls in a strategy's scope, in its replicas or in a tf.function."""

from __future__ import annotations

from mwtutor.worker.advice.row import Row

ROWS = (
    Row(
        "RuntimeError",
        r"Mixing different tf\.distribute\.Strategy objects",
        "Model, optimizer and metrics were not all made under the same strategy.",
        "Make one strategy, and make all of them inside its scope().",
    ),
    Row(
        "AttributeError",
        r"'NoneType' object has no attribute"
        r" '(?:all_reduce|all_gather|merge_call|replica_id_in_sync_group)'",
        "This is cross-replica context: in the scope, but outside of strategy.run.",
        "Call this, or the optimizer's apply_gradients, in a function that strategy.run calls.",
    ),
    Row(
        "RuntimeError",
        r"[Mm]ethod requires (?:being in )?cross-replica context",
        "This needs cross-replica context, but was called inside a replica.",
        "Call it outside of the function that strategy.run calls; inside,"
        " tf.distribute.get_replica_context() has all_reduce and all_gather.",
    ),
    Row(
        "ValueError",
        r"destinations can not be empty",
        "The argument of a tf.function has no device yet, and was all-reduced unchanged.",
        "Compute something with it first: tf.identity(x) is enough.",
    ),
    Row(
        "ValueError",
        r"A non-DistributedValues value (?s:.*) cannot be reduced with the given reduce op",
        "A plain tensor cannot be reduced here: it is not a replica's part.",
        "Reduce what strategy.run returns.",
    ),
    Row(
        "ValueError",
        r"tf\.function only supports singleton tf\.Variables",
        "A tf.function creates variables each time it is called.",
        "Make the model, the optimizer and the metrics once, outside it.",
    ),
    Row(
        "RuntimeError",
        r"`merge_call` called while defining a new graph or a tf\.function",
        "Replicas exchange values in a branch, such as tf.cond, or in their own tf.function.",
        "Call apply_gradients, or whatever else exchanges them, outside it. To add up gradients of"
        " several steps, use gradient_accumulation_steps of a Keras 3 optimizer.",
    ),
)
