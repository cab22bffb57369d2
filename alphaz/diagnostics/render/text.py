"""Renderer for terminals: the phrase, the lines with marks under them, the witness, the cause and the remedy.

error[AZ502]: A is read before it is written
  --> mcm.cs:12:1
   |
12 | setSpaceTimeMap(prog, "mcm", "A", "(i->-i)");
   | ^^^^^^^^^^^^^^^ under this map
  --> mcm.ab:7:10
   |
 7 |   A[i] = A[i-1] + B[i];
   |          ------ read here
   |
   = witness: for N = 2, ...
   = help: ...
"""

from collections.abc import Iterable, Iterator, Sequence

from alphaz.diagnostics.diagnostic import Diagnostic
from alphaz.diagnostics.render.snippet import Marked, is_nowhere, last_line, snippet
from alphaz.diagnostics.render.terminal import COLOURED, PLAIN, Palette, printable
from alphaz.diagnostics.source import Source


def to_text(diagnostics: Sequence[Diagnostic], colour: bool = False) -> str:
    """Returns all findings, an empty line between two, each line ended; empty for no findings."""
    palette = COLOURED if colour else PLAIN
    return "\n".join("".join(f"{line}\n" for line in _finding(diagnostic, palette)) for diagnostic in diagnostics)


def _finding(diagnostic: Diagnostic, palette: Palette) -> Iterator[str]:
    groups = _by_source(_marked_labels(diagnostic, palette))
    width = max((len(str(last_line(line.label.span))) for group in groups for line in group), default=0)
    yield _headline(diagnostic, palette)
    for group in groups:
        source = group[0].label.span.source
        yield " " * width + palette.gutter("-->") + f" {printable(str(group[0].label.span))}"
        yield from snippet(source, group, width, palette)
    remarks = list(_remarks(diagnostic))
    if groups and remarks:
        yield palette.gutter(f"{'':>{width}} |")
    for kind, text in remarks:
        yield from _remark(kind, text, width, palette)


def _headline(diagnostic: Diagnostic, palette: Palette) -> str:
    rule = diagnostic.rule
    kind = palette.of(rule.severity)(f"{rule.severity}[{rule.code}]")
    return kind + palette.emphasis(f": {printable(diagnostic.message)}")


def _marked_labels(diagnostic: Diagnostic, palette: Palette) -> list[Marked]:
    """Returns the labels that have a place, the primary one first."""
    primary = Marked(diagnostic.primary, "^", palette.of(diagnostic.rule.severity))
    secondary = [Marked(label, "-", palette.secondary) for label in diagnostic.secondary]
    return [label for label in (primary, *secondary) if not is_nowhere(label.label.span)]


def _by_source(labels: Iterable[Marked]) -> list[list[Marked]]:
    """Returns one group for each source, in the order in which the labels name them."""
    groups: dict[Source, list[Marked]] = {}
    for label in labels:
        groups.setdefault(label.label.span.source, []).append(label)
    return list(groups.values())


def _remarks(diagnostic: Diagnostic) -> Iterator[tuple[str, str]]:
    """Yields the remarks below the lines, including labels without a place, so that no text is lost."""
    for label in (diagnostic.primary, *diagnostic.secondary):
        if is_nowhere(label.span) and label.text:
            yield "note", label.text
    if diagnostic.witness is not None:
        yield "witness", diagnostic.witness.sentence
    for note in diagnostic.notes:
        yield "note", note
    if diagnostic.help is not None:
        yield "help", diagnostic.help


def _remark(kind: str, text: str, width: int, palette: Palette) -> Iterator[str]:
    """Yields `= kind: text`, further lines of the text under its first."""
    first, *more = printable(text).split("\n")
    lead = " " * (width + 1)
    yield f"{lead}{palette.gutter('=')} {palette.emphasis(kind)}: {first}".rstrip()
    for line in more:
        yield f"{lead}{'':{len(kind) + 4}}{line}".rstrip()
