# misconception: each replica gets all parts
# says: Each replica gets the whole distributed value instead of its part.


def run(function, argument, own):
    return [function(argument) for _ in own]
