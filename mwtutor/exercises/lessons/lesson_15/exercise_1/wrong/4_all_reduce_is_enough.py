# misconception: an all-reduce with zeros costs no more than a broadcast
# says: times as many bytes


def broadcast(vector, root, me, workers, send, receive):
    total = vector if me == root else 0 * vector
    passed = total
    for _ in range(workers - 1):
        send(passed)
        passed = receive()
        total = total + passed
    return total
