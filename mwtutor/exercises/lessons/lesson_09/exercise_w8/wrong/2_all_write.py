# misconception: each worker must write
# says: the number of writes to the shared file is 2


def save(me, read, write):
    write(read())
