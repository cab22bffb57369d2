"""Mappings of one system that are measured side by side."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from alphaz.cli.files import InputError
from alphaz.cli.subjects import Subject, mapped_subjects
from alphaz.diagnostics.nearest import listing
from alphaz.model.program import System
from alphaz.script.session import Session

OWN = "alphaz"
"""What the code of the only script is called."""


@dataclass(frozen=True, slots=True, eq=False)
class Rivals:
    """One system as several scripts map it, by the names of the contestants."""

    subjects: Mapping[str, Subject]


def rivals_of(sessions: Sequence[Session], wanted: str | None) -> list[Rivals]:
    """The systems of the first script, each with the mappings of all scripts.

    Raises InputError where a script does not have one of them, or has another system of that name.
    """
    first, *others = sessions
    names = _labels(sessions)
    found = []
    for subject in mapped_subjects(first, wanted):
        subjects = {names[0]: subject}
        for name, session in zip(names[1:], others, strict=True):
            subjects[name] = _same(subject, session, first)
        found.append(Rivals(subjects))
    return found


def _labels(sessions: Sequence[Session]) -> list[str]:
    """The stems of the scripts; where two have one, what the user gave."""
    if len(sessions) == 1:
        return [OWN]
    stems = [Path(session.source.name).stem for session in sessions]
    return stems if len(set(stems)) == len(stems) else [session.source.name for session in sessions]


def _same(subject: Subject, session: Session, first: Session) -> Subject:
    name, checked, _ = subject
    known = {each[0]: each for each in mapped_subjects(session, None)}
    if name not in known:
        has = f"only {listing(known)}" if known else "no system"
        raise InputError(f"{session.source.name} maps {has}, and {first.source.name} maps {name}: nothing to compare")
    other = known[name][1].program.system(name)
    reason = _difference(checked.program.system(name), other)
    if reason:
        raise InputError(f"`{name}` of {session.source.name} and of {first.source.name} are not the same: {reason}")
    return known[name]


def _difference(one: System, other: System) -> str:
    """What keeps two systems from computing the same from the same inputs; empty where nothing is seen."""
    if one.parameters != other.parameters:
        return "their parameters differ"
    for kind, mine, theirs in (("inputs", one.inputs, other.inputs), ("outputs", one.outputs, other.outputs)):
        if [(v.name, v.type) for v in mine] != [(v.name, v.type) for v in theirs]:
            return f"their {kind} differ"
        for a, b in zip(mine, theirs, strict=True):
            if not a.domain.equals(b.domain):
                return f"the domains of {a.name} differ"
    return ""
