def joined_after(seconds, workers):
    free_at = [0.0] * workers
    for one in seconds:
        free_at.sort()
        free_at[0] += one
    return max(free_at)
