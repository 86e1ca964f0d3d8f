# misconception: assign_sub sums the values of all replicas
# says: Every aggregation sums the values in your answer.


def assigned(copies, values, aggregation):
    return [copy - sum(values) for copy in copies]
