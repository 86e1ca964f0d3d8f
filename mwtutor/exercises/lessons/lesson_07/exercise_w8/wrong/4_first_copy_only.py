# misconception: ONLY_FIRST_REPLICA changes only the first copy
# says: In your answer, only the first copy changes with ONLY_FIRST_REPLICA.


def assigned(copies, values, aggregation):
    if aggregation == "ONLY_FIRST_REPLICA":
        return [copies[0] - values[0], *copies[1:]]
    if aggregation == "NONE":
        return [copy - value for copy, value in zip(copies, values, strict=True)]
    change = sum(values) / (len(values) if aggregation == "MEAN" else 1)
    return [copy - change for copy in copies]
