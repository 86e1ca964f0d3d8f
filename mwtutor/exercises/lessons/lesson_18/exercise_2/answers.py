# == right: with the rule of what may be kept
def order(stage, stages, count):
    passes, forward, backward = [], 0, 0
    while backward < count:
        if forward < count and forward - backward < stages - stage:
            passes.append(f"F{forward}")
            forward += 1
        else:
            passes.append(f"B{backward}")
            backward += 1
    return passes


# == right: three parts
def order(stage, stages, count):
    warm = min(count, stages - stage - 1)
    steady = count - warm
    first = ["F" + str(n) for n in range(warm)]
    middle = sum([[f"F{warm + n}", f"B{n}"] for n in range(steady)], [])
    return tuple(first + middle + ["B" + str(n) for n in range(steady, count)])


# == right: a generator
def order(stage, stages, count):
    ahead = stages - 1 - stage
    for at in range(count + ahead):
        if at < count:
            yield f"F{at}"
        if at >= ahead:
            yield f"B{at - ahead}"


# == wrong: one micro-batch less than it may keep, on each stage but the last
# says: takes
def order(stage, stages, count):
    limit, passes, forward, backward = max(1, stages - stage - 1), [], 0, 0
    while backward < count:
        if forward < count and forward - backward < limit:
            passes.append(f"F{forward}")
            forward += 1
        else:
            passes.append(f"B{backward}")
            backward += 1
    return passes


# == wrong: one more than it may keep
# says: but may keep at most
def order(stage, stages, count):
    limit, passes, forward, backward = stages - stage + 1, [], 0, 0
    while backward < count:
        if forward < count and forward - backward < limit:
            passes.append(f"F{forward}")
            forward += 1
        else:
            passes.append(f"B{backward}")
            backward += 1
    return passes


# == wrong: all stages keep as many as the first one
# says: but may keep at most
def order(stage, stages, count):
    first = min(count, stages)
    passes = [f"F{number}" for number in range(first)]
    for number in range(count):
        passes.append(f"B{number}")
        if first + number < count:
            passes.append(f"F{first + number}")
    return passes


# == wrong: the lines of the notebook, for every pipeline
def order(stage, stages, count):
    return [
        "F0 F1 F2 F3 B0 F4 B1 F5 B2 F6 B3 F7 B4 B5 B6 B7",
        "F0 F1 F2 B0 F3 B1 F4 B2 F5 B3 F6 B4 F7 B5 B6 B7",
        "F0 F1 B0 F2 B1 F3 B2 F4 B3 F5 B4 F6 B5 F7 B6 B7",
        "F0 B0 F1 B1 F2 B2 F3 B3 F4 B4 F5 B5 F6 B6 F7 B7",
    ][stage].split()


# == wrong: backward passes from the last micro-batch to the first
# says: not in the order
def order(stage, stages, count):
    return [f"F{n}" for n in range(count)] + [f"B{n}" for n in reversed(range(count))]


# == wrong: pairs instead of text
# says: is not a list such as
def order(stage, stages, count):
    return [(what, n) for what in "FB" for n in range(count)]


# == wrong: one text
def order(stage, stages, count):
    return " ".join(f"{what}{n}" for what in "FB" for n in range(count))


# == wrong: the plan of all stages
def order(stage, stages, count):
    return [[f"{what}{n}" for what in "FB" for n in range(count)]] * stages


# == wrong: the backward pass comes first
# says: before F0
def order(stage, stages, count):
    return [f"{what}{n}" for n in range(count) for what in "BF"]


# == wrong: does the first micro-batch twice
# says: times
def order(stage, stages, count):
    return ["F0"] + [f"{what}{n}" for what in "FB" for n in range(count)]


# == wrong: raises
def order(stage, stages, count):
    return [1 // (stage - stage)]
