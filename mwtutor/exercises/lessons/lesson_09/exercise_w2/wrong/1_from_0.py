# misconception: file names count epochs from 0
# says: In your answer, the first file has the number 0.


def left_by_kill(updates, steps_per_epoch):
    epochs, lost = divmod(updates, steps_per_epoch)
    return list(range(epochs)), lost
