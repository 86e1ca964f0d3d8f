"""Whether collectives still work in this worker: after an error in one, all later ones fail."""

from __future__ import annotations

import os
import re

#: TensorFlow's text before the reason.
_ABORTED = re.compile(r"Collective ops is aborted by: ([^\n]*)")

#: A group that no strategy uses, with this worker as its only member.
_GROUP, _INSTANCE = 1_000_000_007, 1


def why_lost() -> str:
    """Why collectives no longer work here; empty if they do. No other worker takes part."""
    import tensorflow as tf
    from tensorflow.python.ops import gen_collective_ops  # not a collective of the program

    group = _GROUP - os.getpid()
    try:
        with tf.device("CPU:0"):
            gen_collective_ops.collective_reduce_v2(
                tf.constant(1.0), 1, group, _INSTANCE, [], merge_op="Add", final_op="Id"
            )
    except tf.errors.OpError as error:
        found = _ABORTED.search(str(error))
        return found[1] if found else ""
    return ""
