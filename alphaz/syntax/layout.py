"""Documents that know how to break: text, places where a line may end, and indentation.

A `Break` ends the line exactly when what comes up to the next break would not fit any more (filling, as in a
paragraph), so the layout needs one look ahead and no search. Documents may be nested as deeply as wanted: nothing
here recurses.
"""

from dataclasses import dataclass
from math import inf


@dataclass(frozen=True, slots=True)
class DocumentText:
    text: str

    @property
    def width(self) -> float:
        return len(self.text)


@dataclass(frozen=True, slots=True)
class Break:
    """`flat` on the line; the end of the line where the `needed` characters behind it do not fit."""

    needed: float
    flat: str = " "

    @property
    def width(self) -> float:
        return len(self.flat)


@dataclass(frozen=True, slots=True)
class Newline:
    """The end of the line, always."""

    @property
    def width(self) -> float:
        return inf


@dataclass(frozen=True, slots=True)
class DocumentSequence:
    """One document behind the other; `width` is that of all of them on one line (infinite with a Newline)."""

    parts: tuple["Document", ...]
    width: float


@dataclass(frozen=True, slots=True)
class Indented:
    """Lines that begin inside stand further right."""

    by: int
    body: "Document"

    @property
    def width(self) -> float:
        return self.body.width


Document = DocumentText | Break | Newline | DocumentSequence | Indented


def sequence(*parts: Document | str) -> Document:
    """The parts one behind the other."""
    documents = tuple(DocumentText(part) if isinstance(part, str) else part for part in parts)
    return DocumentSequence(documents, sum(document.width for document in documents))


def breakable(before: Document | str, *behind: Document | str, flat: str = " ") -> Document:
    """`before`, then the rest: on the same line if it fits, else on the next, indented."""
    rest = sequence(*behind)
    # What cannot be on one line anyhow (a case) begins where it stands.
    needed = 0 if rest.width == inf else rest.width
    return sequence(before, Indented(4, sequence(Break(needed, flat), rest)))


def separated(parts: list[Document], separator: str = ",") -> Document:
    """`a, b, c`, broken behind the separators where needed."""
    if not parts:
        return DocumentText("")
    documents: list[Document] = [parts[0]]
    for part in parts[1:]:
        documents += [DocumentText(separator), Break(part.width + len(separator)), part]
    return Indented(4, sequence(*documents))


def lay_out(document: Document, width: int = 100) -> str:
    """The text, in lines of at most `width` characters where the breaks allow it; without a final line end."""
    written: list[str] = []
    column = 0
    pending: list[tuple[int, Document]] = [(0, document)]
    while pending:
        indent, part = pending.pop()
        match part:
            case DocumentText(text):
                written.append(text)
                column += len(text)
            case DocumentSequence(parts):
                pending += [(indent, each) for each in reversed(parts)]
            case Indented(by, body):
                pending.append((indent + by, body))
            case Break(needed, flat) if column + len(flat) + needed <= width or column <= indent:
                written.append(flat)
                column += len(flat)
            case _:
                written.append("\n" + " " * indent)
                column = indent
    return "\n".join(line.rstrip() for line in "".join(written).split("\n"))
