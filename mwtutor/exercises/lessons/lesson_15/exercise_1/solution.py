def broadcast(vector, root, me, workers, send, receive):
    if me != root:
        vector = receive()
    if (me + 1) % workers != root:
        send(vector)
    return vector
