"""A namespace: which processes are in it, its requirements, and where it is unavailable."""

from __future__ import annotations

import errno
import os
import platform
import re
import shutil
import socket
import subprocess
import sys

import psutil
import pytest

from mwtutor.exceptions import NotSupported
from mwtutor.network import PRIVATE_ENV, Network, establish, namespace
from mwtutor.network.hints import LOCALHOST, OTHERS, network_hint
from tests.support.machines.network import in_a_fork, needs_private_network, reaches


@pytest.fixture
def inside():
    needs_private_network()
    made = namespace.make()
    yield made
    made.close()


def net() -> str:
    return os.readlink("/proc/self/ns/net")


def test_the_maker_stays_outside_and_who_enters_is_inside(inside):
    def enter_twice() -> str:
        inside.enter()
        return net()

    before = net()
    assert in_a_fork(enter_twice) == in_a_fork(enter_twice) != before
    assert net() == before


def test_what_is_listened_to_inside_is_seen_inside_only(inside):
    told, tell = os.pipe()
    port = 23456

    def listen() -> str:
        inside.enter()
        with socket.create_server(("", port)):
            own = reaches("127.0.0.1", port)
            os.write(tell, b"!")
            os.read(told_back, 1)
        return f"inside {own}"

    told_back, tell_back = os.pipe()
    pid = os.fork()
    if pid == 0:
        os._exit(listen() != "inside True")
    try:
        assert os.read(told, 1) == b"!"
        assert not reaches("127.0.0.1", port)
    finally:
        os.write(tell_back, b"!")
        _, status = os.waitpid(pid, 0)
        for fd in (told, tell, told_back, tell_back):
            os.close(fd)
    assert os.waitstatus_to_exitcode(status) == 0


def test_who_enters_has_no_more_rights_than_before(inside):
    def rights() -> str:
        with open("/proc/self/status") as status:
            return "".join(re.findall(r"^Cap(?:Prm|Eff|Amb):.*\n", status.read(), re.MULTILINE))

    def rights_inside() -> str:
        inside.enter()
        return rights()

    assert in_a_fork(rights_inside) == rights()


def test_nothing_is_left_of_a_namespace_that_is_closed():
    needs_private_network()
    before = os.listdir("/proc/self/fd"), psutil.Process().children()
    namespace.make().close()
    assert (os.listdir("/proc/self/fd"), psutil.Process().children()) == before


#: Tries to create a namespace as a user to whom the system forbids it, and prints why that failed.
#: A user namespace has its own limits, and a process without rights in it is like any other user's.
REFUSED = """
import os
from mwtutor.network import namespace
uid, gid = os.geteuid(), os.getegid()
namespace.call("unshare", namespace.FLAGS["user"])
maps = {{"setgroups": "deny", "uid_map": f"{user} {{uid}} 1", "gid_map": f"0 {{gid}} 1"}}
for name, text in maps.items():
    open(f"/proc/self/{{name}}", "w").write(text)
open("/proc/sys/user/{limit}", "w").write("0")
if {drop}:
    namespace._drop_capabilities()
try:
    namespace.make()
except namespace.Unavailable as why:
    print(why)
"""


@pytest.mark.parametrize(
    ("user", "limit", "drop", "words"),
    [
        (0, "max_net_namespaces", False, "a network namespace is unavailable here (No space"),
        (0, "max_mnt_namespaces", True, "a network namespace is unavailable here (Operation not"),
        (7, "max_net_namespaces", True, "a user namespace is unavailable here (No space"),
        (7, "max_user_namespaces", True, "a user namespace is unavailable here (No space"),
    ],
)
def test_where_the_system_forbids_it_that_is_the_reason(user, limit, drop, words):
    if shutil.which("unshare") is None or subprocess.run(["unshare", "-U", "true"]).returncode:
        pytest.skip("a user namespace, to set limits in, cannot be made here")
    source = REFUSED.format(user=user, limit=limit, drop=drop)
    done = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True)
    assert words in done.stdout, done.stderr


#: Prints which network a run gets, and why, where the system call is denied the way a container's
#: filter denies it: ``action`` is what the filter does with the call.
DENIED = """
import ctypes, pathlib, struct
from mwtutor.network import establish
instructions = [(0x20, 0, 0, 0), (0x15, 0, 1, {number})]  # of the call with this number
instructions += [(0x06, 0, 0, {action}), (0x06, 0, 0, {allow})]
code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *i) for i in instructions))
program = struct.pack("HxxxxxxP", len(instructions), ctypes.addressof(code))
libc = ctypes.CDLL(None, use_errno=True)
assert not libc.prctl(38, 1, 0, 0, 0)  # no new privileges
assert not libc.prctl(22, 2, program, 0, 0), ctypes.get_errno()  # a filter of system calls
made = establish.establish("auto", 1, {{}}, pathlib.Path("."))
print(made.facts.words, establish.why_not_private(), sep="\\n")
made.close()
"""

SETNS = {"x86_64": 308, "aarch64": 268}


@pytest.mark.parametrize(
    ("action", "words"),
    [
        (0x00050000 | errno.EPERM, "Operation not permitted"),
        (0x80000000, "was killed by signal 31 (SIGSYS)"),
    ],
)
def test_a_namespace_that_can_be_made_and_not_entered_is_none(tmp_path, action, words):
    needs_private_network()
    if (number := SETNS.get(platform.machine())) is None:
        pytest.skip("the number of setns is not known here")
    source = DENIED.format(number=number, action=action, allow=0x7FFF0000)
    done = subprocess.run(
        [sys.executable, "-c", source], cwd=tmp_path, capture_output=True, text=True
    )
    why = f"a network namespace cannot be entered here ({words})"
    assert done.stdout.splitlines() == [f"host network, because {why}", why], done.stderr


def test_a_proxy_that_the_relay_cannot_use_keeps_a_run_in_the_host_network(tmp_path):
    env = {"ALL_PROXY": "socks5://proxy.example:1080"}
    made = establish.establish("auto", 1, env, tmp_path)
    made.close()
    assert made.facts.kind == "host"
    assert made.facts.why == "ALL_PROXY is a socks5 proxy, which the relay cannot use"
    with pytest.raises(
        NotSupported, match="private network is not possible: ALL_PROXY is a socks5 proxy"
    ):
        establish.establish("private", 1, env, tmp_path)


def test_the_environment_inside_points_to_the_relay(tmp_path):
    needs_private_network()
    before = {"HTTPS_PROXY": "http://proxy.example", "no_proxy": "intranet", "HOME": "/h"}
    made = establish.establish("private", 2, before, tmp_path)
    env = made.env(before)
    made.close()
    assert env["https_proxy"] == env["HTTPS_PROXY"] == env["http_proxy"] == "http://127.0.0.1:3128"
    assert env["no_proxy"] == "localhost,127.0.0.1,::1"
    assert env["HOME"] == "/h"
    assert made.addresses == ["127.0.0.1:12345", "127.0.0.1:12346"]


def test_in_words():
    assert Network("private").words == "private network"
    assert Network("host").words == "host network"
    assert Network("host", "of this").words == "host network, because of this"
    assert "run code" in Network("host").exposure
    assert Network().exposure == Network("private").exposure == ""


class Wrapped(Exception): ...


def wrapped(error: Exception) -> Exception:
    outer = Wrapped("the library's own words")
    outer.__cause__ = error
    return outer


@pytest.mark.parametrize(
    ("error", "hint"),
    [
        (ConnectionRefusedError(111, "Connection refused"), LOCALHOST),
        (wrapped(ConnectionRefusedError(111, "Connection refused")), LOCALHOST),
        (socket.gaierror(-3, "Temporary failure in name resolution"), OTHERS),
        (OSError(101, "Network is unreachable"), OTHERS),
        (OSError("Tunnel connection failed: 502 h: Name or service not known"), ""),
        (OSError("Tunnel connection failed: 403 localhost belongs to this machine, which a private "
                 "network cannot reach"), LOCALHOST),
        (ValueError("no such luck"), ""),
        (None, ""),
    ],
)  # fmt: skip
def test_hints(monkeypatch, error, hint):
    monkeypatch.setenv(PRIVATE_ENV, "1")
    assert network_hint(error) == hint
    monkeypatch.delenv(PRIVATE_ENV)
    assert network_hint(error) == ""
