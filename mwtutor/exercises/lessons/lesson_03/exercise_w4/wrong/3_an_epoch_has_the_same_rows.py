# misconception: an epoch has the same rows
# says: All steps were put together, so it does not matter in which step a row was taken.


def share_the_work(parts, whole):
    together = [row for worker in parts for rows in worker for row in rows]
    return sorted(together) == sorted(row for rows in whole for row in rows)
