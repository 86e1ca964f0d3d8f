def broadcast(vector, root, me, workers, send, receive):
    return None
