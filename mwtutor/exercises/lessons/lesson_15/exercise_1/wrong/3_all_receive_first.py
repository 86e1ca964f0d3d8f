# misconception: every worker receives before it sends
# says: waits for an array that nobody sends


def broadcast(vector, root, me, workers, send, receive):
    arrived = receive()
    send(arrived)
    return arrived
