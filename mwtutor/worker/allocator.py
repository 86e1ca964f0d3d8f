"""Make the C library keep the memory that each training step frees and allocates again.

Gradients travel through buffers of a few megabytes. By default, glibc returns them to the kernel at
every step, and the kernel clears each page when it is needed again; ``benchmarks/exchange.py``
measures what that costs, in time and in memory.
"""

from __future__ import annotations

import ctypes
import os

from mwtutor.system.linux import LINUX

#: Set to 0, this leaves the C library unchanged.
SWITCH = "MWTUTOR_MALLOC"

#: The parameters of ``mallopt``, by name, from ``malloc.h``.
_TRIM_THRESHOLD, _TOP_PAD, _MMAP_THRESHOLD = -1, -2, -3

#: The size in bytes from which a block gets its own pages, which are released when it is freed: the
#: largest that every glibc accepts, and the one that glibc's own rule would eventually reach.
_LARGE = 32 << 20

#: As soon as this many bytes at the end of a heap are free, they are returned to the kernel.
_KEPT = 256 << 20

#: The number of free bytes that are then kept there.
_PAD = 64 << 20


def install() -> None:
    """Set the parameters, unless they are set already or the C library is not glibc."""
    if os.environ.get(SWITCH) == "0" or any(
        name.startswith("MALLOC_") or name == "GLIBC_TUNABLES" for name in os.environ
    ):
        return
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if not LINUX or mallopt is None:
        return
    mallopt(_MMAP_THRESHOLD, _LARGE)
    mallopt(_TRIM_THRESHOLD, _KEPT)  # each of the two does harm if the other is not set
    # TensorFlow sets the trim threshold to 128 kB when a dataset is created from a generator: from
    # then on, this much is kept.
    mallopt(_TOP_PAD, _PAD)
