"""A real client that talks to `alphaz lsp` over its standard input and output."""

import asyncio
import sys
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

from lsprotocol import types as lsp
from pygls.lsp.client import LanguageClient

from alphaz.diagnostics import Source
from alphaz.editor.columns import Columns

T = TypeVar("T")
SECONDS = 60


class Editor:
    """One editor with its server. Files are named as in the folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.client: Any = LanguageClient("tests", "1")
        self.found: dict[str, lsp.PublishDiagnosticsParams] = {}
        self.history: list[lsp.PublishDiagnosticsParams] = []
        self.progress: list[object] = []
        self._news = asyncio.Event()
        self._versions: dict[str, int] = {}
        self.texts: dict[str, str] = {}
        self.client.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(lambda params: self._published(params))
        self.client.feature(lsp.WINDOW_SHOW_MESSAGE)(lambda _: None)
        self.client.feature(lsp.WORKSPACE_CODE_LENS_REFRESH)(lambda _: None)
        self.client.feature(lsp.WINDOW_WORK_DONE_PROGRESS_CREATE)(lambda _: None)
        self.client.feature(lsp.PROGRESS)(lambda params: self.progress.append(params.value))

    def _published(self, params: lsp.PublishDiagnosticsParams) -> None:
        name = params.uri.rpartition("/")[2]
        if params.uri != self.uri(name):
            return
        self.found[name] = params
        self.history.append(params)
        self._news.set()

    async def start(self) -> None:
        await self.client.start_io(sys.executable, "-m", "alphaz", "lsp", cwd=str(self.folder))
        capabilities = lsp.ClientCapabilities(
            workspace=lsp.WorkspaceClientCapabilities(
                code_lens=lsp.CodeLensWorkspaceClientCapabilities(refresh_support=True)
            ),
            window=lsp.WindowClientCapabilities(work_done_progress=True),
        )
        self.answer = await self.client.initialize_async(
            lsp.InitializeParams(capabilities=capabilities, root_uri=self.folder.as_uri())
        )
        self.client.initialized(lsp.InitializedParams())

    def move(self, folder: Path) -> None:
        """To other files, none of them open."""
        self.folder = folder
        for kept in (self.found, self.history, self.progress, self._versions, self.texts):
            kept.clear()

    async def end(self) -> None:
        await asyncio.wait_for(self.client.shutdown_async(None), SECONDS)
        self.client.exit(None)
        await asyncio.wait_for(self.client.stop(), SECONDS)

    def uri(self, name: str) -> str:
        return (self.folder / name).as_uri()

    def open(self, name: str, text: str | None = None) -> None:
        said = (self.folder / name).read_text(encoding="utf-8") if text is None else text
        self.texts[name], self._versions[name] = said, 1
        item = lsp.TextDocumentItem(self.uri(name), "alphaz", 1, said)
        self.client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))

    def change(self, name: str, text: str) -> None:
        self._versions[name] += 1
        self.texts[name] = text
        document = lsp.VersionedTextDocumentIdentifier(self._versions[name], self.uri(name))
        change = lsp.TextDocumentContentChangeWholeDocument(text)
        self.client.text_document_did_change(lsp.DidChangeTextDocumentParams(document, [change]))

    def close(self, name: str) -> None:
        document = lsp.TextDocumentIdentifier(self.uri(name))
        self.client.text_document_did_close(lsp.DidCloseTextDocumentParams(document))

    async def until(self, done: Callable[[], bool]) -> None:
        """Waits for findings until they are as wanted."""

        async def wait() -> None:
            while not done():
                self._news.clear()
                await self._news.wait()

        try:
            await asyncio.wait_for(wait(), SECONDS)
        except TimeoutError:
            raise AssertionError(self.found) from None

    def codes(self, name: str) -> list[str]:
        """The codes found in the latest version of a file."""
        known = self.found.get(name)
        if known is None or known.version not in (None, self._versions.get(name)):
            return ["?"]
        return sorted(str(each.code) for each in known.diagnostics)

    def place(self, name: str, word: str, number: int = 0, inside: int = 0) -> dict[str, Any]:
        """The place of a word in a file, for a question."""
        at = -1
        for _ in range(number + 1):
            at = self.texts[name].index(word, at + 1)
        line, column = Columns().point(Source(name, self.texts[name]), at + inside)
        return {"text_document": lsp.TextDocumentIdentifier(self.uri(name)), "position": lsp.Position(line, column)}

    def applied(self, edit: lsp.WorkspaceEdit) -> dict[str, str]:
        """The texts of the files behind an edit."""
        made = dict(self.texts)
        for uri, edits in (edit.changes or {}).items():
            name = uri.rpartition("/")[2]
            text = made[name] if name in made else (self.folder / name).read_text(encoding="utf-8")
            source, columns = Source(name, text), Columns()

            def offset(position: lsp.Position, source: Source = source, columns: Columns = columns) -> int:
                return columns.offset(source, (position.line, position.character))

            for each in sorted(edits, key=lambda e: (e.range.start.line, e.range.start.character), reverse=True):
                text = text[: offset(each.range.start)] + each.new_text + text[offset(each.range.end) :]
            made[name] = text
        return made


class Talking:
    """One server for many conversations, each in a folder of its own; the client lives in a thread."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._editor: Editor | None = None

    def __call__(self, folder: Path, talk: Callable[[Editor], Awaitable[T]]) -> T:
        return asyncio.run_coroutine_threadsafe(self._all(folder, talk), self._loop).result(4 * SECONDS)

    async def _all(self, folder: Path, talk: Callable[[Editor], Awaitable[T]]) -> T:
        if self._editor is None:
            self._editor = Editor(folder)
            await self._editor.start()
        self._editor.move(folder)
        try:
            return await talk(self._editor)
        finally:
            for name in list(self._editor.texts):
                self._editor.close(name)

    def end(self) -> None:
        if self._editor is not None:
            asyncio.run_coroutine_threadsafe(self._editor.end(), self._loop).result(SECONDS)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(SECONDS)
        self._loop.close()
