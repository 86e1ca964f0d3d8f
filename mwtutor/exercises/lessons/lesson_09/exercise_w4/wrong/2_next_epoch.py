# misconception: Keras 3 continues with the next epoch
# says: In your answer, Keras 3 continues with the epoch after the interrupted one.


def at_the_end(backup, steps_per_epoch, epochs, keras):
    done = backup // steps_per_epoch + 1
    return epochs * steps_per_epoch if keras == 2 else backup + (epochs - done) * steps_per_epoch
