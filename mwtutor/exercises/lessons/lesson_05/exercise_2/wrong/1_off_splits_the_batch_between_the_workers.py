# misconception: OFF splits the batch between the workers
# says: its part of each batch

rows_of_worker_1 = {
    "OFF": [4, 5, 6, 7, 12, 13, 14, 15, 17],
    "DATA": [4, 5, 6, 7, 12, 13, 14, 15, 17],
    "FILE": [*range(6, 12)],
}
