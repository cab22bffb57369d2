"""The language server over standard input and output.

Quick answers are computed in the process that talks to the editor; proofs run in another one, after a pause."""

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from lsprotocol import types as lsp
from pygls import uris
from pygls.exceptions import JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer

from alphaz.diagnostics import Rejected, Source, Span
from alphaz.diagnostics.selection import RuleSelection
from alphaz.ide.features.completion import signature
from alphaz.ide.features.cursor import Columns
from alphaz.ide.features.formatters import formatter_of
from alphaz.ide.features.outline import of_program, of_script
from alphaz.ide.features.script_analysis import FigureRequest, ScriptAnalysis, is_program
from alphaz.ide.features.workspace import NameAtCursor, Unnameable, Workspace
from alphaz.ide.lsp.convert import Converter, path_of
from alphaz.ide.lsp.worker import WorkerFailure, Workers
from alphaz.version import VERSION

DRAW = "alphaz.draw"
"""The command that returns the figure of a system of a script, as SVG: `[address, system]`."""

# Seconds of quiet before a proof: before the first, a fast and a slow one; FAST is the longest time of a fast proof.
FIRST, LEAST, FAST, MOST = 0.15, 0.03, 0.3, 0.5
# Seconds of quiet before fixes are searched; and seconds of a proof before progress is reported.
LONG_PAUSE, LONG = 0.6, 1.0
_TRIGGERS = ["(", ",", '"', " "]


@dataclass(slots=True)
class _Session:
    """The open files of one editor, and the running work for each script."""

    server: Any
    workspace: Workspace = field(default_factory=Workspace)
    workers: Workers = field(default_factory=Workers)
    _uris: dict[str, str] = field(default_factory=dict)
    _versions: dict[str, int | None] = field(default_factory=dict)
    _tasks: dict[str, "asyncio.Task[None]"] = field(default_factory=dict)
    _seconds: dict[str, float] = field(default_factory=dict)
    _tokens: Iterator[int] = field(default_factory=count)

    # --- documents ----------------------------------------------------------------------------------------------------

    def initialized(self, _: lsp.InitializedParams) -> None:
        self.workers.start()

    def shutdown(self, _: None) -> None:
        for task in self._tasks.values():
            task.cancel()
        self.workers.end()

    def did_open(self, params: lsp.DidOpenTextDocumentParams) -> None:
        self._take(params.text_document.uri, params.text_document.version)

    def did_change(self, params: lsp.DidChangeTextDocumentParams) -> None:
        self._take(params.text_document.uri, params.text_document.version)

    def did_close(self, params: lsp.DidCloseTextDocumentParams) -> None:
        path = path_of(params.text_document.uri)
        touched = self.workspace.touched(path)
        task = self._tasks.pop(path, None)
        if task is not None:
            task.cancel()
        self.workspace.close(path)
        for source in touched:
            self._publish(source)

    def _take(self, uri: str, version: int | None) -> None:
        path = path_of(uri)
        self._uris[path], self._versions[path] = uri, version
        before = self.workspace.touched(path) if path in self.workspace.texts else []
        self.workspace.put(path, self.server.workspace.get_text_document(uri).source)
        if is_program(path) or self.workspace.check(path):
            # For a script without syntax errors, old findings stay until the new ones are known, to avoid flicker.
            self._publish(path)
        scripts = self.workspace.readers(path) if is_program(path) else []
        for judged in (path, *scripts):
            self._judge_soon(judged, before)

    def _publish(self, path: str) -> None:
        diagnostics = [self.to.diagnostic(finding) for finding in self.workspace.findings(path)]
        version = self._versions.get(path) if path in self.workspace.texts else None
        self.server.text_document_publish_diagnostics(
            lsp.PublishDiagnosticsParams(self.uri(path), diagnostics, version=version)
        )

    # --- proofs -------------------------------------------------------------------------------------------------------

    def _judge_soon(self, script: str, before: list[str]) -> None:
        task = self._tasks.pop(script, None)
        if task is not None:
            task.cancel()
        if self.workspace.needs_analysis(script):
            self._tasks[script] = asyncio.get_running_loop().create_task(self._judge(script, before))

    async def _judge(self, script: str, before: list[str]) -> None:
        await asyncio.sleep(self._pause(script))
        loop = asyncio.get_running_loop()
        slow, start = loop.create_task(self._progress(script)), loop.time()
        try:
            await self._ask(script, before, hinting=False)
        finally:
            slow.cancel()
            self._seconds[script] = loop.time() - start
        known = self.workspace.analyses.get(script)
        if known is not None and any(verdict.word == "refuted" for verdict in known.verdicts):
            await asyncio.sleep(LONG_PAUSE)
            await self._ask(script, before, hinting=True)

    def _pause(self, script: str) -> float:
        """The delay before a proof: short for quick proofs; long enough that slow ones run once."""
        if script not in self._seconds:
            return FIRST
        return LEAST if self._seconds[script] < FAST else MOST

    async def _ask(self, script: str, before: list[str], *, hinting: bool) -> None:
        async for answer in self.workers.ask(self.workspace.job(script, hinting=hinting)):
            match answer:
                case ScriptAnalysis() if answer.is_verified or (
                    not hinting and any(finding.is_error for finding in answer.findings)
                ):
                    self.workspace.analyses[script] = answer
                    for path in dict.fromkeys((*before, *self.workspace.touched(script))):
                        self._publish(path)
                case WorkerFailure(reason):
                    self.server.window_log_message(lsp.LogMessageParams(lsp.MessageType.Error, reason))
        if self._may_refresh():
            # Not awaited: if this task is cancelled meanwhile, an unexpected answer would remain.
            self.server.workspace_code_lens_refresh(None)

    async def _progress(self, script: str) -> None:
        """Reports that a proof is running, once it takes long."""
        await asyncio.sleep(LONG)
        window = self.server.client_capabilities.window
        if window is None or not window.work_done_progress:
            return
        # Each token is used once, and the answer is received even if the proof has ended.
        token = f"alphaz {next(self._tokens)}"
        await asyncio.shield(self.server.work_done_progress.create_async(token))
        title = f"alphaz: verifying {script.rpartition('/')[2]}"
        self.server.work_done_progress.begin(token, lsp.WorkDoneProgressBegin(title=title))
        try:
            await asyncio.Event().wait()
        finally:
            self.server.work_done_progress.end(token, lsp.WorkDoneProgressEnd())

    def _may_refresh(self) -> bool:
        workspace = self.server.client_capabilities.workspace
        return bool(workspace and workspace.code_lens and workspace.code_lens.refresh_support)

    # --- questions ----------------------------------------------------------------------------------------------------

    @property
    def to(self) -> Converter:
        return Converter(Columns(str(self.server.workspace.position_encoding.value)), self.uri)

    def uri(self, path: str) -> str:
        known = self._uris.get(path)
        return known or uris.from_fs_path(path) or path

    def _at(self, document: lsp.TextDocumentIdentifier, position: lsp.Position) -> tuple[str, int]:
        path = path_of(document.uri)
        return path, self.to.offset(self._source(path), position)

    def _source(self, path: str) -> Source:
        """The source of a file. Raises if it is neither open nor saved: an editor may request one that it has just
        closed."""
        source = self.workspace.source(path)
        if source is None:
            raise JsonRpcInvalidParams(f"{path} is not open")
        return source

    def hover(self, params: lsp.HoverParams) -> lsp.Hover | None:
        text = self.workspace.hover(*self._at(params.text_document, params.position))
        return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, text)) if text else None

    def completion(self, params: lsp.CompletionParams) -> lsp.CompletionList:
        path, offset = self._at(params.text_document, params.position)
        source = self._source(path)
        items = [
            self.to.candidate(source, offset, completion) for completion in self.workspace.completions(path, offset)
        ]
        return lsp.CompletionList(is_incomplete=True, items=items)

    def signature_help(self, params: lsp.SignatureHelpParams) -> lsp.SignatureHelp | None:
        path, offset = self._at(params.text_document, params.position)
        call_forms = None if is_program(path) else signature(self._source(path).text[:offset])
        if call_forms is None:
            return None
        forms = [
            lsp.SignatureInformation(form, call_forms.about, [lsp.ParameterInformation(name) for name in names])
            for form, names in call_forms.forms
        ]
        return lsp.SignatureHelp(forms, active_signature=call_forms.best, active_parameter=call_forms.argument)

    def definition(self, params: lsp.DefinitionParams) -> list[lsp.Location]:
        path, offset = self._at(params.text_document, params.position)
        file = self.workspace.file_at(path, offset)
        if file is not None:
            start = lsp.Position(0, 0)
            return [lsp.Location(self.uri(file), lsp.Range(start, start))]
        name_and_span = self.workspace.named(path, offset)
        return (
            []
            if name_and_span is None
            else [self.to.location(span) for span in self.workspace.definitions(name_and_span[0])]
        )

    def references(self, params: lsp.ReferenceParams) -> list[lsp.Location]:
        name_and_span = self.workspace.named(*self._at(params.text_document, params.position))
        return (
            []
            if name_and_span is None
            else [self.to.location(span) for span in self.workspace.references(name_and_span[0])]
        )

    def prepare_rename(self, params: lsp.PrepareRenameParams) -> lsp.Range | None:
        name_and_span = self.workspace.named(*self._at(params.text_document, params.position))
        return (
            None if name_and_span is None or not self._may_rename(name_and_span[0]) else self.to.range(name_and_span[1])
        )

    def _may_rename(self, what: NameAtCursor) -> bool:
        return bool(self.workspace.definitions(what))

    def rename(self, params: lsp.RenameParams) -> lsp.WorkspaceEdit | None:
        """Returns the edits. Raises for an invalid name, or one in use: the editor shows the reason."""
        name_and_span = self.workspace.named(*self._at(params.text_document, params.position))
        if name_and_span is None or not self._may_rename(name_and_span[0]):
            return None
        try:
            return self.to.edits(self.workspace.renamed(name_and_span[0], params.new_name))
        except Unnameable as reason:
            raise JsonRpcInvalidParams(str(reason)) from None

    def symbols(self, params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
        path = path_of(params.text_document.uri)
        source = self._source(path)
        entries = of_program(source) if is_program(path) else of_script(source)
        return [self.to.symbol(entry) for entry in entries]

    def formatting(self, params: lsp.DocumentFormattingParams) -> list[lsp.TextEdit]:
        """Returns the edit that lays out the text; none where it cannot be parsed."""
        path = path_of(params.text_document.uri)
        source, format_ = self._source(path), formatter_of(path)
        try:
            text = source.text if format_ is None else format_(source)
        except Rejected:
            return []
        whole_text = Span(source, 0, len(source.text))
        return [] if text == source.text else [lsp.TextEdit(self.to.range(whole_text), text)]

    def actions(self, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        path = path_of(params.text_document.uri)
        source = self._source(path)
        start, end = (self.to.offset(source, position) for position in (params.range.start, params.range.end))
        return [
            lsp.CodeAction(
                title=f"{fix.text[:1].upper()}{fix.text[1:]}{' (tried)' if fix.is_tried else ''}",
                kind=lsp.CodeActionKind.QuickFix,
                diagnostics=[self.to.diagnostic(finding)],
                is_preferred=number == 0 and fix.is_tried,
                edit=self.to.edits(fix.edits),
            )
            for number, (finding, fix) in enumerate(self.workspace.fixes(path, start, end))
        ]

    def lenses(self, params: lsp.CodeLensParams) -> list[lsp.CodeLens]:
        """Returns the verdict on each mapping, above its first command, with a link to its figure."""
        path = path_of(params.text_document.uri)
        lenses = []
        for verdict in self.workspace.verdicts(path) if not is_program(path) else []:
            if verdict.span is not None:
                place = self.to.range(verdict.span)
                arguments: list[object] = [params.text_document.uri, verdict.system]
                titles = (verdict.line, "draw")
                lenses += [lsp.CodeLens(place, lsp.Command(title, DRAW, arguments=arguments)) for title in titles]
        return lenses

    async def draw(self, uri: str, system: str) -> dict[str, str]:
        """Returns `{"svg": ...}`, or `{"reason": ...}` without a figure."""
        path = path_of(uri)
        source = self.workspace.source(path)
        if source is None:
            return {"reason": f"{path} cannot be read"}
        async for answer in self.workers.ask(FigureRequest(path, source.text, self.workspace.programs, system)):
            if isinstance(answer, str):
                return {"svg": answer}
            if isinstance(answer, WorkerFailure):
                return {"reason": answer.reason}
        return {"reason": "there is no such mapping"}


def serve(selection: RuleSelection) -> None:
    """Runs the server until the editor ends it; it shows the warnings and notes of the selection."""
    server = LanguageServer("alphaz", VERSION)
    register(server, _Session(server, Workspace(selection)))
    server.start_io()


def register(server: Any, session: _Session) -> None:
    """Registers the handlers of all requests."""
    answers: dict[str, tuple[Callable[..., object], object | None]] = {
        lsp.INITIALIZED: (session.initialized, None),
        lsp.SHUTDOWN: (session.shutdown, None),
        lsp.TEXT_DOCUMENT_DID_OPEN: (session.did_open, None),
        lsp.TEXT_DOCUMENT_DID_CHANGE: (session.did_change, None),
        lsp.TEXT_DOCUMENT_DID_CLOSE: (session.did_close, None),
        lsp.TEXT_DOCUMENT_HOVER: (session.hover, None),
        lsp.TEXT_DOCUMENT_COMPLETION: (session.completion, lsp.CompletionOptions(trigger_characters=_TRIGGERS)),
        lsp.TEXT_DOCUMENT_SIGNATURE_HELP: (session.signature_help, lsp.SignatureHelpOptions(["(", ","])),
        lsp.TEXT_DOCUMENT_DEFINITION: (session.definition, None),
        lsp.TEXT_DOCUMENT_REFERENCES: (session.references, None),
        lsp.TEXT_DOCUMENT_PREPARE_RENAME: (session.prepare_rename, None),
        lsp.TEXT_DOCUMENT_RENAME: (session.rename, lsp.RenameOptions(prepare_provider=True)),
        lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL: (session.symbols, None),
        lsp.TEXT_DOCUMENT_FORMATTING: (session.formatting, None),
        lsp.TEXT_DOCUMENT_CODE_ACTION: (session.actions, lsp.CodeActionOptions([lsp.CodeActionKind.QuickFix])),
        lsp.TEXT_DOCUMENT_CODE_LENS: (session.lenses, None),
    }
    for feature, (answer, options) in answers.items():
        server.feature(feature, options)(_function(answer))

    async def draw(uri: str, system: str) -> dict[str, str]:
        return await session.draw(uri, system)

    server.command(DRAW)(draw)


def _function(answer: Callable[..., object]) -> Callable[..., object]:
    """A function for a method, because the library sets attributes on its handlers."""

    def handler(params: Any) -> object:
        return answer(params)

    return handler
