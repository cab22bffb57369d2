"""Worker processes of the server: a task is answered, whatever ends a process."""

import asyncio
import os
import signal

import pytest

from alphaz.ide.features.script_analysis import FigureRequest
from alphaz.ide.lsp.worker import WorkerFailure, Workers

pytestmark = pytest.mark.slow
# A script that does not parse: its answer is a failure with a reason.
TASK = FigureRequest("a.cs", "no script", {}, "f")


async def _answers(workers: Workers, ends: int) -> list[str]:
    """The answers to a task, whose process is ended so many times."""
    spawned = Workers.start

    def start(self: Workers) -> None:
        nonlocal ends
        spawned(self)
        if ends:
            ends -= 1
            os.kill(self._ready[0].number, signal.SIGKILL)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Workers, "start", start)
        return [answer.reason async for answer in workers.ask(TASK) if isinstance(answer, WorkerFailure)]


def test_a_task_whose_process_has_ended_is_given_to_another() -> None:
    workers = Workers()
    try:
        wanted = asyncio.run(_answers(workers, 0))
        assert asyncio.run(_answers(workers, 1)) == wanted
        assert wanted == ["unexpected `script`"]
        assert asyncio.run(_answers(workers, 4)) == ["the worker process has ended, twice: there is no answer"]
        assert asyncio.run(_answers(workers, 0)) == wanted
    finally:
        workers.end()
