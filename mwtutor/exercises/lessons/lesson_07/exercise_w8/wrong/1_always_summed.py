# misconception: assign_sub sums the values of all replicas
# says: In your answer, every aggregation sums the values.


def assigned(copies, values, aggregation):
    return [copy - sum(values) for copy in copies]
