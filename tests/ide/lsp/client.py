"""A real client (pytest-lsp's, with the abilities of VS Code) that talks to `alphaz lsp` over its input and output.

What the protocol forbids is a warning of that client, and so an error of the test.
"""

import asyncio
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from lsprotocol import types as lsp
from pygls.protocol import default_converter
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities
from pytest_lsp.client import DEFAULT_CLIENT_FEATURES, register_lsp_features

from alphaz.diagnostics import Source
from alphaz.ide.features.cursor import Columns

SECONDS = 60


class Published:
    """The findings last published of each file, by its address; how often all was said that a proof, or a search for
    fixes, has found; and an event for each time that there is something new.
    """

    def __init__(self) -> None:
        self.found: dict[str, lsp.PublishDiagnosticsParams] = {}
        self.answers = 0
        self.news = asyncio.Event()

    def take(self, params: lsp.PublishDiagnosticsParams) -> None:
        self.found[params.uri] = params
        self.news.set()

    def answered(self) -> None:
        self.answers += 1
        self.news.set()


def _client() -> Any:
    """pytest-lsp's, that keeps findings with the version that they are of."""
    client: Any = LanguageClient(converter_factory=default_converter)
    client.published = Published()
    ours = {
        lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS: lambda params: client.published.take(params),
        lsp.WORKSPACE_CODE_LENS_REFRESH: lambda _: client.published.answered(),
    }
    register_lsp_features(client, DEFAULT_CLIENT_FEATURES | ours)
    return client


SERVER = ClientServerConfig([sys.executable, "-m", "alphaz", "lsp"], client_factory=_client)


async def greet(client: Any) -> None:
    """The beginning of a session."""
    capabilities = client_capabilities("visual-studio-code")
    client.answer = await client.initialize_session(lsp.InitializeParams(capabilities))


async def leave(client: Any) -> None:
    await asyncio.wait_for(client.shutdown_session(), SECONDS)


class Editor:
    """One editor over files of one folder, named as there."""

    def __init__(self, client: Any, folder: Path) -> None:
        self.client, self.folder = client, folder
        self.texts: dict[str, str] = {}
        self._published: Published = client.published
        self._versions: dict[str, int] = {}

    @property
    def found(self) -> dict[str, lsp.PublishDiagnosticsParams]:
        """Returns the published diagnostics of the files of the folder, by file name."""
        known = self._published.found.items()
        return {name: params for uri, params in known if uri == self.uri(name := uri.rpartition("/")[2])}

    def uri(self, name: str) -> str:
        return (self.folder / name).as_uri()

    def open(self, name: str, text: str | None = None) -> None:
        message = (self.folder / name).read_text(encoding="utf-8") if text is None else text
        self.texts[name], self._versions[name] = message, 1
        item = lsp.TextDocumentItem(self.uri(name), "alphaz", 1, message)
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

    async def close_all(self) -> None:
        """Until everything that was said of them has come."""
        for name in self.texts:
            self.close(name)
        await self.client.text_document_code_lens_async(lsp.CodeLensParams(lsp.TextDocumentIdentifier(self.uri(""))))

    async def until(self, done: Callable[[], bool]) -> None:
        """Waits for findings until they are as wanted."""

        async def wait() -> None:
            while not done():
                self._published.news.clear()
                await self._published.news.wait()

        try:
            await asyncio.wait_for(wait(), SECONDS)
        except TimeoutError:
            raise AssertionError(self.found) from None

    async def judged(self, name: str) -> list[lsp.Diagnostic]:
        """The errors in the latest version of a file, once there is anything to say."""
        await self.until(lambda: self.codes(name) != ["?"])
        return [
            diagnostic
            for diagnostic in self.found[name].diagnostics
            if diagnostic.severity == lsp.DiagnosticSeverity.Error
        ]

    async def open_refuted(self, name: str) -> None:
        """Until fixes have been searched for."""
        before = self._published.answers
        self.open(name)
        await self.until(lambda: self._published.answers >= before + 2)

    async def actions(self, name: str, finding: lsp.Diagnostic) -> list[lsp.CodeAction]:
        """Returns the code actions at a finding."""
        document = lsp.TextDocumentIdentifier(self.uri(name))
        params = lsp.CodeActionParams(document, finding.range, lsp.CodeActionContext([finding]))
        offered: list[lsp.CodeAction] = await self.client.text_document_code_action_async(params)
        return offered

    def codes(self, name: str) -> list[str]:
        """The codes found in the latest version of a file."""
        known = self.found.get(name)
        if known is None or known.version not in (None, self._versions.get(name)):
            return ["?"]
        return sorted(str(diagnostic.code) for diagnostic in known.diagnostics)

    def place(self, name: str, word: str, number: int = 0, inside: int = 0) -> dict[str, Any]:
        """The place of a word in a file, for a question."""
        at = -1
        for _ in range(number + 1):
            at = self.texts[name].index(word, at + 1)
        line, column = Columns().point(Source(name, self.texts[name]), at + inside)
        return {"text_document": lsp.TextDocumentIdentifier(self.uri(name)), "position": lsp.Position(line, column)}

    def applied(self, edit: lsp.WorkspaceEdit | None) -> dict[str, str]:
        """The texts of the files behind an edit."""
        assert edit is not None
        made = dict(self.texts)
        for uri, edits in (edit.changes or {}).items():
            name = uri.rpartition("/")[2]
            text = made[name] if name in made else (self.folder / name).read_text(encoding="utf-8")
            source, columns = Source(name, text), Columns()

            def offset(position: lsp.Position, source: Source = source, columns: Columns = columns) -> int:
                return columns.offset(source, (position.line, position.character))

            for item in sorted(edits, key=lambda e: (e.range.start.line, e.range.start.character), reverse=True):
                text = text[: offset(item.range.start)] + item.new_text + text[offset(item.range.end) :]
            made[name] = text
        return made
