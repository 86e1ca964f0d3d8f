rows_of_worker_1 = {
    "OFF": None,
    "DATA": None,
    "FILE": None,
}
