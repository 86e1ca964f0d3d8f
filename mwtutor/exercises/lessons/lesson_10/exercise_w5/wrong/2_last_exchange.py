# misconception: only the last exchange counts
# says: In your answer, only the last exchange counts.


def seconds_waited(ready):
    return [max(ready[-1]) - own for own in ready[-1]]
