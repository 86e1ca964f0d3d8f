"""Shared parts of these programs: data that each worker draws itself, and the printed result."""

import json

import numpy as np


def data(examples=32):
    """Data without a seed, as in most programs: workers that train alone get different weights."""
    x = np.random.rand(examples, 4).astype("float32")
    return x, x.sum(axis=1, keepdims=True)


def result(*arrays):
    """Print the numbers that must be the same on every worker."""
    flat = np.concatenate([np.ravel(np.asarray(array, "float64")) for array in arrays])
    print("\nRESULT", json.dumps(flat.tolist()), flush=True)
