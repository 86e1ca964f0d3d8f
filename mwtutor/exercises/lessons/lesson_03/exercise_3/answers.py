# == right: who waits least
slowest = lambda times: min(times, key=lambda name: times[name]["waiting"])


# == right: the step without waiting, sorted
def slowest(times):
    own = sorted((parts["step"] - parts["waiting"], name) for name, parts in times.items())
    return own[-1][1]


# == right: NumPy's argmax, and NumPy's text
def slowest(times):
    names = np.array(list(times))
    own = [times[name]["before"] + times[name]["computing"] for name in names]
    return names[np.argmax(own)]


# == right: an object that can be called
class Slowest:
    def __call__(self, times):
        name, best = None, -1.0
        for worker, parts in times.items():
            lost = max(parts["before"], 0) + max(parts["computing"], 0)
            if lost > best:
                name, best = worker, lost
        return name


slowest = Slowest()


# == wrong: the longest step
def slowest(times):
    return max(times, key=lambda name: times[name]["step"])


# == wrong: who waits most
def slowest(times):
    return max(times, key=lambda name: times[name]["waiting"])


# == wrong: the longest computing
def slowest(times):
    return max(times, key=lambda name: times[name]["computing"])


# == wrong: the longest time before the step
def slowest(times):
    return max(times, key=lambda name: times[name]["before"])


# == wrong: always worker:1
def slowest(times):
    return "worker:1"


# == wrong: the largest rest
def slowest(times):
    return max(times, key=lambda name: times[name]["rest"])


# == wrong: the shortest step
def slowest(times):
    return min(times, key=lambda name: times[name]["step"])


# == wrong: the worker's number
def slowest(times):
    return int(min(times, key=lambda name: times[name]["waiting"])[-1])


# == wrong: the milliseconds
def slowest(times):
    return max(parts["before"] + parts["computing"] for parts in times.values())


# == wrong: the largest single part
def slowest(times):
    return max(
        times, key=lambda name: max(value for part, value in times[name].items() if part != "step")
    )


# == wrong: waiting counts as its own time
def slowest(times):
    return max(times, key=lambda name: times[name]["computing"] + times[name]["waiting"])


# == wrong: the name and the milliseconds
def slowest(times):
    return max((parts["before"] + parts["computing"], name) for name, parts in times.items())
