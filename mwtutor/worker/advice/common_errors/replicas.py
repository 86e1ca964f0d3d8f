"""Errors of calls in a strategy's scope, in its replicas or in a tf.function."""

from __future__ import annotations

from mwtutor.worker.advice.row import Row

ROWS = (
    Row(
        "RuntimeError",
        r"Mixing different tf\.distribute\.Strategy objects",
        "The model, the optimizer and the metrics were not all created under the same strategy.",
        "Create one strategy, and create all of them inside its scope().",
    ),
    Row(
        "AttributeError",
        r"'NoneType' object has no attribute"
        r" '(?:all_reduce|all_gather|merge_call|replica_id_in_sync_group)'",
        "This code runs in cross-replica context: inside the scope, but outside of strategy.run.",
        "Call this method, or the optimizer's apply_gradients, in a function that strategy.run"
        " calls.",
    ),
    Row(
        "RuntimeError",
        r"[Mm]ethod requires (?:being in )?cross-replica context",
        "This method needs cross-replica context, but was called inside a replica.",
        "Call it outside of the function that strategy.run calls; inside,"
        " tf.distribute.get_replica_context() has all_reduce and all_gather.",
    ),
    Row(
        "ValueError",
        r"destinations can not be empty",
        "An argument of a tf.function has no device until something is computed from it, but it was"
        " all-reduced unchanged.",
        "Compute something with it first: tf.identity(x) is enough.",
    ),
    Row(
        "ValueError",
        r"A non-DistributedValues value (?s:.*) cannot be reduced with the given reduce op",
        "A plain tensor cannot be reduced here: it does not have a value for each replica.",
        "Reduce the value that strategy.run returns.",
    ),
    Row(
        "ValueError",
        r"tf\.function only supports singleton tf\.Variables",
        "A tf.function creates variables each time it is called.",
        "Create the model, the optimizer and the metrics once, outside of the function.",
    ),
    Row(
        "RuntimeError",
        r"`merge_call` called while defining a new graph or a tf\.function",
        "Replicas exchange values in a branch, such as tf.cond, or in their own tf.function.",
        "Move apply_gradients, or any other call that exchanges values, out of there. To accumulate"
        " gradients over several steps, use gradient_accumulation_steps of a Keras 3 optimizer.",
    ),
)
