# misconception: only the last exchange counts
# says: Only the last exchange counts in your answer.


def seconds_waited(ready):
    return [max(ready[-1]) - own for own in ready[-1]]
