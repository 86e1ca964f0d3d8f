# misconception: the data is cut into two halves
# says: the second half of each batch

rows_of_worker_1 = {
    "OFF": [*range(18)],
    "DATA": [*range(9, 18)],
    "FILE": [*range(6, 12)],
}
