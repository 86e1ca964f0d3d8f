# misconception: the files are divided as evenly as rows would be
# says: not cut in two

rows_of_worker_1 = {
    "OFF": [*range(18)],
    "DATA": [4, 5, 6, 7, 12, 13, 14, 15, 17],
    "FILE": [*range(9, 18)],
}
