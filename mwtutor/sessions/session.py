"""A session: a run whose workers stay alive and execute cells."""

from __future__ import annotations

import contextlib
import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import zmq

from mwtutor import launcher, notices, pushed_and_pulled
from mwtutor.cluster import TaskId
from mwtutor.exceptions import BadInput, LaunchFailed, SessionError, message_of
from mwtutor.run.request.option_kinds import Count, FilePath, Flag, Kind, short_repr
from mwtutor.run.request.options import LaunchRequest
from mwtutor.run.run import Run
from mwtutor.sessions import served
from mwtutor.sessions.background import BackgroundCell, BackgroundCells
from mwtutor.sessions.evaluation import LOST, evaluate
from mwtutor.sessions.execution import Execution, Interrupts
from mwtutor.sessions.export import assignment, write_script
from mwtutor.sessions.link import WorkerLink, new_key, write_connection
from mwtutor.sessions.result import RELEASED, Cell, CellResult, Listener, Output, list_names
from mwtutor.sessions.variables import VERB, Variable, merge
from mwtutor.singletons import singleton
from mwtutor.system.runtime_dir import new_socket_dir, remove_socket_dir

#: Seconds within which the workers must form their cluster and answer.
STARTING = 120.0

#: Seconds within which the supervisor records that the workers are idle, once they answer; until
#: then, the panel would say "running".
_RECORDING = 2.0

#: How many of each worker's newest exchanges to search for the one in which it waited.
_NEWEST = 64

#: Seconds within which a worker must answer between cells.
ANSWERING = 10.0

#: Seconds within which a worker must answer while a user types.
LOOKING_UP = 0.4


class Session:
    """Workers that stay alive, and the cells that they have executed.

    With parameter servers, cells run on the chief; workers and parameter servers serve it.

    Attributes:
        run: the run behind the session, for its logs and status and for stopping it.
        replaced: the run of the same name that was stopped when this session started.
        cells: the cells that succeeded, for :mod:`mwtutor.sessions.export`.
        background: the cells that are, or were, executed in the background.
    """

    def __init__(self, request: LaunchRequest) -> None:
        self._request = request
        self.run: Run
        self.replaced: Run | None = None
        self.cells: list[Cell] = []
        self.background = BackgroundCells(self._why_ended)
        self._links: dict[TaskId, WorkerLink] = {}
        self._context: zmq.Context[Any] | None = None
        self._disturbed = False

    @classmethod
    def start(cls, request: LaunchRequest) -> Session:
        """Start the workers, and wait until each has its strategy and answers.

        Args:
            request: as for a launch; its program is ignored.

        Raises:
            BadInput: the request is invalid.
            LaunchFailed: a worker did not become ready; nothing is left running.
        """
        if not isinstance(request, LaunchRequest):
            raise BadInput(
                f"A session cannot start from {short_repr(request)}.",
                "Give it a request, for example LaunchRequest('', workers=2).",
            )
        session = cls(request)
        session._begin()
        singleton(Sessions).append(session)
        return session

    def __repr__(self) -> str:
        return f"<Session {self.name}: {self.run.state.status}>"

    @property
    def name(self) -> str:
        return self.run.name

    @property
    def tasks(self) -> tuple[TaskId, ...]:
        """The tasks that execute cells."""
        return tuple(self._links)

    def execute(
        self,
        code: str,
        tasks: Sequence[TaskId] = (),
        *,
        scope: bool = False,
        listener: Listener | None = None,
        export: bool = True,
        place: str = "",
        count: int = 0,
    ) -> CellResult:
        """Execute a cell and follow it to its end; an interrupt of this process interrupts it.

        Like everything that needs the workers, this first waits for the cells in the background.

        Args:
            code: the source of an IPython cell.
            tasks: the tasks that execute it; all by default.
            scope: whether to execute it inside ``strategy.scope()``.
            listener: receives the output as it arrives.
            export: whether the cell belongs in an exported script.
            place: the notebook cell it comes from; running that cell again replaces this one.
            count: the cell's number in tracebacks.

        Raises:
            BadInput: an argument cannot be used.
            Interrupted: the wait for a cell in the background was interrupted.
            SessionError: the session has ended, or a worker ended while it executed the cell.
        """
        asked = self._asked(code, tasks, scope, listener, export, place, count)
        self.background.wait()
        return self._follow(asked)

    def submit(
        self,
        code: str,
        tasks: Sequence[TaskId] = (),
        *,
        scope: bool = False,
        listener: Listener | None = None,
        export: bool = True,
        place: str = "",
        count: int = 0,
    ) -> BackgroundCell:
        """Execute a cell in the background, after those that were submitted before it.

        Args:
            listener: as for :meth:`execute`, but it is called in another thread.

        Raises:
            BadInput: an argument cannot be used.
            SessionError: the session has ended.
        """
        asked = self._asked(code, tasks, scope, listener, export, place, count)
        self.check_alive()
        return self.background.add(
            lambda interrupts: self._follow(asked, interrupts), count, asked.listener
        )

    def _asked(
        self,
        code: str,
        tasks: Sequence[TaskId],
        scope: bool,
        listener: Listener | None,
        export: bool,
        place: str,
        count: int,
    ) -> _Asked:
        Kind().check(code, "A cell")
        Flag().check(scope, "scope")
        Flag().check(export, "export")
        Count().check(count, "count")
        everywhere = len(self._links_of(tasks)) in (0, len(self._links))
        cell = Cell(code, scope, () if everywhere else tuple(tasks), place)
        return _Asked(cell, listener or _Silent(), export, count)

    def _follow(self, asked: _Asked, interrupts: Interrupts | None = None) -> CellResult:
        """Execute a cell and follow it to its end.

        Args:
            interrupts: counts the interrupts of a cell in the background; None in the foreground.
        """
        cell = asked.cell
        links = self._links_of(cell.tasks) or list(self._links.values())
        self._check_free(links)
        wish = {"scope": cell.scope, "background": interrupts is not None, "count": asked.count}

        def start() -> None:
            for link in links:
                link.execute(cell.source, wish)

        def look() -> bool:
            self.check_alive()
            return bool(self._why_stranded()) and served.waits(links[0])

        execution = Execution(links, len(self._links), asked.listener, look)
        result = replace(execution.follow(start, interrupts), disturbed=self._disturbed)
        if result.released:
            result = replace(result, waited_at=self._waited_at(result.released))
        if not self._request.ps:
            self._disturbed |= result.interrupted or bool(result.released)
        elif result.interrupted:
            stranded = self._why_stranded()
            result = replace(result, scheduled=served.scheduled_count(links[0]), stranded=stranded)
        if result.ok and asked.export:
            self._remember(cell)
        return result

    def _waited_at(self, released: Sequence[TaskId]) -> str:
        """The line of the exchange in which one of these tasks waited; empty if unknown."""
        ledgers = self.run.exchanges(_NEWEST).ledgers
        recorded = [one for task in released if task in ledgers for one in ledgers[task].exchanges]
        waits = [one for one in recorded if one.line.file and not one.done]
        longest = max(waits, key=lambda one: (one.ended or math.inf) - one.begun, default=None)
        return str(longest.line) if longest is not None else ""

    def push(self, named: Mapping[str, Any]) -> None:
        """Assign these values to these names on every worker.

        Raises:
            BadInput: a value cannot be sent.
        """
        if not isinstance(named, Mapping):
            raise BadInput(
                f"{short_repr(named)} cannot be pushed.",
                "Give a dictionary of names and values, for example {'x': 1}.",
            )
        _check_names(named)
        self.background.wait()
        self._check_free(list(self._links.values()))
        try:
            buffers = pushed_and_pulled.dump(dict(named))
        except pushed_and_pulled.CannotTravel as error:
            raise BadInput(
                f"{', '.join(named)} cannot be pushed: {error}.",
                "Push arrays and plain values, and define everything else in a %%mw cell.",
            ) from None
        for link in self._links.values():
            reply = self._reply(link, "mwtutor_push", {}, buffers)
            if reply["content"]["status"] != "ok":
                raise BadInput(
                    f"{link.task} cannot load {', '.join(named)}: {reply['content']['problem']}.",
                    "Also define the notebook's classes and functions in a %%mw cell.",
                )
        self._remember(*(Cell(assignment(name, value)) for name, value in named.items()))

    def pull(self, names: Sequence[str], task: TaskId | None = None) -> dict[str, Any]:
        """The values of these names.

        Args:
            names: the variables' names on the workers.
            task: the task to fetch from; by default each value is a dictionary with the value of
                every task under the task's name.

        Raises:
            BadInput: a name is not defined, or a value cannot be sent.
        """
        _check_names(names)
        self.background.wait()
        links = self._links_of([task]) if task else list(self._links.values())
        self._check_free(links)
        replies = {
            link.task: self._reply(link, "mwtutor_pull", {"names": list(names)}) for link in links
        }
        contents = {name: reply["content"] for name, reply in replies.items()}
        for name in names:
            self._check_there(name, [t for t, seen in contents.items() if name in seen["missing"]])
        for there, content in contents.items():
            if content["status"] != "ok":
                raise BadInput(
                    f"{', '.join(names)} cannot be pulled from {there}: {content['problem']}.",
                    "Pull arrays, plain values, weights or a History instead.",
                )
        loaded = {there: _loaded(reply["buffers"], there) for there, reply in replies.items()}
        if task:
            return dict(loaded[task])
        return {name: {str(t): got[name] for t, got in loaded.items()} for name in names}

    def defines(self, name: str) -> bool:
        """Whether a worker has a variable of this name; False if the session has ended.

        Raises:
            NoAnswer: a worker did not answer in time.
        """
        self.background.wait()
        expression = f"{name!r} in globals()"
        with contextlib.suppress(SessionError):
            return any(self.evaluate([expression], ANSWERING)[expression].values())
        return False

    def evaluate(self, expressions: Sequence[str], seconds: float) -> dict[str, dict[TaskId, Any]]:
        """The value of each expression on each worker; see :mod:`mwtutor.sessions.evaluation`.

        Raises:
            SessionError: the session has ended, or is still executing a cell.
            NoAnswer: a worker did not answer in time.
        """
        self.check_alive()
        if busy := self.background.undone():
            raise SessionError(
                f"The workers are executing {busy[0].name} in the background.",
                "Wait for it with %mw_result --wait, or interrupt it with %mw_interrupt.",
            )
        self._check_free(list(self._links.values()))
        return evaluate(self._links.values(), expressions, seconds)

    def unusable(self, seconds: float) -> str:
        """Why cells can no longer train together, as a sentence; empty if they can.

        Raises:
            SessionError: the session has ended, or is still executing a cell.
            NoAnswer: a worker did not answer in time.
        """
        if self._request.ps:  # the chief has no collectives
            return self._why_stranded()
        reasons = [reason for reason in self.evaluate([LOST], seconds)[LOST].values() if reason]
        causes = [reason for reason in reasons if RELEASED not in reason]
        lost = next(iter([*causes, *reasons]), "")
        return f"Collectives no longer work in this session: {lost.rstrip('.')}." if lost else ""

    def variables(self) -> list[Variable]:
        """Every variable on the tasks that execute cells, and which task keeps it.

        Raises:
            SessionError: the session has ended, or is still executing an interrupted cell.
        """
        self.background.wait()
        links = list(self._links.values())
        self._check_free(links)
        told = {link.task: self._reply(link, VERB, {})["content"] for link in links}
        for task, content in told.items():
            if content["status"] != "ok":
                raise SessionError(
                    f"{task} could not list its variables: {content['problem']}.",
                    "%mw_logs shows what it has printed.",
                )
        return merge({task: content["variables"] for task, content in told.items()})

    def look_up(
        self, verb: str, content: Mapping[str, Any], task: TaskId | None = None
    ) -> Mapping[str, Any] | None:
        """A worker's answer to a Jupyter request that is made while the user types.

        Args:
            task: the worker; by default the one that does the chief's work.

        Returns:
            None if it does not answer immediately, because it is executing a cell or has ended.
        """
        link = self._links.get(task or self.chief()) if self._links else None
        if link is None or self.run.recorded_end:
            return None
        reply: Mapping[str, Any] | None = link.look_up(verb, content, LOOKING_UP)
        return reply if reply is not None and reply.get("status") == "ok" else None

    def restart(self, workers: int | None = None) -> None:
        """Replace the workers with new ones, on which nothing is defined.

        Args:
            workers: the number of workers; by default, as many as before.

        Raises:
            BadInput: there cannot be that many; the session continues unchanged.
            LaunchFailed: a new worker did not become ready; the session has ended.
        """
        if workers is not None:
            self._request = replace(self._request, workers=workers).checked("start")
        self._close("the session was restarted")
        self.cells = []
        self._disturbed = False
        self._begin()

    def stop(self) -> None:
        """Stop the workers."""
        self._close("it was stopped")

    def export(self, path: Path, *, force: bool = False) -> int:
        """Write the cells that succeeded as a script, and return how many there are.

        Raises:
            SessionError: there are none yet.
            BadInput: the file cannot be written, or it exists and is not an exported script.
        """
        path = Path(FilePath().check(path, "The script"))
        self.background.wait()
        return write_script(self.cells, path, self._request, force=force)

    def launch_words(self, path: Path) -> str:
        """The line that launches a script on a cluster like this session's."""
        # The name is left out because it would stop the session, and the directory because paths
        # are relative to the current one.
        options = self._request.words("name", "cwd")
        return f"{self._request.workers} {path} {options}".rstrip()

    def task(self, task: str) -> TaskId:
        """The task of that name, or an error that lists the existing names."""
        return self.run.task(task)

    def chief(self) -> TaskId:
        """The task that does the chief's work."""
        return min(self._links, key=lambda task: (task.type != "chief", task.index))

    # -- starting and ending ----------------------------------------------------------------

    def _begin(self) -> None:
        size = self._request.size
        directory = new_socket_dir()
        tasks = list(size.at([f"localhost:{port + 1}" for port in range(size.tasks)]).tasks())
        tasks = [task for task in tasks if not size.ps or task.type == "chief"]
        key = new_key()
        try:
            for task in tasks:
                write_connection(directory, task, key)
            launched = launcher.start(self._request, str(directory))
        except BaseException as error:
            remove_socket_dir(directory)
            if isinstance(error, OSError):
                raise LaunchFailed(
                    f"The session could not be started: {message_of(error)}.",
                    "Correct the cause, and start the session again; nothing was left behind.",
                ) from None
            raise
        self.run, self.replaced = launched.run, launched.replaced
        try:
            self._connect(tasks, directory)
        except BaseException:
            self._close("it did not start")
            raise

    def _connect(self, tasks: Sequence[TaskId], directory: Path) -> None:
        self._context = zmq.Context()
        self._links = {task: WorkerLink(task, directory, self._context) for task in tasks}
        waiting = list(self._links.values())
        deadline = time.monotonic() + STARTING
        while waiting := [link for link in waiting if not link.ready()]:
            notices.waiting("the workers form their cluster")
            outcome = self.run.outcome
            if outcome is not None:
                raise LaunchFailed(
                    f"The session could not be started: {outcome.reason}.",
                    f"Read the log: %mw_logs {outcome.culprit or ''}".rstrip() + ".",
                )
            if time.monotonic() > deadline:
                missing = list_names([link.task for link in waiting])
                raise LaunchFailed(
                    f"{missing} did not become ready within {STARTING:.0f} s.",
                    "The machine may be overloaded: check its load, then start again.",
                )
        recorded = time.monotonic() + _RECORDING
        while self.run.state.cells is None and time.monotonic() < recorded:
            time.sleep(0.01)

    def _close(self, reason: str) -> None:
        self.background.abandon(reason, lambda: self.run.stop(reason))
        for link in self._links.values():
            link.close()
        self._links = {}
        if self._context is not None:
            self._context.term()
            self._context = None
        self.run.stop(reason)

    # -- checks -----------------------------------------------------------------------------

    def _links_of(self, tasks: Sequence[TaskId]) -> list[WorkerLink]:
        if isinstance(tasks, str) or not isinstance(tasks, Sequence):
            raise BadInput(
                f"{short_repr(tasks)} is not a list of tasks.", "Write [session.task('worker:0')]."
            )
        if strange := [task for task in tasks if task not in list(self._links)]:
            if self._links:
                served.check_executes_cells(strange[0], self.run.state)
            known = ", ".join(map(str, self._links)) or "none yet"
            raise BadInput(
                f"There is no task {short_repr(strange[0])}.", f"The tasks are: {known}."
            )
        return [self._links[task] for task in tasks]

    def _check_free(self, links: Sequence[WorkerLink]) -> None:
        self.check_alive()
        for link in links:
            for _ in link.outputs():  # left over from a cell that was not followed to its end
                pass
        if busy := [link.task for link in links if link.busy]:
            raise SessionError(
                f"The interrupted cell is still running on {list_names(busy)}.",
                "Wait for it to end, or start fresh workers with %mw_restart.",
            )

    def _why_stranded(self) -> str:
        return served.why_stranded(self.run.state, self.run.spec.now())

    def check_alive(self) -> None:
        """Raise an error if the session has ended, or lost a worker that its cells need.

        Raises:
            SessionError: it has ended, or this call has ended it.
        """
        state = self.run.state
        ended = served.ended_tasks(state)
        if state.outcome is None and not state.ending and not ended:
            return
        if state.outcome is None and not state.ending:
            self.run.stop(f"{ended[0].id} has ended")  # the task's peers would only wait for it
        self.run.wait(timeout=30.0, check=False)
        raise SessionError(
            f"The session has ended: {self._why_ended()}{served.what_was_lost(self.run.state)}.",
            "%mw_restart starts fresh workers; %mw_logs shows what the old workers printed.",
        )

    def _why_ended(self) -> str:
        outcome = self.run.outcome
        return "" if outcome is None else outcome.reason or "its workers have finished"

    def _check_there(self, name: str, missing: Sequence[TaskId]) -> None:
        if not missing:
            return
        having = [task for task in self._links if task not in missing]
        if having and len(missing) < len(self._links):
            raise BadInput(
                f"{name!r} is not defined on {list_names(missing)}.",
                f"Pull it from a worker that may have it: %mw_pull {name} --task {having[0]}",
            )
        raise BadInput(
            f"{name!r} is not defined on {list_names(missing)}.", "Define it in a %%mw cell first."
        )

    def _reply(
        self, link: WorkerLink, verb: str, content: Any, buffers: Sequence[Any] = ()
    ) -> Mapping[str, Any]:
        reply: Mapping[str, Any] | None = link.request(verb, content, buffers)
        if reply is None:
            self.check_alive()
            raise SessionError(f"{link.task} does not answer.", "%mw_restart starts fresh workers.")
        return reply

    def _remember(self, *cells: Cell) -> None:
        """Keep cells; one that ran again keeps its place, because later cells may depend on it."""
        for cell in cells:
            places = [kept.place for kept in self.cells]
            if cell.place and cell.place in places:
                self.cells[places.index(cell.place)] = cell
            else:
                self.cells.append(cell)


class Sessions(list[Session]):
    """The sessions that this process has started, the most recent last."""


@dataclass(frozen=True)
class _Asked:
    """A cell to execute, with the arguments of :meth:`Session.execute`."""

    cell: Cell
    listener: Listener
    export: bool
    count: int


class _Silent:
    def output(self, task: TaskId, output: Output) -> None: ...

    def ended(self, task: TaskId) -> None: ...

    def tick(self) -> None: ...


def find(name: str = "") -> Session:
    """The session with that name, or the latest.

    Raises:
        SessionError: there is none.
    """
    Kind().check(name, "The name of a session")
    for session in reversed(singleton(Sessions)):
        if name in ("", session.name):
            return session
    if name:
        raise SessionError(f"There is no session named {name!r}.", "Start it: %mw_start 2 --name …")
    raise SessionError("There is no session yet.", "Start one: %mw_start 2")


def running(name: str) -> Session | None:
    """The session with that name, if it can execute cells."""
    for session in reversed(singleton(Sessions)):
        if session.name == name:
            usable = session.tasks and session.run.can_be_stopped
            return session if usable and not served.ended_tasks(session.run.state) else None
    return None


def _check_names(names: Any) -> None:
    if isinstance(names, str) or not isinstance(names, (Sequence, Mapping)):
        raise BadInput(
            f"{short_repr(names)} is not a list of names.", "Write ['x'], or ['x', 'y']."
        )
    for name in names:
        if not isinstance(name, str) or not name.isidentifier():
            raise BadInput(
                f"{short_repr(name)} is not the name of a variable.", "Write ['x'], or ['x', 'y']."
            )


def _loaded(buffers: Sequence[Any], task: TaskId) -> Mapping[str, Any]:
    try:
        return dict(pushed_and_pulled.load(buffers))
    except Exception as error:
        raise BadInput(
            f"{task} sent a value that cannot be loaded here: {type(error).__name__}: {error}.",
            "Pull arrays and plain values, or define the class in the notebook, too.",
        ) from None
