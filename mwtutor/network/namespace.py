"""A network namespace, created and tested in a temporary child, and entered by each task.

The child creates the namespace, brings up its loopback interface, listens there, and hands over the
namespace and the listening socket. A socket stays in the namespace in which it was created,
whichever process holds it: a task connects inside, and the connection is accepted outside. Nothing
else joins the two networks.
"""

from __future__ import annotations

import ctypes
import errno
import fcntl
import os
import socket
import struct
import sys
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any, NoReturn, TypeVar

from mwtutor.system import transport
from mwtutor.system.exit_words import exit_words
from mwtutor.system.linux import LINUX

#: The relay's address inside the namespace, with the usual port of web proxies.
DOOR = ("127.0.0.1", 3128)

#: Maximum seconds for each step of the test; together they take milliseconds.
_PATIENCE = 10.0

#: The kinds of namespaces, in the order in which they are entered, and the system's flags.
USER, MOUNTS, NET, HOST_NAME = "user", "mnt", "net", "uts"
FLAGS = {USER: 0x10000000, MOUNTS: 0x00020000, NET: 0x40000000, HOST_NAME: 0x04000000}

_SIOCSIFFLAGS, _IFF_UP, _IFF_RUNNING = 0x8914, 0x1, 0x40
_IFREQ = struct.Struct("16sh22x")
_CAPABILITY_VERSION_3 = 0x20080522
_KNOCK = b"?"


class Unavailable(Exception):
    """A clause that says why a private network is not possible here."""


@dataclass(frozen=True)
class Namespaces:
    """Namespaces that exist as long as this object exists, or a process is in them.

    Attributes:
        fds: their descriptors, by kind; a user namespace only if one was needed.
    """

    fds: Mapping[str, int]

    def enter(self, *, to_change: bool = False) -> None:
        """Move this process, which must be single-threaded, into these namespaces.

        Args:
            to_change: whether to keep the creator's rights over the namespaces.
        """
        for kind, flag in FLAGS.items():
            if kind in self.fds:
                call("setns", self.fds[kind], flag)
        if USER in self.fds and not to_change:
            _drop_capabilities()

    def enter_next(self) -> None:
        """Move here from another network of the same owner; keep the rights over both networks."""
        call("setns", self.fds[NET], FLAGS[NET])

    def close(self) -> None:
        for fd in self.fds.values():
            os.close(fd)


@dataclass(frozen=True)
class Namespace(Namespaces):
    """A network namespace, and the way out of it.

    Attributes:
        door: a socket that listens at :data:`DOOR` inside; its holder accepts the connections.
    """

    door: socket.socket

    def close(self) -> None:
        self.door.close()
        super().close()


T = TypeVar("T")


def make() -> Namespace:
    """A new network namespace, tested from its creation to a connection through its door.

    Root, or a user with the privilege, gets a network namespace alone, so file access does not
    change. For an ordinary user, the network namespace belongs to a user namespace in which the
    user stays the same.

    Raises:
        Unavailable: some step is not possible here.
    """

    def work(parent: socket.socket) -> None:
        kinds = [NET, *unshare(NET)]
        hand_over(parent, kinds)

    return made_apart(work, receive)


def made_apart(work: Callable[[socket.socket], None], receive: Callable[[socket.socket], T]) -> T:
    """Run ``work`` in a temporary child; return what ``receive`` makes of its messages.

    Raises:
        Unavailable: some step is not possible here.
    """
    if not LINUX:
        raise Unavailable(f"{sys.platform} has no network namespaces")
    ours, theirs = socket.socketpair()
    child = os.fork()
    if child == 0:
        ours.close()
        _work_and_tell(work, theirs)
    theirs.close()
    try:
        with ours:
            ours.settimeout(_PATIENCE)
            return receive(ours)
    except (OSError, transport.Disconnected) as error:
        raise Unavailable(f"creating a network namespace failed ({error})") from None
    finally:
        os.waitpid(child, 0)


def receive(maker: socket.socket, *, enter: bool = True) -> Namespace:
    """Receive the namespace that :func:`hand_over` sends, and test it from this side.

    Args:
        enter: whether to test also that the namespace can be entered, which takes a fork.
    """
    answer, (door, *fds) = receive_fds(maker)
    with ExitStack() as undo:
        kinds = zip(answer["kinds"], fds, strict=True)
        namespace = Namespace(dict(kinds), socket.socket(fileno=door))
        undo.callback(namespace.close)
        _answer_knock(namespace.door)
        receive_fds(maker)
        if enter:
            _try_to_enter(namespace)
        undo.pop_all()
        return namespace


def receive_fds(maker: socket.socket) -> tuple[dict[str, Any], list[int]]:
    """The creator's message, and its descriptors.

    Raises:
        Unavailable: the creator reports why it could not continue.
    """
    answer, fds = transport.receive(maker, max_fds=len(FLAGS) + 1)
    for fd in fds:
        os.set_inheritable(fd, False)
    if "problem" in answer:
        raise Unavailable(answer["problem"])
    return answer, fds


def _answer_knock(door: socket.socket) -> None:
    door.settimeout(_PATIENCE)
    visitor, _ = door.accept()
    with visitor:
        visitor.settimeout(_PATIENCE)
        visitor.sendall(visitor.recv(1))
    door.settimeout(None)


def _try_to_enter(namespace: Namespace) -> None:
    """Enter the namespace in a fork, as tasks do: creating it does not prove that this works."""
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


# -- in the temporary child ----------------------------------------------------------------


def _work_and_tell(work: Callable[[socket.socket], None], parent: socket.socket) -> NoReturn:
    try:
        try:
            work(parent)
        except Unavailable as problem:
            transport.send(parent, {"problem": str(problem)})
        except OSError as error:
            transport.send(parent, {"problem": not_here("a network namespace", error)})
    finally:
        os._exit(0)


def hand_over(parent: socket.socket, kinds: list[str]) -> None:
    """Listen at :data:`DOOR` in this process's network, and test it.

    Args:
        kinds: the kinds of this process's namespaces to hand over with it.
    """
    door = _open_door()
    fds = [os.open(f"/proc/self/ns/{kind}", os.O_RDONLY) for kind in kinds]
    transport.send(parent, {"kinds": kinds}, [door.fileno(), *fds])
    _knock()
    transport.send(parent, {})
    door.close()
    for fd in fds:
        os.close(fd)


def unshare(*kinds: str) -> list[str]:
    """Move to new namespaces of these kinds; return the additional kind that was needed, if any."""
    flags = sum(FLAGS[kind] for kind in kinds)
    try:
        call("unshare", flags)
        return []
    except OSError as error:
        # In its own user namespace, root would lose access to other users' files.
        if error.errno != errno.EPERM or os.geteuid() == 0:
            raise
    uid, gid = os.geteuid(), os.getegid()
    try:
        call("unshare", FLAGS[USER] | flags)
        for name, text in (
            ("setgroups", "deny"),
            ("uid_map", f"{uid} {uid} 1"),
            ("gid_map", f"{gid} {gid} 1"),
        ):
            with open(f"/proc/self/{name}", "w") as file:
                file.write(text)
    except OSError as error:
        raise Unavailable(not_here("a user namespace", error)) from None
    return [USER]


def _open_door() -> socket.socket:
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
            request = _IFREQ.pack(b"lo", _IFF_UP | _IFF_RUNNING)
            fcntl.ioctl(any_socket, _SIOCSIFFLAGS, request)
        return socket.create_server(DOOR, backlog=128)
    except OSError as error:
        raise Unavailable(not_here("the loopback of a network namespace", error)) from None


def _knock() -> None:
    try:
        with socket.create_connection(DOOR, timeout=_PATIENCE) as visitor:
            visitor.sendall(_KNOCK)
            if visitor.recv(1) != _KNOCK:
                raise ConnectionError("no answer")
    except OSError as error:
        raise Unavailable(not_here("a connection in a network namespace", error)) from None


def not_here(what: str, error: OSError) -> str:
    """Why something is unavailable, as a clause."""
    return f"{what} is unavailable here ({error.strerror or error})"


# -- system calls that Python 3.10 does not have --------------------------------------------


def call(name: str, *arguments: Any) -> None:
    """A system call by the name of its function in the C library; raises :class:`OSError`."""
    libc = ctypes.CDLL(None, use_errno=True)
    if getattr(libc, name)(*arguments):
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


def _drop_capabilities() -> None:
    """Keep only the rights held before: entering a user namespace grants all rights in it."""
    header = struct.pack("Ii", _CAPABILITY_VERSION_3, 0)
    call("capset", header, bytes(2 * 3 * 4))
