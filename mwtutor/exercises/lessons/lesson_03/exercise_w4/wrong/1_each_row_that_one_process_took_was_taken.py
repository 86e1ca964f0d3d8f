# misconception: each row that one process took was taken
# says: Your function also returns True for workers that all train on the same rows.


def share_the_work(parts, whole):
    return all(
        {row for worker in parts for row in worker[step]} == set(rows)
        for step, rows in enumerate(whole)
    )
