def pack_sizes(sizes, bytes_per_pack):
    """The sizes of the packs, if gradients of these sizes come in this order.

    A pack ends after the gradient that makes it larger than the limit; with 0, there is one
    pack.

    Returns a list of bytes, one number for each pack.
    """
    return None
