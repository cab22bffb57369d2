"""Converts data of alphaz to the language server protocol."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from lsprotocol import types as lsp
from pygls import uris

from alphaz.diagnostics import Diagnostic, Edit, Label, Severity, Source, Span
from alphaz.ide.features.completion import Completion
from alphaz.ide.features.cursor import Columns
from alphaz.ide.features.outline import OutlineEntry
from alphaz.ide.features.workspace import whole
from alphaz.resources import resource_folder

_SEVERITIES = {
    Severity.ERROR: lsp.DiagnosticSeverity.Error,
    Severity.WARNING: lsp.DiagnosticSeverity.Warning,
    Severity.NOTE: lsp.DiagnosticSeverity.Information,
}
_KINDS = {
    "system": lsp.SymbolKind.Class,
    "input": lsp.SymbolKind.Field,
    "output": lsp.SymbolKind.Property,
    "local": lsp.SymbolKind.Variable,
    "equation": lsp.SymbolKind.Function,
    "call": lsp.SymbolKind.Event,
    "command": lsp.SymbolKind.Method,
}
_CANDIDATES = {
    "variable": lsp.CompletionItemKind.Variable,
    "keyword": lsp.CompletionItemKind.Keyword,
    "folder": lsp.CompletionItemKind.Folder,
    "file": lsp.CompletionItemKind.File,
}


def path_of(uri: str) -> str:
    """Returns the whole path of a document; the URI itself if it is not a file."""
    path: str | None = uris.to_fs_path(uri)
    return uri if path is None else whole(path)


@dataclass(frozen=True, slots=True)
class Converter:
    """A converter. `uri` gives the editor's address of a file; columns are in the negotiated encoding."""

    columns: Columns
    uri: Callable[[str], str]

    def position(self, source: Source, offset: int) -> lsp.Position:
        line, column = self.columns.point(source, offset)
        return lsp.Position(line, column)

    def range(self, span: Span) -> lsp.Range:
        return lsp.Range(self.position(span.source, span.start), self.position(span.source, span.end))

    def location(self, span: Span) -> lsp.Location:
        return lsp.Location(self.uri(whole(span.source.name)), self.range(span))

    def offset(self, source: Source, position: lsp.Position) -> int:
        return self.columns.offset(source, (position.line, position.character))

    def diagnostic(self, finding: Diagnostic) -> lsp.Diagnostic:
        """Returns the diagnostic with the witness and the remedy in its text, other places as related, and a link to
        the rule's page."""
        return lsp.Diagnostic(
            range=self.range(finding.primary.span),
            message="\n".join(_notes_of(finding)),
            severity=_SEVERITIES[finding.rule.severity],
            code=finding.rule.code,
            code_description=lsp.CodeDescription(page_of(finding.rule.code)),
            source="alphaz",
            related_information=[self._related(label) for label in finding.secondary if _is_in_a_file(label)],
        )

    def _related(self, label: Label) -> lsp.DiagnosticRelatedInformation:
        return lsp.DiagnosticRelatedInformation(self.location(label.span), label.text)

    def edits(self, edits: Iterable[Edit]) -> lsp.WorkspaceEdit:
        changes: dict[str, list[lsp.TextEdit]] = {}
        for edit in edits:
            place = self.location(edit.span)
            changes.setdefault(place.uri, []).append(lsp.TextEdit(place.range, edit.text))
        return lsp.WorkspaceEdit(changes=changes)

    def symbol(self, entry: OutlineEntry) -> lsp.DocumentSymbol:
        inside = [self.symbol(symbol) for symbol in entry.inside]
        whole_, place = self.range(entry.span), self.range(entry.place)
        return lsp.DocumentSymbol(entry.name, _KINDS[entry.kind], whole_, place, entry.detail, children=inside)

    def candidate(self, source: Source, offset: int, completion: Completion) -> lsp.CompletionItem:
        place = lsp.Range(self.position(source, offset - completion.length), self.position(source, offset))
        kind = _CANDIDATES.get(completion.about, lsp.CompletionItemKind.Function if completion.about else None)
        return lsp.CompletionItem(
            label=completion.text,
            kind=kind or lsp.CompletionItemKind.Value,
            detail=completion.about or None,
            text_edit=lsp.TextEdit(place, completion.text),
            filter_text=completion.text,
        )


def page_of(code: str) -> str:
    """Returns the address of the document of a rule."""
    return (resource_folder("docs/rules") / f"{code}.md").resolve().as_uri()


def _is_in_a_file(label: Label) -> bool:
    return Path(label.span.source.name).is_absolute()


def _notes_of(finding: Diagnostic) -> Iterator[str]:
    yield finding.message
    label = finding.primary.text
    if label:
        yield f"here: {label}"
    if finding.witness is not None:
        yield f"witness: {finding.witness.sentence}"
    yield from finding.notes
    if finding.help is not None:
        yield f"help: {finding.help}"
