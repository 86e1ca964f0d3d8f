"""A network namespace for one run: made and tested in a throw-away child, entered by each task.

The child makes the namespace, brings its loopback interface up, listens there, and hands the
namespace and the listening socket over. A socket stays in the namespace it was made in, whoever
holds it: what a task connects to inside is accepted outside, and nothing else joins the two.
"""

from __future__ import annotations

import ctypes
import errno
import fcntl
import os
import socket
import struct
import sys
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any, NoReturn

from mwtutor.system import transport
from mwtutor.system.exit_words import exit_words

#: Where the relay is reached inside: the usual port of web proxies.
DOOR = ("127.0.0.1", 3128)

#: Seconds that each step of the test may take; all of them together take milliseconds.
_PATIENCE = 10.0

_CLONE_NEWUSER, _CLONE_NEWNET = 0x10000000, 0x40000000
_SIOCSIFFLAGS, _IFF_UP, _IFF_RUNNING = 0x8914, 0x1, 0x40
_IFREQ = struct.Struct("16sh22x")
_CAPABILITY_VERSION_3 = 0x20080522
_KNOCK = b"?"


class Unavailable(Exception):
    """Why a private network is not possible here, as a clause."""


@dataclass(frozen=True)
class Namespace:
    """A namespace that lives as long as this object, or a process in it.

    Attributes:
        door: listens at :data:`DOOR` inside; whoever holds it accepts the connections.
        net: descriptor of the network namespace.
        user: of the user namespace that owns it; None if none was needed.
    """

    door: socket.socket
    net: int
    user: int | None

    def enter(self) -> None:
        """Move this process, which must have a single thread, into the namespace."""
        if self.user is not None:
            _call("setns", self.user, _CLONE_NEWUSER)
        _call("setns", self.net, _CLONE_NEWNET)
        if self.user is not None:
            _drop_capabilities()

    def close(self) -> None:
        self.door.close()
        for fd in (self.net, self.user):
            if fd is not None:
                os.close(fd)


def make() -> Namespace:
    """A new namespace in which the whole chain has been tested.

    As root, or with the privilege to make one, it is a network namespace alone: file access does
    not change. As an ordinary user, it is owned by a user namespace in which the user stays the
    same.

    Raises:
        Unavailable: some step is not possible here.
    """
    if sys.platform != "linux":
        raise Unavailable(f"{sys.platform} has no network namespaces")
    ours, theirs = socket.socketpair()
    child = os.fork()
    if child == 0:
        ours.close()
        _make_and_tell(theirs)
    theirs.close()
    try:
        with ours:
            ours.settimeout(_PATIENCE)
            return _receive(ours)
    except (OSError, transport.Disconnected) as error:
        raise Unavailable(f"making a network namespace failed ({error})") from None
    finally:
        os.waitpid(child, 0)


def _receive(maker: socket.socket) -> Namespace:
    answer, fds = transport.receive(maker, max_fds=3)
    for fd in fds:
        os.set_inheritable(fd, False)
    if "problem" in answer:
        raise Unavailable(answer["problem"])
    with ExitStack() as undo:
        door = socket.socket(fileno=fds[0])
        namespace = Namespace(door, fds[1], fds[2] if len(fds) > 2 else None)
        undo.callback(namespace.close)
        _answer_knock(door)
        if "problem" in (done := transport.receive(maker)[0]):
            raise Unavailable(done["problem"])
        _try_to_enter(namespace)
        undo.pop_all()
        return namespace


def _answer_knock(door: socket.socket) -> None:
    door.settimeout(_PATIENCE)
    visitor, _ = door.accept()
    with visitor:
        visitor.settimeout(_PATIENCE)
        visitor.sendall(visitor.recv(1))
    door.settimeout(None)


def _try_to_enter(namespace: Namespace) -> None:
    """From a fork, as each task does: who may make a namespace may not always enter it."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            namespace.enter()
            code = 0
        except OSError as error:
            code = error.errno or 1
        finally:
            os._exit(code)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if code:
        why = os.strerror(code) if code > 0 else exit_words(code)
        raise Unavailable(f"a network namespace cannot be entered here ({why})")


# -- in the throw-away child ----------------------------------------------------------------


def _make_and_tell(parent: socket.socket) -> NoReturn:
    try:
        try:
            with_user = _unshare()
            door = _open_door()
            kinds = ["net", "user"] if with_user else ["net"]
            fds = [os.open(f"/proc/self/ns/{kind}", os.O_RDONLY) for kind in kinds]
            transport.send(parent, {}, [door.fileno(), *fds])
            _knock()
            transport.send(parent, {})
        except Unavailable as problem:
            transport.send(parent, {"problem": str(problem)})
        except OSError as error:
            transport.send(parent, {"problem": _not_here("a network namespace", error)})
    finally:
        os._exit(0)


def _unshare() -> bool:
    """Move to a new network; whether that took a user namespace."""
    try:
        _call("unshare", _CLONE_NEWNET)
        return False
    except OSError as error:
        # Root of its own user namespace would lose its access to other users' files.
        if error.errno != errno.EPERM or os.geteuid() == 0:
            raise
    uid, gid = os.geteuid(), os.getegid()
    try:
        _call("unshare", _CLONE_NEWUSER | _CLONE_NEWNET)
        for name, text in (
            ("setgroups", "deny"),
            ("uid_map", f"{uid} {uid} 1"),
            ("gid_map", f"{gid} {gid} 1"),
        ):
            with open(f"/proc/self/{name}", "w") as file:
                file.write(text)
    except OSError as error:
        raise Unavailable(_not_here("a user namespace", error)) from None
    return True


def _open_door() -> socket.socket:
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
            request = _IFREQ.pack(b"lo", _IFF_UP | _IFF_RUNNING)
            fcntl.ioctl(any_socket, _SIOCSIFFLAGS, request)
        return socket.create_server(DOOR, backlog=128)
    except OSError as error:
        raise Unavailable(_not_here("the loopback of a network namespace", error)) from None


def _knock() -> None:
    try:
        with socket.create_connection(DOOR, timeout=_PATIENCE) as visitor:
            visitor.sendall(_KNOCK)
            if visitor.recv(1) != _KNOCK:
                raise ConnectionError("no answer")
    except OSError as error:
        raise Unavailable(_not_here("a connection in a network namespace", error)) from None


def _not_here(what: str, error: OSError) -> str:
    return f"{what} is unavailable here ({error.strerror or error})"


# -- system calls that Python 3.10 does not have --------------------------------------------


def _call(name: str, *arguments: Any) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    if getattr(libc, name)(*arguments):
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


def _drop_capabilities() -> None:
    """Keep only the rights held before: entering a user namespace grants all of them in it."""
    header = struct.pack("Ii", _CAPABILITY_VERSION_3, 0)
    _call("capset", header, bytes(2 * 3 * 4))
