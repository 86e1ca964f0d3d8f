# misconception: each replica gets all parts
# says: In your answer, each replica gets the whole distributed value instead of its part.


def run_on_worker(function, argument, own):
    return [function(argument) for _ in own]
