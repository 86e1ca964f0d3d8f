# misconception: only the last exchange counts
# says: Only the last exchange counts here.


def waited(ready):
    return [max(ready[-1]) - own for own in ready[-1]]
