"""The mapped systems of a script that `bench`, `test` and `tune` compile and measure, their parameters, and
benchmark results.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import click

from alphaz.analysis.checks.checked_program import Checked
from alphaz.cli.files import InputError
from alphaz.cli.inputs import Parameters
from alphaz.cli.output import progress
from alphaz.diagnostics import Rejected, Source
from alphaz.diagnostics.message_words import did_you_mean, listing
from alphaz.figures.trace.sizes import small
from alphaz.legality.verdicts import Verified
from alphaz.legality.verify import certify
from alphaz.mapping.design import Design
from alphaz.mapping.resolution import resolve
from alphaz.model.program import System
from alphaz.poly import smallest_point
from alphaz.run.bench.blas_libraries import BlasLibrary
from alphaz.run.bench.contest import Timing
from alphaz.run.bench.idle import Idleness
from alphaz.scripting.interpreter.run import Session, run_script
from alphaz.scripting.interpreter.verification_cache import VerificationCache


def interpret(source: Source) -> Session:
    """Returns the session of the script, interpreted and verified; nothing is written."""
    verifications = VerificationCache(lambda system: progress(f"{source.name}: verifying {system}"))
    session = run_script(source, Path(source.name).parent, verifications=verifications)
    progress("")
    return session


@dataclass(frozen=True, slots=True, eq=False)
class BenchResult:
    """The measurement of one system at one set of parameters. `own` are the contestants that are mappings, `warnings`
    reasons why times may be wrong, `libraries` the BLAS libraries by the name of the contestant.
    """

    system: str
    parameters: Mapping[str, int]
    operations: int | None
    bytes: int | None
    timings: tuple[Timing, ...]
    remarks: tuple[tuple[str, str], ...]
    own: tuple[str, ...]
    warnings: tuple[str, ...]
    libraries: Mapping[str, tuple[BlasLibrary, ...]]
    idleness: Idleness

    @property
    def base(self) -> Timing:
        """Returns the baseline of speed-ups: the first peer, else the first mapping with the first number
        of threads.
        """
        return next((t for t in self.timings if t.contestant.name not in self.own), self.timings[0])

    @property
    def differs(self) -> bool:
        return any(timing.differences for timing in self.timings)


Subject = tuple[str, Checked, Verified | None]


def mapped_subjects(session: Session, system_name: str | None) -> Iterator[Subject]:
    """Yields the mapped systems of every design; of a design without mappings, all."""
    names = [system.name for design in session.designs for system in design.program.systems]
    if not names:
        raise InputError(f"{session.source.name} reads no program")
    if system_name is not None and system_name not in names:
        raise InputError(f"there is no system `{system_name}`: {did_you_mean(system_name, names) or listing(names)}")
    for design in session.designs:
        for name in design.mapped_systems or _systems(design):
            if system_name in (None, name):
                yield name, design.checked, _verified_mappings(session, design, name)


def _systems(design: Design) -> tuple[str, ...]:
    return tuple(system.name for system in design.program.systems)


def _verified_mappings(session: Session, design: Design, system: str) -> Verified | None:
    for design_verdict in session.design_verdicts:
        same = design_verdict.design.checked is design.checked and design_verdict.first.system == system
        if same and design_verdict.design.mapping(system) == design.mapping(system) and design_verdict.first.is_usable:
            return certify(design_verdict)
    return None


def check_parameters(subjects: list[Subject], sets: list[Parameters]) -> None:
    """Checks for unknown or missing parameters before any compilation, with messages in terms of the command line."""
    names_given = list(dict.fromkeys(name for values in sets for name in values))
    parameter_names = list(dict.fromkeys(name for s in subjects for name in (*parameters_of(s), *sizes_of(s))))
    unknown = [name for name in names_given if name not in parameter_names]
    if unknown and subjects:
        systems = listing(dict.fromkeys(name for name, _, _ in subjects))
        remedy = did_you_mean(unknown[0], parameter_names) or f"the parameters are {listing(parameter_names)}"
        raise InputError(f"there is no parameter `{unknown[0]}` in {systems}: {remedy}")
    for subject in subjects:
        for values in sets:
            missing = [name for name in parameters_of(subject) if name not in values]
            if missing:
                raise InputError(f"`{subject[0]}` needs a value for {listing(missing)}: give -p {missing[0]}=20")


def small_parameters(subject: Subject) -> Parameters:
    """Returns small legal values of the parameters that show most, the same as in `alphaz draw`."""
    name, checked, verified = subject
    point = smallest_point(checked.program.system(name).context)
    if point is None:
        raise InputError(f"`{name}` has no legal parameters")
    with suppress(Rejected):  # the indices of an unmapped system may be no dates
        point = small(resolve(Design(checked), name) if verified is None else verified.mappings[name]) or point
    return dict(point)


def parameters_of(subject: Subject) -> tuple[str, ...]:
    name, checked, _ = subject
    return checked.program.system(name).parameters


def sizes_of(subject: Subject) -> tuple[str, ...]:
    """Returns the tile sizes that are parameters of the generated code."""
    name, _, verified = subject
    return () if verified is None else tuple(size.name for size in verified.mappings[name].tile_sizes)


def own_values(subjects: tuple[Subject, ...], sets: list[Parameters]) -> list[Parameters]:
    """Returns the parameters and tile sizes of mappings of one system alone, each set of them once: the others are for
    other systems of the script.
    """
    value_sets: list[Parameters] = []
    for values in sets or [{}]:
        chosen = {name: values[name] for name in parameters_of(subjects[0])}
        chosen |= {name: values[name] for subject in subjects for name in sizes_of(subject) if name in values}
        if chosen not in value_sets:
            value_sets.append(chosen)
    return value_sets


def values_text(values: Mapping[str, int]) -> str:
    return ", ".join(f"{name}={value}" for name, value in values.items())


def thread_numbers(_: click.Context, __: click.Parameter, value: str) -> list[int]:
    """Parses `1,2`."""
    parts = [part.strip() for part in value.split(",")]
    if not all(part.isascii() and part.isdigit() and 1 <= int(part) <= 1024 for part in parts):
        raise click.BadParameter(f"`{value}` is no list of numbers of threads, such as 1,2")
    return [int(part) for part in parts]


OWN = "alphaz"
"""The name of the contestant of a single script."""


@dataclass(frozen=True, slots=True, eq=False)
class Rivals:
    """One system with the mappings of several scripts, by the names of the contestants."""

    subjects: Mapping[str, Subject]


def candidate_mappings_of(sessions: Sequence[Session], system_name: str | None) -> list[Rivals]:
    """Returns the systems of the first script, each with the mappings of all scripts.

    Raises InputError where a script does not have one of them, or has another system of that name.
    """
    first, *others = sessions
    names = _labels(sessions)
    rivals = []
    for subject in mapped_subjects(first, system_name):
        subjects = {names[0]: subject}
        for name, session in zip(names[1:], others, strict=True):
            subjects[name] = _same(subject, session, first)
        rivals.append(Rivals(subjects))
    return rivals


def _labels(sessions: Sequence[Session]) -> list[str]:
    """Returns the stems of the scripts; where two are equal, the names given by the user."""
    if len(sessions) == 1:
        return [OWN]
    stems = [Path(session.source.name).stem for session in sessions]
    return stems if len(set(stems)) == len(stems) else [session.source.name for session in sessions]


def _same(subject: Subject, session: Session, first: Session) -> Subject:
    name, checked, _ = subject
    subjects_by_name = {other_subject[0]: other_subject for other_subject in mapped_subjects(session, None)}
    if name not in subjects_by_name:
        has = f"only {listing(subjects_by_name)}" if subjects_by_name else "no system"
        raise InputError(f"{session.source.name} maps {has}, and {first.source.name} maps {name}: nothing to compare")
    other = subjects_by_name[name][1].program.system(name)
    reason = _difference(checked.program.system(name), other)
    if reason:
        raise InputError(f"`{name}` of {session.source.name} and of {first.source.name} are not the same: {reason}")
    return subjects_by_name[name]


def _difference(one: System, other: System) -> str:
    """Returns the visible difference of two systems in inputs and outputs; empty where there is none."""
    if one.parameters != other.parameters:
        return "their parameters differ"
    for kind, own_variables, other_variables in (
        ("inputs", one.inputs, other.inputs),
        ("outputs", one.outputs, other.outputs),
    ):
        if [(v.name, v.type) for v in own_variables] != [(v.name, v.type) for v in other_variables]:
            return f"their {kind} differ"
        for a, b in zip(own_variables, other_variables, strict=True):
            if not a.domain.equals(b.domain):
                return f"the domains of {a.name} differ"
    return ""
