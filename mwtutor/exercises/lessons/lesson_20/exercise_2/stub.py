def counts(attempts):
    return None
