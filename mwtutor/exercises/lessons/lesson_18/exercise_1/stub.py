def bubble(plan, forward, backward):
    return None
