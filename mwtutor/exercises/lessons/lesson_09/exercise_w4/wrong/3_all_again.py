# misconception: Keras 3 trains all epochs again
# says: With Keras 3, all epochs are trained again in your answer.


def at_the_end(backup, steps_per_epoch, epochs, keras):
    return epochs * steps_per_epoch + (backup if keras == 3 else 0)
