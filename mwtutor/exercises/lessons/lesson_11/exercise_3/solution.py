# %%mw
def train_bounded(steps):
    """Do so many steps, and return what `schedule` returns of each."""
    remote = []
    for number in range(steps):
        remote.append(coordinator.schedule(step))
        if number % 5 == 4:
            coordinator.join()
    coordinator.join()
    return remote
