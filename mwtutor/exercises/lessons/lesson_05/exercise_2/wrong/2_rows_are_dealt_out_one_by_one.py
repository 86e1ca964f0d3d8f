# misconception: rows are dealt out one by one
# says: not assigned in turn

rows_of_worker_1 = {
    "OFF": [*range(18)],
    "DATA": [*range(1, 18, 2)],
    "FILE": [*range(6, 12)],
}
