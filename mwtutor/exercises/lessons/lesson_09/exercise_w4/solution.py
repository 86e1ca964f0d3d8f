def at_the_end(backup, steps_per_epoch, epochs, keras):
    if keras == 2:
        return epochs * steps_per_epoch
    return backup + (epochs - backup // steps_per_epoch) * steps_per_epoch
