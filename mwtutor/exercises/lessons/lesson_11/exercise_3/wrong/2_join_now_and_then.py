# misconception: a join now and then
# says: are allowed.

# %%mw
def train_bounded(steps):
    """Do that many steps, and return what `schedule` returns for each."""
    remote = []
    for number in range(steps):
        remote.append(coordinator.schedule(step))
        if number % 10 == 9:
            coordinator.join()
    coordinator.join()
    return remote
