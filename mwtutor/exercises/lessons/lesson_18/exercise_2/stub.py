def order(stage, stages, count):
    return None
