def share_the_work(parts, whole):
    return None
