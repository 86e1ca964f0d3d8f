def cut(costs, stages):
    return None
