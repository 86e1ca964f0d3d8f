# misconception: each worker must write
# says: the shared file is written 2 times


def save(me, read, write):
    write(read())
