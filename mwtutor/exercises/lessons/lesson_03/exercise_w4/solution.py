def share_the_work(parts, whole):
    for step, rows in enumerate(whole):
        together = [row for worker in parts for row in worker[step]]
        if sorted(together) != sorted(rows):
            return False
    return True
