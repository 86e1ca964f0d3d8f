def counted(rows, replicas):
    return None
