# misconception: the losses only need to be added
# says: Your parts add up to the sum of all losses, not to their mean.


def parts_of_the_mean(losses):
    return [sum(own) for own in losses]
