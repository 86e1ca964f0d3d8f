# misconception: each addition counts twice
# says: These are all steps that added something.


def counted_twice(events):
    return sorted({step for event, step in events if event == "adds"})
