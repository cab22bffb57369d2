"""The server over time, with a client and processes that only record their messages."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock, Mock

import pytest

pytest.importorskip("pygls", reason="the extra lsp is not installed")

from alphaz.ide.features.script_analysis import ScriptAnalysis
from alphaz.ide.lsp import serve
from alphaz.ide.lsp.serve import _Session


class Slow:
    """Answers after a while."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.asked: list[Any] = []

    async def ask(self, task: Any) -> AsyncIterator[ScriptAnalysis]:
        self.asked.append(task)
        await asyncio.sleep(self.seconds)
        yield ScriptAnalysis(task.text, is_verified=True)


def session(seconds: float) -> tuple[_Session, Any, Slow]:
    server, slow = Mock(), Slow(seconds)
    server.client_capabilities = SimpleNamespace(window=SimpleNamespace(work_done_progress=True), workspace=None)
    server.work_done_progress.create_async = AsyncMock()
    server.workspace.position_encoding.value = "utf-16"
    made = _Session(server)
    made.workers = slow  # type: ignore[assignment]
    return made, server, slow


@pytest.mark.parametrize(("seconds", "begun"), [(0.3, 1), (0.0, 0)])
def test_a_proof_that_takes_long_is_said_to_be_under_way(
    seconds: float, begun: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serve, "LONG", 0.1)
    monkeypatch.setattr(serve, "FIRST", 0.01)
    made, server, _ = session(seconds)

    async def talk() -> None:
        made.workspace.put(str(tmp_path / "a.cs"), "")
        await made._judge(str(tmp_path / "a.cs"), [])
        await asyncio.sleep(0.01)

    asyncio.run(talk())
    assert server.work_done_progress.begin.call_count == begun
    assert server.work_done_progress.end.call_count == begun


def test_each_proof_has_a_progress_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The protocol lets a token be used once."""
    monkeypatch.setattr(serve, "LONG", 0.01)
    made, server, _ = session(0.1)

    async def talk() -> None:
        made.workspace.put(str(tmp_path / "a.cs"), "")
        for _ in range(2):
            await made._judge(str(tmp_path / "a.cs"), [])

    asyncio.run(talk())
    tokens = [call.args[0] for call in server.work_done_progress.create_async.await_args_list]
    assert len(set(tokens)) == len(tokens) == 2


def test_while_somebody_types_nothing_is_proved(tmp_path: Path) -> None:
    """Only the last of many changes is judged."""
    made, server, slow = session(0.0)
    path = tmp_path / "a.cs"

    async def talk() -> None:
        for number in range(5):
            server.workspace.get_text_document.return_value.source = f"# {number}\n"
            made._take(path.as_uri(), number)
            await asyncio.sleep(0.01)
        await asyncio.sleep(serve.FIRST + 0.2)

    asyncio.run(talk())
    assert [task.text for task in slow.asked] == ["# 4\n"]
