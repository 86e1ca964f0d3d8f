def all_reduced(values, me, place):
    if place == "scope":
        return "error"
    return sum(values) if place == "replica" else values[me]
