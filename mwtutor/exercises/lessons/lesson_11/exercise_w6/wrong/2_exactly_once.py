# misconception: a repeated step undoes its first attempt
# says: In your answer, no step counts twice, as if a lost attempt were undone.


def counted_twice(events):
    return []
