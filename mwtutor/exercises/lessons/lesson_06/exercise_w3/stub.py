def followed(saved, seconds):
    return None
