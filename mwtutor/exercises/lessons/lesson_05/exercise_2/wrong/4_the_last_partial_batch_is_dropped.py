# misconception: the last partial batch is dropped
# says: the last batch is not dropped

rows_of_worker_1 = {
    "OFF": [*range(18)],
    "DATA": [4, 5, 6, 7, 12, 13, 14, 15],
    "FILE": [*range(6, 12)],
}
