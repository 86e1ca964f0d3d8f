def script(cells):
    return None
