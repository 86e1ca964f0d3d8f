# misconception: only waiting for each step keeps gradients fresh
# says: one of the workers was always idle

# %%mw
def train_bounded(steps):
    """Do that many steps, and return what `schedule` returns for each."""
    remote = []
    for number in range(steps):
        remote.append(coordinator.schedule(step))
        coordinator.join()
    coordinator.join()
    return remote
