# misconception: worker 0 gets the first file, worker 1 the others
# says: all files except the first

rows_of_worker_1 = {
    "OFF": [*range(18)],
    "DATA": [4, 5, 6, 7, 12, 13, 14, 15, 17],
    "FILE": [*range(6, 18)],
}
