line = None
