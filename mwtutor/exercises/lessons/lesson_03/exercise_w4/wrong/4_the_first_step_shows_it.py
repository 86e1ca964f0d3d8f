# misconception: the first step shows it
# says: Only the first step was compared.


def share_the_work(parts, whole):
    return sorted(row for worker in parts for row in worker[0]) == sorted(whole[0])
