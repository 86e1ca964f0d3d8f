# misconception: the losses only need to be added
# says: The sum is that of all losses, not their mean.


def parts_of_the_mean(losses):
    return [sum(own) for own in losses]
