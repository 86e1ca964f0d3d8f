# misconception: the chief waits until the others have written
# says: instead of worker 0


def save(me, read, write):
    total = read()
    if me != 0:
        write(total)
