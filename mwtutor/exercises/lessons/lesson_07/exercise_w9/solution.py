def parts_of_the_mean(losses):
    rows = sum(map(len, losses))
    return [sum(own) / rows for own in losses]
