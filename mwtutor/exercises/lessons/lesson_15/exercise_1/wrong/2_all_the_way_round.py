# misconception: the vector has to come back to where it began
# says: sends to the root


def broadcast(vector, root, me, workers, send, receive):
    if me == root:
        send(vector)
        return vector
    vector = receive()
    send(vector)
    return vector
