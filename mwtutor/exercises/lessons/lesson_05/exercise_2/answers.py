# == right: ranges and tuples
rows_of_worker_1 = {
    "OFF": range(18),
    "DATA": (*range(4, 8), *range(12, 16), 17),
    "FILE": tuple(range(6, 12)),
}


# == right: NumPy
import numpy as np

rows_of_worker_1 = {"OFF": np.arange(18), "DATA": np.r_[4:8, 12:16, 17], "FILE": np.arange(6, 12)}


# == right: one after the other, with NumPy's numbers
import numpy as np

rows_of_worker_1 = {}
rows_of_worker_1["FILE"] = [np.int64(row) for row in range(6, 12)]
rows_of_worker_1["DATA"] = [row for row in range(16) if row // 4 % 2] + [17]
rows_of_worker_1["OFF"] = sorted(range(18))


# == right: an OrderedDict by keyword, and sums of lists
from collections import OrderedDict

rows_of_worker_1 = OrderedDict(
    FILE=list(range(6, 12)),
    OFF=sum(([4 * step + at for at in range(4)] for step in range(4)), []) + [16, 17],
    DATA=[4, 5, 6, 7] + [12, 13, 14, 15] + [17],
)


# == wrong: OFF shares out
rows_of_worker_1 = {
    "OFF": [4, 5, 6, 7, 12, 13, 14, 15, 17],
    "DATA": [4, 5, 6, 7, 12, 13, 14, 15, 17],
    "FILE": [6, 7, 8, 9, 10, 11],
}


# == wrong: every second row under DATA
rows_of_worker_1 = {
    "OFF": list(range(18)),
    "DATA": list(range(1, 18, 2)),
    "FILE": [6, 7, 8, 9, 10, 11],
}


# == wrong: the second half under DATA
rows_of_worker_1 = {
    "OFF": list(range(18)),
    "DATA": list(range(9, 18)),
    "FILE": [6, 7, 8, 9, 10, 11],
}


# == wrong: the last batch goes to worker 0 only
# says: the last batch is not dropped
rows_of_worker_1 = {
    "OFF": list(range(18)),
    "DATA": [4, 5, 6, 7, 12, 13, 14, 15],
    "FILE": [6, 7, 8, 9, 10, 11],
}


# == wrong: the last batch goes to worker 1
rows_of_worker_1 = {
    "OFF": list(range(18)),
    "DATA": [4, 5, 6, 7, 12, 13, 14, 15, 16, 17],
    "FILE": [6, 7, 8, 9, 10, 11],
}


# == wrong: worker 1 gets the last files
rows_of_worker_1 = {
    "OFF": list(range(18)),
    "DATA": [4, 5, 6, 7, 12, 13, 14, 15, 17],
    "FILE": list(range(6, 18)),
}


# == wrong: worker 1 gets the last file
rows_of_worker_1 = {
    "OFF": list(range(18)),
    "DATA": [4, 5, 6, 7, 12, 13, 14, 15, 17],
    "FILE": list(range(12, 18)),
}


# == wrong: half of the middle file
rows_of_worker_1 = {
    "OFF": list(range(18)),
    "DATA": [4, 5, 6, 7, 12, 13, 14, 15, 17],
    "FILE": [9, 10, 11, 12, 13, 14, 15, 16, 17],
}


# == wrong: OFF gives worker 1 nothing
rows_of_worker_1 = {
    "OFF": [],
    "DATA": [4, 5, 6, 7, 12, 13, 14, 15, 17],
    "FILE": [6, 7, 8, 9, 10, 11],
}


# == wrong: batches of eight alternate
rows_of_worker_1 = {
    "OFF": list(range(18)),
    "DATA": list(range(8, 16)),
    "FILE": [6, 7, 8, 9, 10, 11],
}


# == wrong: numbers of rows, not the rows
rows_of_worker_1 = {"OFF": 18, "DATA": 9, "FILE": 6}


# == wrong: step by step
rows_of_worker_1 = {
    "OFF": [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11], [12, 13, 14, 15], [16, 17]],
    "DATA": [[4, 5, 6, 7], [12, 13, 14, 15], [17]],
    "FILE": [[6, 7, 8, 9], [10, 11]],
}


# == wrong: the right rows in another order
rows_of_worker_1 = {
    "OFF": list(range(17, -1, -1)),
    "DATA": [4, 5, 6, 7, 12, 13, 14, 15, 17],
    "FILE": [6, 7, 8, 9, 10, 11],
}


# == wrong: one row too many under OFF
rows_of_worker_1 = {
    "OFF": list(range(19)),
    "DATA": [4, 5, 6, 7, 12, 13, 14, 15, 17],
    "FILE": [6, 7, 8, 9, 10, 11],
}
