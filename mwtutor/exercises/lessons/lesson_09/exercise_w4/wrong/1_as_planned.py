# misconception: a restart never changes the number of updates
# says: In your answer, both versions of Keras end with the planned number of updates.


def at_the_end(backup, steps_per_epoch, epochs, keras):
    return epochs * steps_per_epoch
