# misconception: the sooner each gradient is sent, the better
# says: is not full


def overlapped(gradients, start, limit):
    exchanges = [start(gradient) for gradient in gradients]
    return [one.result() for one in exchanges]
