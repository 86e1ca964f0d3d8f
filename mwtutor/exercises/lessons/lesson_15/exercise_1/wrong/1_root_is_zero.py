# misconception: the broadcast always begins at worker 0
# says: returns worker 0's vector


def broadcast(vector, root, me, workers, send, receive):
    if me != 0:
        vector = receive()
    if me + 1 < workers:
        send(vector)
    return vector
