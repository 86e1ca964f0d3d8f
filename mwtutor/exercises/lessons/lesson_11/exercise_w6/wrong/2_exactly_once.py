# misconception: a repeated step undoes its first attempt
# says: No step counts twice in your answer, as if a lost attempt were undone.


def counted_twice(events):
    return []
