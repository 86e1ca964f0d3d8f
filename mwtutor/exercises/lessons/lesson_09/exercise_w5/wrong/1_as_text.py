# misconception: the last name in the alphabet is the latest
# says: The names were compared as text, in which 9 is after 10.


def resume(files):
    last = max(files, default=None)
    return last, int(last.split("-")[1].split(".")[0]) if last else 0
