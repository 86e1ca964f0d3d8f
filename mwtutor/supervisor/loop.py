"""The supervisor of one run: it starts and reaps tasks, applies the policy, and writes the log.

The supervisor is single-threaded and the parent of every task, so it notices an exit immediately.
It knows about the run only what it has recorded, and folds its own events as every reader does. The
decisions are made in :mod:`mwtutor.supervisor.policy`, and its view of the machine comes from a
:class:`~mwtutor.supervisor.world.World`. If restarts were requested, it restarts a failed cluster
on the same addresses, or, if the run is elastic, without a lost worker; it restarts a task alone if
the run can continue without it.
"""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Collection
from dataclasses import replace

from mwtutor.cluster import TaskId
from mwtutor.exceptions import MwtutorError
from mwtutor.run.logs import log_index
from mwtutor.run.record import events
from mwtutor.run.record.events import Event
from mwtutor.run.record.state import Outcome, RunState, next_state
from mwtutor.run.record.task_status import Status
from mwtutor.run.request.options import LaunchRequest
from mwtutor.supervisor import blame, deadlines, elastic, policy
from mwtutor.supervisor.attempt import Attempt
from mwtutor.supervisor.deadlines import Deadline, Deadlines, Due
from mwtutor.supervisor.failure import failure
from mwtutor.supervisor.restarts import Restarts
from mwtutor.supervisor.stacks_at_timeout import Silence
from mwtutor.supervisor.world import Log, Task, World

#: Seconds between two checks of log sizes and listening ports, which send no notifications.
TICK = log_index.INTERVAL


class Supervisor:
    """Owns one run from start to finish.

    Attributes:
        tasks: the process of each task; restarts replace them.

    Args:
        session: whether the tasks execute cells. If so, the whole cluster is not restarted, because
            what cells define is lost with their process.
        idle: minutes without a cell after which a session is stopped; 0 means never.
    """

    def __init__(
        self,
        request: LaunchRequest,
        world: World,
        log: Log,
        *,
        session: bool = False,
        idle: int = 0,
    ) -> None:
        self.tasks: dict[TaskId, Task] = {}
        self._request = request
        self._world = world
        self._log = log
        self._state = RunState()
        self._attempt = Attempt(1)
        self._restarts = Restarts(request.restarts)
        self._session = session
        self._idle = idle if session else 0
        self._deadlines = Deadlines(world.now)
        self._silence: Silence | None = None  # None until the time limit has passed

    # -- starting ---------------------------------------------------------------------------

    def start(self) -> None:
        """Start every task.

        Raises:
            NotSupported, OSError: they cannot be started.
        """
        started = self._world.establish()
        self._cluster = started.cluster
        self.record(started)
        self._start_attempt(1)
        if self._request.timeout:
            self._deadlines.set(Due.TIMEOUT, self._request.timeout)

    def _start_attempt(self, number: int) -> None:
        """Start every task of a new cluster, or of one that has ended completely."""
        if number > 1:
            moved = self._world.renew(self._attempt.without)
            if self.told_to_end:  # by a command that arrived meanwhile
                return
            self._cluster = moved or self._cluster
        self._attempt = Attempt(number)
        self.tasks.clear()
        self._deadlines.begin_attempt()
        if number > 1:
            self.record(events.AttemptStarted(number, moved))
        for task in self._cluster.tasks():
            self._start_task(task, number)

    def _start_task(self, task: TaskId, attempt: int) -> None:
        started = self.tasks[task] = self._world.spawn(task, attempt)
        self.record(events.TaskStarted(task, attempt, started.pid, started.born))
        self._world.watch(started, lambda: self._hear(started))

    # -- watching ---------------------------------------------------------------------------

    def watch(self) -> None:
        """Run until every task has ended for good and nothing is left of the run."""
        while True:
            while not self._done():
                self._step()
            if self._attempt.restart_in is None:
                break
            self._world.kill_children()
            self._deadlines.set(Due.BACK_OFF, self._attempt.restart_in)
            while self._deadlines.pending(Due.BACK_OFF) and self._attempt.restart_in is not None:
                self._step()
            if self._attempt.restart_in is not None:
                try:
                    self._start_attempt(self._attempt.number + 1)
                except (OSError, MwtutorError) as error:
                    why = error.problem if isinstance(error, MwtutorError) else error.strerror
                    if not self.told_to_end:  # by a command that arrived meanwhile
                        self._end("failed", f"it could not be restarted: {why}")
                    self._stop_tasks()
        self._finish()

    def _step(self) -> None:
        self._world.wait(TICK)
        for host, why in self._world.unreachable().items():
            self.record(events.Unreachable(host, why))
        for task, exit in self._world.reap():
            self._ended(task, exit)
        for task, halted in self._world.halts():
            self.record((events.TaskHalted if halted else events.TaskContinued)(task.id))
        for task in self.tasks.values():
            if not task.ended:
                task.note_log()
        self._look_for_listeners()
        if self._idle and not ((cells := self._state.cells) and cells.executing):
            self._deadlines.set_once(Due.IDLE, 60 * self._idle)
        for deadline in self._deadlines.due():
            self._act_on(deadline)
        self._apply_policy()

    def _done(self) -> bool:
        if self._attempt.verdict is None and self._deadlines.pending(Due.SUSPICION):
            return False
        return all(
            task.ended and not self._deadlines.pending(Due.RESTART, name)
            for name, task in self.tasks.items()
        )

    def _hear(self, task: Task) -> None:
        for event in task.events():
            if isinstance(event, events.Listening) and self._state.tasks[task.id].listening:
                continue  # the task was already seen listening
            self.record(event)
            match event:
                case events.Progress(epoch=epoch, step=step):
                    self._restarts.note_progress(epoch, step)
                case events.Executing():
                    self._deadlines.drop(Due.IDLE)
                case events.ProgramEnded(code=0):
                    pass
                case events.ProgramRaised() | events.ProgramEnded():
                    task.raised = event
                    self._blame(task)
                    self._deadlines.set_once(Due.LAST_WORDS, deadlines.LAST_WORDS, task.id)
        if task.said_all:
            self._hear_no_more(task)

    def _hear_no_more(self, task: Task) -> None:
        with contextlib.suppress(KeyError):
            self._world.forget(task)

    def _look_for_listeners(self) -> None:
        peers = list(self._cluster.peers())
        if self._state.formed or not peers:
            return
        for name in peers:
            task = self.tasks[name]
            if not self._state.tasks[name].listening and not task.ended and task.listens():
                self.record(events.Listening(name))
        # An unplugged task listens, too, but is unreachable.
        unplugged = any(machine.unplugged and machine.tasks for machine in self._state.machines)
        if not unplugged and all(self._state.tasks[name].listening for name in peers):
            self.record(events.ClusterFormed())

    def _ended(self, task: Task, exit: int) -> None:
        self._hear(task)
        task.ended_by = exit
        # The task may be restarted alone, under the same name.
        self._deadlines.drop(Due.LAST_WORDS, task.id)
        self._hear_no_more(task)
        task.close()
        task.memory_kills = self._world.memory_kills()
        attempt = self._attempt
        status = policy.ended_as(exit, stopped=task.stopping, done=task.id in attempt.done)
        why = failure(task) if status is Status.FAILED else {}
        if status is Status.STOPPED and task.id in attempt.cut:
            why = {"reason": attempt.cut[task.id]}
        if task.left and not task.stopping:
            why["left"] = task.left
        self.record(events.TaskEnded(task.id, status.value, exit, **why), durable=True)
        if status is Status.FAILED:
            self._blame(task)
            if attempt.verdict is None and not self._counts(task):
                self._restart_alone(task)

    # -- deciding ---------------------------------------------------------------------------

    def _blame(self, task: Task) -> None:
        if self._counts(task) and self._attempt.blame.consider(task.id, task.raised):
            self._deadlines.set(Due.SUSPICION, deadlines.SUSPICION + self._world.late)

    def _counts(self, task: Task) -> bool:
        return policy.counts(task.id, self._state)

    def _apply_policy(self) -> None:
        attempt = self._attempt
        if attempt.verdict is not None and not attempt.verdict.ok:
            self._stop_the_rest()
            return
        if attempt.blame.culprit is None and self._deadlines.pending(Due.SUSPICION):
            return
        if not self._session and policy.waits_in_vain(self._state):
            self._deadlines.set_once(Due.STRANDED, deadlines.STRANDED)
        else:
            self._deadlines.drop(Due.STRANDED)
        decision = policy.decide(self._cluster, self._state, attempt.blame.culprit)
        if decision.culprit is not None:
            self._fail(self.tasks[decision.culprit])
        elif decision.action in ("finish", "end"):
            attempt.verdict = Outcome("succeeded")
            self._deadlines.drop_all(Due.RESTART)
            attempt.done.update(decision.stop)
            for name in decision.stop:
                self.tasks[name].stop()
            for name in decision.linger:
                if name.type == "evaluator" and not self._deadlines.pending(Due.LINGER, name):
                    self.tasks[name].say_training_is_over()
                self._deadlines.set_once(Due.LINGER, deadlines.LINGER, name)

    def _fail(self, culprit: Task) -> None:
        """End the attempt, and the run with it unless it will be restarted."""
        reason = failure(culprit)["reason"]
        attempt = self._attempt
        lasted = self._world.now() - culprit.begun
        if not self._session:
            self._plan_the_next(culprit, lasted)
        if attempt.restart_in is None:
            self._end("failed", reason + ("" if self._session else self._in_vain(culprit)))
        else:
            reason += elastic.cut_off(culprit.id, attempt.without)
            attempt.verdict = Outcome("failed", reason)
            self.record(
                events.AttemptFailed(
                    attempt.number, reason, culprit.id, attempt.restart_in, attempt.without
                )
            )
        self._deadlines.drop_all(Due.RESTART)
        self._deadlines.set(Due.ALIKE, deadlines.ALIKE)
        self._stop_the_rest()

    def _plan_the_next(self, culprit: Task, lasted: float) -> None:
        """Decide whether another attempt follows, and which workers it leaves out."""
        attempt, least = self._attempt, self._request.least
        cut_off = elastic.workers_to_drop(self._state.cut_off, self._cluster, least)
        if not cut_off:  # a restart cannot plug a machine in
            attempt.restart_in = self._restarts.delay_after(lasted)
        if attempt.restart_in is None:
            lost = (culprit.id,) if elastic.was_killed(culprit) else ()
            attempt.without = cut_off or elastic.workers_to_drop(lost, self._cluster, least)
            if attempt.without:
                attempt.restart_in = self._restarts.with_fewer()

    def _in_vain(self, culprit: Task) -> str:
        """Why there will be no further attempt: text to append to the failure's reason."""
        size = elastic.in_vain(culprit, self._cluster, self._request)
        return self._restarts.in_vain() + size

    def _stop_the_rest(self) -> None:
        """End a failed attempt, once no other task can be about to raise the same error."""
        attempt, states = self._attempt, self._state.tasks
        culprit = attempt.blame.culprit
        if culprit is None or not self._deadlines.pending(Due.ALIKE):
            return
        if not blame.may_be_alike(culprit, self._state):
            self._stop_tasks(spare=blame.alike(culprit, states))

    def _restart_alone(self, task: Task) -> None:
        """Continue without this task, and restart it soon if restarts were requested."""
        wait = self._restarts.next_delay()
        if wait is not None:
            self.record(events.TaskLost(task.id, task.attempt, wait))
            self._deadlines.set(Due.RESTART, wait, task.id)

    @property
    def told_to_end(self) -> bool:
        """Whether the run is ending, and not only the current attempt."""
        return self._attempt.verdict is not None and self._attempt.restart_in is None

    def stop(self, reason: str, status: str = "stopped") -> None:
        """End the run for an external reason, unless it is already ending."""
        verdict = self._attempt.verdict
        if verdict is None or verdict.ok or self._attempt.restart_in is not None:
            self._end(status, reason)
            self._stop_tasks()

    def _end(self, status: str, reason: str) -> None:
        self._attempt.verdict = Outcome(status, reason)
        self._attempt.restart_in = None
        self.record(events.Ending(reason, status))

    def _stop_tasks(self, spare: Collection[TaskId] = ()) -> None:
        """Stop all tasks except those that are still reporting why they failed."""
        for what in (Due.RESTART, Due.ALIKE, Due.LINGER):
            self._deadlines.drop_all(what)
        grace = self._request.grace
        for name, task in self.tasks.items():
            if name not in spare or task.raised is None:
                task.stop(signal.SIGTERM if grace else signal.SIGKILL)
        if grace:
            self._deadlines.set(Due.GRACE, grace)

    def _act_on(self, deadline: Deadline) -> None:
        what, name = deadline.what, deadline.task
        if what is Due.SUSPICION:
            self._attempt.blame.confirm()
        elif what is Due.TIMEOUT:
            self._time_out()
        elif what is Due.STRANDED:
            self.stop(self._state.stranded + self._restarts.in_vain(), "failed")
        elif what is Due.LAST_WORDS and name is not None:
            self.tasks[name].send_signal(signal.SIGKILL)
        elif what is Due.RESTART and name is not None:
            with contextlib.suppress(OSError):  # the run continues without the task
                self._start_task(name, self.tasks[name].attempt + 1)
        elif what is Due.ALIKE and (culprit := self._attempt.blame.culprit) is not None:
            self._stop_tasks(spare=blame.alike(culprit, self._state.tasks))
        elif what is Due.LINGER and name is not None:
            self._linger_is_over(self.tasks[name])
        elif what is Due.IDLE:
            self.stop(f"no cell ran for {self._idle} min, the limit on this shared machine")
        elif what is Due.GRACE:
            for task in self.tasks.values():
                task.stop()

    def _linger_is_over(self, task: Task) -> None:
        more = policy.may_stay(task.id, self._cluster, self._world.now() - task.heard)
        if more:
            self._deadlines.set(Due.LINGER, more, task.id)
        elif not task.ended:
            self._attempt.cut[task.id] = policy.why_cut(task.id, self._cluster)
            task.stop()

    def _time_out(self) -> None:
        """End the run, once the silent tasks have reported their stacks."""
        if self._silence is None:
            audible = [
                task
                for name, task in self.tasks.items()
                if not task.ended and self._state.tasks[name].status is not Status.SERVING
            ]
            self._silence = Silence(audible, self._world.now)
        if self._silence.pending():
            self._deadlines.set(Due.TIMEOUT, TICK)
            return
        words = [f"it took more than {self._request.timeout:g} s", *self._silence.words()]
        self.stop("; ".join(words), "timed out")

    # -- ending -----------------------------------------------------------------------------

    def _finish(self) -> None:
        left = [f"left behind: {one}" for one in self._world.kill_children()]
        verdict = self._attempt.verdict or Outcome("succeeded")
        outcome = policy.conclude(verdict, self._attempt.blame.culprit, self._state)
        self._world.close()
        reason = "; ".join(filter(None, [outcome.reason, *left]))
        self.record(events.RunEnded(outcome.status, reason, outcome.culprit), durable=True)
        self._log.close()

    def record(self, event: Event, *, durable: bool = False) -> None:
        """Record an event that happens now, and fold it into the state as every reader does."""
        event = replace(event, t=round(self._world.time(), 4))
        self._log.append(event, durable=durable)
        self._state = next_state(self._state, event)
