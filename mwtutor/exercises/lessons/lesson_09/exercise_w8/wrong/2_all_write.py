# misconception: each worker must write
# says: The shared file is written 2 times


def save(me, read, write):
    write(read())
