# misconception: without aggregation nothing is assigned
# says: In your answer, nothing changes with NONE.


def assigned(copies, values, aggregation):
    changes = {
        "NONE": 0,
        "SUM": sum(values),
        "MEAN": sum(values) / len(values),
        "ONLY_FIRST_REPLICA": values[0],
    }
    return [copy - changes[aggregation] for copy in copies]
