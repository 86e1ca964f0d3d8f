"""The limits of this process: from real layouts of the kernel's files, and from real groups."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from mwtutor.system.processors_and_memory import limits

GIB = 1 << 30

#: A machine of eight processors, with 32 GiB available, without any limit.
MACHINE = {
    "proc/self/status": "Name:\tpython\nCpus_allowed_list:\t0-7\n",
    "proc/meminfo": f"MemTotal: {64 << 20} kB\nMemAvailable:   {32 << 20} kB\n",
    "sys/devices/system/cpu/online": "0-7\n",
}

#: How both versions are mounted: version 2 alone, as on most machines.
V1 = """\
31 23 0:28 / /sys/fs/cgroup rw - tmpfs tmpfs rw,mode=755
32 31 0:29 {root} /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct
35 31 0:32 {root} /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory
41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw
"""
V2 = "31 23 0:28 {root} /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate\n"


@pytest.fixture
def tree(tmp_path):
    def write(files: dict[str, object]) -> Path:
        for name, text in {**MACHINE, **files}.items():
            file = tmp_path / name.lstrip("/")
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(f"{text}\n")
        return tmp_path

    return write


def v2(where: str, own: str, files: dict[str, object], root: str = "/") -> dict[str, object]:
    """Files of a group; ``own`` is the process's place in it, as the kernel reports it."""
    return {
        "proc/self/cgroup": f"0::{own}",
        "proc/self/mountinfo": V2.format(root=root),
        **{f"/sys/fs/cgroup{where}/{name}": text for name, text in files.items()},
    }


def v1(where: str, own: str, files: dict[str, object], root: str = "/") -> dict[str, object]:
    """The same for version 1; each file is in the directory of its controller."""
    folder = {"cpu": "cpu,cpuacct", "memory": "memory"}
    return {
        "proc/self/cgroup": f"9:name=systemd:/\n4:memory:{own}\n1:cpu,cpuacct:{own}\n0::/",
        "proc/self/mountinfo": V1.format(root=root),
        **{
            f"/sys/fs/cgroup/{folder[name.partition('.')[0]]}{where}/{name}": text
            for name, text in files.items()
        },
    }


def test_a_machine_without_limits(tree):
    found = limits(tree({}))
    assert (found.cores, found.cores_by) == (8.0, "")
    assert (found.memory, found.memory_by) == (32 * GIB, "")


def test_an_affinity(tree):
    found = limits(tree({"proc/self/status": "Cpus_allowed_list:\t0-1,4"}))
    assert (found.cores, found.cores_by) == (3.0, "an affinity to 3 of 8 processors")


@pytest.mark.parametrize("own", ["/", "/user.slice", "/a/b/c"])
def test_a_quota_of_v2(tree, own):
    where = own.rstrip("/")
    found = limits(tree(v2(where, own, {"cpu.max": "150000 100000", "memory.max": "max"})))
    assert (found.cores, found.cores_by) == (1.5, f"the CPU quota of /sys/fs/cgroup{where}")
    assert found.memory == 32 * GIB


def test_memory_of_v2_counts_what_can_be_given_back(tree):
    stat = f"anon 5\ninactive_file {GIB}\nactive_file 7"
    files = {"memory.max": 4 * GIB, "memory.current": 3 * GIB, "memory.stat": stat}
    found = limits(tree(v2("/box", "/box", files)))
    assert found.memory == 2 * GIB
    assert found.memory_by == "the limit of 4.0 GiB of /sys/fs/cgroup/box"


def test_memory_above_which_a_group_is_throttled(tree):
    files = {"memory.max": 4 * GIB, "memory.high": 3 * GIB, "memory.current": GIB}
    found = limits(tree(v2("/box", "/box", files)))
    assert (found.memory, found.cap) == (2 * GIB, 3 * GIB)
    assert found.memory_by == "the limit of 3.0 GiB of /sys/fs/cgroup/box"


def test_limits_of_v1(tree):
    files = {
        "cpu.cfs_quota_us": 50_000, "cpu.cfs_period_us": 100_000,
        "memory.limit_in_bytes": 2 * GIB, "memory.usage_in_bytes": GIB,
        "memory.stat": "inactive_file 1\ntotal_inactive_file 4096",
    }  # fmt: skip
    found = limits(tree(v1("/box", "/box", files)))
    assert (found.cores, found.cores_by) == (0.5, "the CPU quota of /sys/fs/cgroup/cpu,cpuacct/box")
    assert found.memory == GIB + 4096
    assert found.memory_by == "the limit of 2.0 GiB of /sys/fs/cgroup/memory/box"


def test_v1_without_limits(tree):
    files = {
        "cpu.cfs_quota_us": -1, "cpu.cfs_period_us": 100_000,
        "memory.limit_in_bytes": 9223372036854771712, "memory.usage_in_bytes": GIB,
    }  # fmt: skip
    found = limits(tree(v1("/box", "/box", files)))
    assert (found.cores_by, found.memory_by) == ("", "")


@pytest.mark.parametrize("version", [v1, v2])
def test_in_a_container_the_path_is_the_hosts(tree, version):
    """Without its own namespace, the group is mounted where all groups would be."""
    names = {
        v1: {"cpu.cfs_quota_us": 200_000, "cpu.cfs_period_us": 100_000},
        v2: {"cpu.max": "200000 100000"},
    }
    for root, own in (("/docker/1f", "/docker/1f"), ("/", "/../../docker/1f")):
        assert limits(tree(version("", own, names[version], root))).cores == 2.0


def test_of_nested_groups_the_smallest_limit_holds(tree):
    nest = v2("/pod/box/step", "/pod/box/step", {"cpu.max": "max 100000", "memory.max": 8 * GIB,
                                                 "memory.current": GIB})  # fmt: skip
    nest |= v2("/pod/box", "/pod/box/step", {"cpu.max": "300000 100000", "memory.max": 3 * GIB,
                                             "memory.current": 2 * GIB})  # fmt: skip
    nest |= v2("/pod", "/pod/box/step", {"cpu.max": "600000 100000", "memory.max": "max",
                                         "memory.current": 9 * GIB})  # fmt: skip
    found = limits(tree(nest))
    assert (found.cores, found.cores_by) == (3.0, "the CPU quota of /sys/fs/cgroup/pod/box")
    assert (found.memory, found.memory_by) == (
        GIB,
        "the limit of 3.0 GiB of /sys/fs/cgroup/pod/box",
    )


def test_an_affinity_that_is_narrower_than_a_quota(tree):
    files = v2("/box", "/box", {"cpu.max": "300000 100000"})
    found = limits(tree({**files, "proc/self/status": "Cpus_allowed_list:\t5-6"}))
    assert (found.cores, found.cores_by) == (2.0, "an affinity to 2 of 8 processors")


@pytest.mark.parametrize("text", ["", "²", "9" * 30, "max", "-", "1-", "0 0", "100000 0"])
def test_what_is_not_understood_limits_nothing(tree, text):
    files = v2("/box", "/box", {"cpu.max": text, "memory.max": text, "memory.current": text})
    files["proc/self/status"] = f"Cpus_allowed_list:\t{text.partition(' ')[0]}"
    files["sys/devices/system/cpu/online"] = "0-7"
    found = limits(tree(files))
    assert found.memory == 32 * GIB
    assert found.cores in (8.0, 1.0)


# -- real ones --------------------------------------------------------------------------------

ASK = (
    "import json; from mwtutor.system.processors_and_memory import limits;"
    " print(json.dumps(vars(limits())))"
)


@contextlib.contextmanager
def groups(name: str, files: dict[str, str]) -> Iterator[list[Path]]:
    """A group with these files in each hierarchy that has them; skip where that is impossible."""
    base, made = Path("/sys/fs/cgroup"), []
    try:
        for file, text in files.items():
            controller = file.partition(".")[0]
            v2 = (base / "cgroup.controllers").exists()
            group = (base if v2 else base / controller) / name
            try:
                group.mkdir(parents=True, exist_ok=True)
                made.append(group)
                (group / file).write_text(text)
            except OSError as error:
                pytest.skip(f"no control group can be made here: {error}")
        yield made
    finally:
        for group in dict.fromkeys(made):
            group.rmdir()


def asked(made: list[Path]) -> dict[str, object]:
    enter = "".join(f"open('{group}/cgroup.procs', 'w').write('0'); " for group in made)
    command = [sys.executable, "-c", enter + ASK]
    return json.loads(subprocess.run(command, capture_output=True, check=True, text=True).stdout)


def test_real_groups():
    if Path("/sys/fs/cgroup/cgroup.controllers").exists():
        files = {"cpu.max": "50000 100000", "memory.max": str(GIB)}
    else:
        files = {"cpu.cfs_quota_us": "50000", "memory.limit_in_bytes": str(GIB)}
    name = f"mwtutor-{os.getpid()}"
    with groups(name, files) as made:
        found = asked(made)
    assert found["cores"] == 0.5
    assert str(found["cores_by"]).endswith(f"/{name}")
    assert GIB // 2 < int(str(found["memory"])) <= GIB
    assert found["memory_by"] == f"the limit of 1.0 GiB of {made[-1]}"
    assert found["cap"] == GIB


def test_a_real_group_in_a_group():
    if Path("/sys/fs/cgroup/cgroup.controllers").exists():
        pytest.skip("groups of version 2 have controllers only where their parent enables them")
    outer = f"mwtutor-{os.getpid()}"
    with (
        groups(outer, {"cpu.cfs_quota_us": "150000", "memory.limit_in_bytes": str(GIB)}) as made,
        groups(f"{outer}/in", {"cpu.cfs_quota_us": "-1", "memory.limit_in_bytes": "-1"}) as inner,
    ):
        found = asked(inner)
    assert (found["cores"], found["cores_by"]) == (1.5, f"the CPU quota of {made[0]}")
    assert found["memory_by"] == f"the limit of 1.0 GiB of {made[1]}"


def test_a_real_affinity():
    (one, *_) = os.sched_getaffinity(0)
    narrow = f"import os; os.sched_setaffinity(0, [{one}]); "
    done = subprocess.run([sys.executable, "-c", narrow + ASK], capture_output=True, check=True)
    assert json.loads(done.stdout)["cores"] <= 1.0


def test_this_process_has_limits():
    here = limits()
    assert here.memory > 0
    assert 0 < here.cores <= (os.cpu_count() or 1)
