# misconception: equal numbers of rows mean equal rows
# says: Only numbers of rows were compared, not which rows.


def share_the_work(parts, whole):
    return all(
        sum(len(worker[step]) for worker in parts) == len(rows) for step, rows in enumerate(whole)
    )
