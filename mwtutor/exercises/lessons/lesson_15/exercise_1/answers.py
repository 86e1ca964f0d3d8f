# == right: in pieces, so that the next worker begins before the vector is complete
def broadcast(vector, root, me, workers, send, receive):
    pieces = []
    for piece in np.array_split(vector, 3):
        if me != root:
            piece = receive()
        if (me + 1) % workers != root:
            send(piece)
        pieces.append(piece)
    return np.concatenate(pieces)


# == right: by the distance from the root, and as a list
def broadcast(vector, root, me, workers, send, receive):
    distance = (me - root) % workers
    result = receive() if distance else vector
    if distance < workers - 1:
        send(result)
    return list(result)


# == wrong: returns what it has, and sends nothing
def broadcast(vector, root, me, workers, send, receive):
    return vector


# == wrong: the root forgets to return
def broadcast(vector, root, me, workers, send, receive):
    if me != root:
        vector = receive()
    if (me + 1) % workers != root:
        send(vector)
    if me != root:
        return vector


# == wrong: hangs with one worker
def broadcast(vector, root, me, workers, send, receive):
    if me == root:
        send(vector)
        return vector
    vector = receive()
    if (me + 1) % workers != root:
        send(vector)
    return vector


# == wrong: through a global variable
box = {}


def broadcast(vector, root, me, workers, send, receive):
    if me == root:
        box[root] = vector
    if me != root:
        receive()
    if (me + 1) % workers != root:
        send(vector)
    return box[root]


# == wrong: raises
def broadcast(vector, root, me, workers, send, receive):
    return vector.shape.missing


# == right: the roles named, and no return in the middle
def broadcast(vector, root, me, workers, send, receive):
    is_root, is_last = me == root, (me - root) % workers == workers - 1
    got = vector.copy() if is_root else np.asarray(receive())
    None if is_last else send(got)
    return got


# == wrong: sends backwards
def broadcast(vector, root, me, workers, send, receive):
    if me != root:
        vector = receive()
    if (me - 1) % workers != root:
        send(vector)
    return vector
