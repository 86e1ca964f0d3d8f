# misconception: the chief reads the value again to write it
# says: worker 0 calls `read` more often


def save(me, read, write):
    read()
    if me == 0:
        write(read())
