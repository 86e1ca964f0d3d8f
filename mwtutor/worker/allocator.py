"""Have the C library keep the memory that each training step gives back and takes again.

Gradients travel through buffers of some megabytes. Left to itself, glibc returns them to the kernel
at every step, and the kernel clears every page of them again; ``benchmarks/exchange.py`` measures
what that costs, in time and in memory.
"""

from __future__ import annotations

import ctypes
import os
import sys

#: Set to 0, this leaves the C library as it is.
SWITCH = "MWTUTOR_MALLOC"

#: The parameters of ``mallopt``, by their names in ``malloc.h``.
_TRIM_THRESHOLD, _TOP_PAD, _MMAP_THRESHOLD = -1, -2, -3

#: Bytes from which a block has pages of its own, which go when it is freed: the most that every
#: glibc accepts, and what its own rule would come to at last.
_LARGE = 32 << 20

#: Bytes free at the end of a heap from which they are given back.
_KEPT = 256 << 20

#: Bytes that are left there when the rest is given back.
_PAD = 64 << 20


def install() -> None:
    """Tell the C library, unless it was told something else, or is not glibc."""
    if os.environ.get(SWITCH) == "0" or any(
        name.startswith("MALLOC_") or name == "GLIBC_TUNABLES" for name in os.environ
    ):
        return
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if sys.platform != "linux" or mallopt is None:
        return
    mallopt(_MMAP_THRESHOLD, _LARGE)
    mallopt(_TRIM_THRESHOLD, _KEPT)  # alone, either of the two makes it worse
    # TensorFlow sets the trim threshold to 128 kB when a dataset is made of a generator: from then
    # on this is what is kept.
    mallopt(_TOP_PAD, _PAD)
