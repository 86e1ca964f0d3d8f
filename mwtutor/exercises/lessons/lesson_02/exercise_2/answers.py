# == right: a dictionary made of the environment
def start_workers(program, configs):
    return [
        subprocess.Popen([sys.executable, program], env=dict(os.environ, TF_CONFIG=c))
        for c in configs
    ]


# == right: a copy of the environment, and no output
def start_workers(program, configs):
    found = []
    for c in configs:
        e = os.environ.copy()
        e["TF_CONFIG"] = c
        found.append(subprocess.Popen([sys.executable, program], env=e, stdout=subprocess.DEVNULL))
    return found


# == right: the notebook's own variable, put back afterwards
def start_workers(program, configs):
    old = os.environ.get("TF_CONFIG")
    out = []
    for c in configs:
        os.environ["TF_CONFIG"] = c
        out.append(subprocess.Popen([sys.executable, program]))
    os.environ.pop("TF_CONFIG")
    if old is not None:
        os.environ["TF_CONFIG"] = old
    return out


# == wrong: TF_CONFIG is set in the notebook
def start_workers(program, configs):
    out = []
    for c in configs:
        os.environ["TF_CONFIG"] = c
        out.append(subprocess.Popen([sys.executable, program]))
    return out


# == wrong: run instead of Popen
def start_workers(program, configs):
    return [
        subprocess.run([sys.executable, program], env={**os.environ, "TF_CONFIG": c})
        for c in configs
    ]


# == wrong: the first configuration for both
def start_workers(program, configs):
    return [
        subprocess.Popen([sys.executable, program], env={**os.environ, "TF_CONFIG": configs[0]})
        for c in configs
    ]


# == wrong: the configuration as an argument
def start_workers(program, configs):
    return [subprocess.Popen([sys.executable, program, c]) for c in configs]


# == wrong: no list is returned
def start_workers(program, configs):
    for c in configs:
        subprocess.Popen([sys.executable, program], env={**os.environ, "TF_CONFIG": c})


# == wrong: one process only
def start_workers(program, configs):
    return [
        subprocess.Popen([sys.executable, program], env={**os.environ, "TF_CONFIG": configs[0]})
    ]


# == wrong: waits five seconds before it returns
import time


def start_workers(program, configs):
    out = [
        subprocess.Popen([sys.executable, program], env={**os.environ, "TF_CONFIG": c})
        for c in configs
    ]
    time.sleep(5)
    return out
