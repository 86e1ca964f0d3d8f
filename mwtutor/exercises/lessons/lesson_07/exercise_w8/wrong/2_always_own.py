# misconception: each replica changes its own copy
# says: Each copy is changed by its own replica's value only, whatever the aggregation is.


def assigned(copies, values, aggregation):
    return [copy - value for copy, value in zip(copies, values, strict=True)]
