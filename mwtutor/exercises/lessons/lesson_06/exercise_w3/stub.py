def followed_numbers(saved, seconds):
    return None
