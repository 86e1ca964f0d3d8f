# misconception: equal numbers of rows mean equal rows
# says: Only the numbers of rows were compared, not the rows themselves.


def share_the_work(parts, whole):
    return all(
        sum(len(worker[step]) for worker in parts) == len(rows) for step, rows in enumerate(whole)
    )
