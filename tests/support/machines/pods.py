"""Pods without Kubernetes, each with its own network, address and host name.

Each pod runs the program in its manifest. One ``/etc/hosts`` stands in for a cluster's name
service.
"""

from __future__ import annotations

import os
import shlex
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

#: Prepares the network from outside all pods; each waits at its gate until its own network exists.
_SCRIPT = r"""
set -e
mount --bind "$PLACE/hosts" /etc/hosts
ip link set lo up
ip link add br0 type bridge
ip link set br0 up
pids=()
for number in $(seq "$PODS"); do
  pod="$PLACE/$number"
  mkfifo "$pod.gate"
  unshare --net --uts bash "$pod.sh" > "$pod.log" 2>&1 &
  pid=$!
  while [ "$(readlink /proc/$pid/ns/uts)" = "$(readlink /proc/$$/ns/uts)" ]; do sleep 0.01; done
  ip link add "v$number" type veth peer name eth0 netns "$pid"
  ip link set "v$number" master br0 up
  nsenter -t "$pid" -n sh -c "ip link set lo up; ip link set eth0 up
    ip addr add 10.77.0.$number/24 dev eth0"
  pids+=("$pid")
done
for number in $(seq "$PODS"); do echo > "$PLACE/$number.gate"; done
for number in $(seq "$PODS"); do
  status=0; wait "${pids[$((number - 1))]}" || status=$?
  echo "$status" > "$PLACE/$number.exit"
done
"""

_POD = """\
read < {gate}
hostname {name}
cd {cwd}
exec env {env} {command}
"""


@dataclass(frozen=True)
class Pod:
    """A pod's definition.

    Attributes:
        name: its host name.
        command: its program and arguments.
        domain: the suffix of its name, for look-ups by others.
        env: variables in addition to this process's.
    """

    name: str
    command: Sequence[str]
    domain: str = ""
    env: Mapping[str, str] = field(default_factory=dict)


def run(pods: Sequence[Pod], place: Path, cwd: Path, timeout: float = 480.0) -> list[str]:
    """Run pods to their end; return the output of each.

    Raises:
        AssertionError: a pod failed; the message contains the output of all.
    """
    _needed()
    lines = ["127.0.0.1 localhost"]
    for number, pod in enumerate(pods, 1):
        full = f"{pod.name}.{pod.domain}" if pod.domain else ""
        lines.append(f"10.77.0.{number} {full} {pod.name}")
        told = {"HOSTNAME": pod.name, **pod.env}
        script = _POD.format(
            gate=shlex.quote(str(place / f"{number}.gate")),
            name=pod.name,
            cwd=shlex.quote(str(cwd)),
            env=shlex.join(f"{name}={value}" for name, value in told.items()),
            command=shlex.join(pod.command),
        )
        (place / f"{number}.sh").write_text(script)
    (place / "hosts").write_text("\n".join(lines) + "\n")
    env = {**os.environ, "PLACE": str(place), "PODS": str(len(pods))}
    env.pop("TF_CONFIG", None)
    done = subprocess.run(
        [*_UNSHARE, "bash", "-c", _SCRIPT], env=env, capture_output=True, text=True, timeout=timeout
    )
    printed = [(place / f"{n + 1}.log").read_text() for n in range(len(pods))]
    codes = [(place / f"{n + 1}.exit").read_text().strip() for n in range(len(pods))]
    shown = "\n".join(f"--- {pod.name} ({code})\n{text[-3000:]}" for pod, code, text in
                      zip(pods, codes, printed))  # fmt: skip
    assert set(codes) == {"0"}, f"{done.stderr}\n{shown}"
    return printed


_USER = [] if os.geteuid() == 0 else ["--user", "--map-root-user"]
_UNSHARE = ["unshare", *_USER, "--net", "--mount", "--pid", "--fork", "--kill-child",
            "--mount-proc"]  # fmt: skip


def _needed() -> None:
    """Skip the test, with the reason, where pods are impossible."""
    tried = "ip link add br0 type bridge && ip link add v1 type veth peer name v2"
    try:
        done = subprocess.run([*_UNSHARE, "sh", "-c", tried], capture_output=True, text=True)
    except FileNotFoundError as error:
        pytest.skip(f"no pods here: there is no {error.filename}")
    if done.returncode:
        pytest.skip(f"no pods here: {done.stderr.strip()[:200]}")
