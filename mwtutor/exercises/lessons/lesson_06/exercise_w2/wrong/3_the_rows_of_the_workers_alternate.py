# misconception: the rows of the workers alternate
# says: In your answer, the workers' rows alternate, one by one.


from itertools import zip_longest


def data_order(parts):
    rows = [[value for part in worker for value in part] for worker in parts]
    return [value for one in zip_longest(*rows) for value in one if value is not None]
