# misconception: gradients that are too old are left out
# says: changed the variables anyway

# %%mw
def train_bounded(steps):
    """Do that many steps, and return what `schedule` returns for each."""
    remote = []
    for number in range(steps):
        remote.append(coordinator.schedule(step))
    coordinator.join()
    return [one for one in remote if one.fetch()[2] - 1 - one.fetch()[1] <= 4]
