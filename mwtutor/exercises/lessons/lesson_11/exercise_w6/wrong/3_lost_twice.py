# misconception: only a second loss counts
# says: Only steps that were lost more than once are listed.


def counted_twice(events):
    lost = [step for event, step in events if event == "lost"]
    return sorted(step for step in set(lost) if lost.count(step) > 1)
