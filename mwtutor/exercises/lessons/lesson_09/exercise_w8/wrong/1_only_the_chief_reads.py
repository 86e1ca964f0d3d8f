# misconception: a worker that does not write does not need to read
# says: worker 0 waits in `read`


def save(me, read, write):
    if me == 0:
        write(read())
