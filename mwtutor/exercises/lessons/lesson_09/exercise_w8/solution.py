def save(me, read, write):
    total = read()
    if me == 0:
        write(total)
