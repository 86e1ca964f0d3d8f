def counted_twice(events):
    added = [step for event, step in events if event == "adds"]
    return sorted(step for step in set(added) if added.count(step) > 1)
