"""Worker processes for verification and drawing: isl cannot be interrupted, so outdated work is ended with its process.

One process works, and another one waits with all modules loaded, so that ending the first costs no time."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from multiprocessing.connection import Connection

from alphaz.diagnostics import Rejected
from alphaz.ide.features.script_analysis import AnalysisJob, FigureRequest, ScriptAnalysis, draw, staged_analyses
from alphaz.processes.pool import WorkerProcess
from alphaz.scripting.commands.catalogue import commands

Task = AnalysisJob | FigureRequest
Answer = ScriptAnalysis | str


@dataclass(frozen=True, slots=True)
class WorkerFailure:
    """The reason for a missing answer."""

    reason: str


def answers(task: Task) -> Iterator[Answer | WorkerFailure]:
    """Yields all answers to a task, better ones later; exceptions become answers, too."""
    try:
        if isinstance(task, FigureRequest):
            yield draw(task)
        else:
            yield from staged_analyses(task)
    except Rejected as rejected:
        yield WorkerFailure(rejected.diagnostics[0].message)
    except Exception as error:
        yield WorkerFailure(f"an internal error, not a verdict: {type(error).__name__}: {error}")


def _work(connection: Connection) -> None:
    """The loop of the other process: receives tasks, sends answers, and None after the last one."""
    commands()
    while True:
        try:
            task: Task = connection.recv()
            for answer in answers(task):
                connection.send(answer)
            connection.send(None)
        except (EOFError, OSError):
            # The client is gone.
            return


@dataclass(slots=True)
class Workers:
    """The worker processes of one event loop; call `end` at its end."""

    _ready: list[WorkerProcess] = field(default_factory=list)
    _lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    def start(self) -> None:
        """Starts loading modules."""
        while len(self._ready) < 2:
            self._ready.append(WorkerProcess.spawned(_work))

    async def ask(self, task: Task) -> AsyncIterator[Answer | WorkerFailure]:
        """Yields the answers as they arrive. Cancellation ends the process of the task. A task whose process ends by
        itself is given to one more process, whose answers follow.
        """
        async with self._lock:
            for is_last in (False, True):
                self.start()
                worker = self._ready[0]
                is_done = False
                try:
                    worker.connection.send(task)
                    while (answer := await asyncio.to_thread(worker.connection.recv)) is not None:
                        yield answer
                    is_done = True
                    return
                except (EOFError, OSError):
                    if is_last:
                        yield WorkerFailure("the worker process has ended, twice: there is no answer")
                finally:
                    if not is_done:
                        self._ready.remove(worker)
                        worker.end()
                        self.start()

    def end(self) -> None:
        for worker in self._ready:
            worker.end()
        self._ready.clear()
