# == wrong: a constant
def what_runs(program, launch, gpus):
    return "RING"


# == wrong: one case only
def what_runs(program, launch, gpus):
    if (
        program,
        launch,
        gpus,
    ) == (
        "NCCL",
        None,
        False,
    ):
        return "RING"
    return 0


# == wrong: ignores gpus
def _of(program, launch, gpus):
    if launch == "NCCL" and not gpus:
        return "refused"
    chosen = program or launch
    return chosen if gpus else "RING"


def what_runs(program, launch, gpus):
    gpus = True
    return _of(program, launch, gpus)


# == wrong: ignores gpus
def _of(program, launch, gpus):
    if launch == "NCCL" and not gpus:
        return "refused"
    chosen = program or launch
    return chosen if gpus else "RING"


def what_runs(program, launch, gpus):
    gpus = False
    return _of(program, launch, gpus)


# == right: conditions
def what_runs(program, launch, gpus):
    if not gpus:
        return "refused" if launch == "NCCL" else "RING"
    if program is not None:
        return program
    return launch


# == right: a tuple
def what_runs(program, launch, gpus):
    return ("refused" if launch == "NCCL" else "RING", program or launch)[bool(gpus)]


# == right: a dictionary
def what_runs(program, launch, gpus):
    without = {"NCCL": "refused"}.get(launch, "RING")
    return (program if program else launch) if gpus else without


# == wrong: NCCL
def what_runs(program, launch, gpus):
    return "NCCL"


# == wrong: the launch only
def what_runs(program, launch, gpus):
    return launch


# == wrong: NCCL where there are GPUs
def what_runs(program, launch, gpus):
    if gpus:
        return "NCCL"
    return "refused" if launch == "NCCL" else "RING"
