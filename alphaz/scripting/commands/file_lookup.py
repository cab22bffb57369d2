"""File lookup of a script: files that it saved, then its folder, then the working directory."""

import os.path
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import dropwhile
from pathlib import Path

from alphaz.diagnostics import Diagnostic, Label, Rejected, Source, Span
from alphaz.diagnostics.rules import FILE
from alphaz.diagnostics.user_files import Unreadable, read_text, similar_file
from alphaz.lazy import lazy_import
from alphaz.machine import Machine, Vectors


@dataclass(frozen=True, slots=True)
class Library:
    """`folder` is the script's; `output` is the folder for output; `saved` has the files written so far, by whole path.
    `instructions`: the instruction set of the target (None: this machine's). `lookups` records the files that were
    searched, with their text; None if there is none."""

    folder: Path
    output: Path | None = None
    saved: Mapping[Path, str] = field(default_factory=dict)
    instructions: str | None = None
    lookups: dict[str, str | None] = field(default_factory=dict)

    def vectors(self) -> Vectors:
        """Returns the vectors of the target. The machine is examined only on demand."""
        machine: Machine = lazy_import("alphaz.run.machine").machine(self.instructions)
        return machine.vectors

    def read(self, name: str, span: Span) -> Source:
        """Returns the file of that name. Raises Rejected (AZ405) with the places that were searched."""
        places = list(dict.fromkeys(self._places(name)))
        for place in places:
            saved = self.saved.get(place.resolve())
            if saved is not None:
                return Source(str(place), saved)
            self.lookups.setdefault(str(place), None)
            if _may_exist(place):
                return self._read(place, span)
        raise Rejected(_missing(name, span, places))

    def _places(self, name: str) -> Iterator[Path]:
        path = Path(name).expanduser()
        place = None if self.output is None else inside(self.output, name)
        if place is not None and place.resolve() in self.saved:
            yield place
        yield self.folder / path
        if place is not None:
            yield place
        yield path

    def _read(self, place: Path, span: Span) -> Source:
        try:
            text = read_text(place)
        except Unreadable as reason:
            raise Rejected(Diagnostic(FILE, f"{place} {reason}", Label(span))) from None
        self.lookups[str(place)] = text
        return Source(str(place), text)


def inside(output: Path, name: str) -> Path:
    """Returns the path of a script's name in the folder for output: `../x` is `x` there.

    An absolute name is unchanged."""
    path = Path(os.path.normpath(name))
    return output.joinpath(*dropwhile(lambda part: part == "..", path.parts))


def _may_exist(place: Path) -> bool:
    """Returns True for a name that the system rejects (it is too long), so that reading it reports the reason."""
    try:
        return place.exists()
    except OSError:
        return True


def _missing(name: str, span: Span, places: list[Path]) -> Diagnostic:
    near = next(filter(None, (similar_file(place) for place in places)), None)
    notes = tuple(f"there is no {place}" for place in places)
    help_ = None if near is None else f"did you mean `{Path(name).with_name(near)}`?"
    return Diagnostic(FILE, f"the file `{name}` does not exist", Label(span), notes=notes, help=help_)
