# misconception: the returned steps are the steps that were done
# says: By the workers' own count

# %%mw
def schedule_epoch():
    """Schedule the steps of an epoch, and return what `schedule` returns for each."""
    return [(number % 2, list(range(4 * number, 4 * number + 4))) for number in range(24)]
