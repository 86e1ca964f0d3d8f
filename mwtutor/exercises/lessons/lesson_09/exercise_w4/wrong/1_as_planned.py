# misconception: a restart never changes the number of updates
# says: Both versions of Keras end with the planned number of updates in your answer.


def at_the_end(backup, steps_per_epoch, epochs, keras):
    return epochs * steps_per_epoch
