def left_by_kill(updates, steps_per_epoch):
    epochs, lost = divmod(updates, steps_per_epoch)
    return list(range(1, epochs + 1)), lost
