def assigned(copies, values, aggregation):
    if aggregation == "NONE":
        return [copy - value for copy, value in zip(copies, values)]
    change = values[0] if aggregation == "ONLY_FIRST_REPLICA" else sum(values)
    if aggregation == "MEAN":
        change /= len(values)
    return [copy - change for copy in copies]
