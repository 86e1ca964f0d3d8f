"""A Slurm cluster of two nodes, both on this machine: its own munged, slurmctld and two slurmd."""

from __future__ import annotations

import contextlib
import getpass
import os
import shutil
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.waiting import until

#: The programs that the cluster needs; Debian's package slurm-wlm has all of them.
PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "srun", "scancel", "scontrol", "sinfo")

_CONF = """\
ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={place}/munge.sock
SlurmctldPort={ports[0]}
StateSaveLocation={place}/state
SlurmdSpoolDir={place}/%n
SlurmctldPidFile={place}/slurmctld.pid
SlurmdPidFile={place}/%n.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=sched_interval=1
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SlurmdParameters=config_overrides
MpiDefault=none
KillWait=2
NodeName=n1 NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[1]} CPUs=2 RealMemory=4000
NodeName=n2 NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[2]} CPUs=2 RealMemory=4000
PartitionName=debug Nodes=n1,n2 Default=YES State=UP
"""


@contextlib.contextmanager
def running(place: Path) -> Iterator[Path]:
    """The cluster's configuration file, for ``SLURM_CONF``; skip the test where it cannot run."""
    path = f"{os.environ['PATH']}:/usr/sbin:/sbin"
    if missing := [name for name in PROGRAMS if shutil.which(name, path=path) is None]:
        pytest.skip(f"no Slurm here: there is no {missing[0]} (Debian: apt-get install slurm-wlm)")
    for name in ("state", "n1", "n2"):
        (place / name).mkdir()
    key, conf = place / "munge.key", place / "slurm.conf"
    key.write_bytes(os.urandom(128))
    key.chmod(0o400)
    conf.write_text(
        _CONF.format(
            host=socket.gethostname().partition(".")[0],
            user=getpass.getuser(),
            place=place,
            ports=_ports(3),
        )
    )
    env = {**os.environ, "PATH": path, "SLURM_CONF": str(conf)}
    munged = ["munged", "--force", "--foreground", f"--key-file={key}"]
    munged += [f"--{what}={place}/munge.{end}" for what, end in
               (("socket", "sock"), ("pid-file", "pid"), ("seed-file", "seed"))]  # fmt: skip
    commands = [munged, ["slurmctld", "-D"], ["slurmd", "-D", "-N", "n1"],
                ["slurmd", "-D", "-N", "n2"]]  # fmt: skip
    started = []
    with (place / "daemons.log").open("w") as log:
        try:
            for command in commands:
                started.append(
                    subprocess.Popen(
                        command, env=env, stdin=subprocess.DEVNULL, stdout=log, stderr=log
                    )
                )
                if command is munged:
                    until((place / "munge.sock").exists, otherwise=Path(log.name).read_text)
            until(lambda: _idle(env) == 2, otherwise=Path(log.name).read_text)
            yield conf
        finally:
            for process in reversed(started):
                process.terminate()
            for process in started:
                process.wait(30)


def _idle(env: dict[str, str]) -> int:
    words = ["sinfo", "--noheader", "--states=idle", "--format=%D"]
    done = subprocess.run(words, env=env, capture_output=True, text=True)
    return int(done.stdout.split()[0]) if done.stdout.split() else 0


def _ports(count: int) -> list[int]:
    """Free ports, for daemons that accept only a number."""
    with contextlib.ExitStack() as held:
        sockets = [held.enter_context(socket.socket()) for _ in range(count)]
        for one in sockets:
            one.bind(("", 0))
        return [one.getsockname()[1] for one in sockets]
