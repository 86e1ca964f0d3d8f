# == right: the others drop the value
def save(me, read, write):
    value = read()
    return write(value) if not me else None


# == right: a dictionary
def save(me, read, write):
    {0: write}.get(me, id)(read())


# == right: two branches
def save(me, read, write):
    if me > 0:
        read()
    else:
        write(read())


# == wrong: nobody writes
def save(me, read, write):
    read()


# == wrong: writes without reading
def save(me, read, write):
    write(0)


# == wrong: the chief writes a constant
def save(me, read, write):
    read()
    if me == 0:
        write(7)


# == wrong: the chief writes twice
def save(me, read, write):
    total = read()
    if me == 0:
        write(total)
        write(total)


# == wrong: worker 1 writes
def save(me, read, write):
    total = read()
    if me == 1:
        write(total)


# == wrong: the others read more often
def save(me, read, write):
    total = read()
    if me == 0:
        write(total)
    else:
        read()


# == wrong: only two workers
def save(me, read, write):
    if me < 2:
        total = read()
        if me == 0:
            write(total)


# == wrong: the chief's mean
def save(me, read, write):
    total = read()
    if me == 0:
        write(total / 2)
