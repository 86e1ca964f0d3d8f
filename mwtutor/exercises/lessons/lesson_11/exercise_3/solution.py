# %%mw
def train_bounded(steps):
    """Do that many steps, and return what `schedule` returns for each."""
    remote = []
    for number in range(steps):
        remote.append(coordinator.schedule(step))
        if number % 5 == 4:
            coordinator.join()
    coordinator.join()
    return remote
