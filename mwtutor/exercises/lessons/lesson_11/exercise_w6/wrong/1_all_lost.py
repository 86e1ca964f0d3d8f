# misconception: each lost step counts twice
# says: These are all steps that were lost, including those whose 1 is in the counter only once.


def counted_twice(events):
    return sorted({step for event, step in events if event == "lost"})
