"""C1 and C4: each value that is read has been written, and is not overwritten before the read."""

from collections.abc import Iterator, Sequence
from functools import partial

from alphaz.equivalence.claims import Contribution
from alphaz.equivalence.intervening_writes import InterveningWrite, none_disturbed
from alphaz.equivalence.kernel_obligation import KernelObligation, participants_formula
from alphaz.equivalence.lemmas import Lemmas
from alphaz.equivalence.participant import participant
from alphaz.equivalence.proof_context import ProofContext
from alphaz.equivalence.readers_and_writers import (
    ValueReader,
    ValueWriter,
    earlier,
    statement_of,
    unwritten,
    unwritten_stated,
    written_formula,
)
from alphaz.equivalence.reduction_obligations import of_sum_reader
from alphaz.poly import Domain, Formula
from alphaz.poly.plain.space import Space
from alphaz.scop.c_model import KernelStatement


def of_reader(
    proof_context: ProofContext,
    lemmas: Lemmas,
    reader: ValueReader,
    writers: Sequence[ValueWriter],
    parts: Sequence[ValueWriter],
) -> Iterator[KernelObligation]:
    starts = [s for s in parts if isinstance(s.origin, Contribution) and s.origin.starts]
    about, sources = reader.who.statement, (*writers, *starts)
    subjects = {"reader": reader}
    yield KernelObligation(
        family="C1",
        claim=f"{reader.text} is written before it is read",
        violations=partial(unwritten, reader, sources),
        participants=(reader.who,),
        about=about,
        subjects=subjects,
        stated=partial(unwritten_stated, reader, sources),
        lemma=partial(lemmas.all_written, reader, sources),
    )
    threats = tuple(
        InterveningWrite(
            reader,
            source,
            participant("y", statement),
            tuple(_excused(parts if source in starts else writers, statement)),
        )
        for source in sources
        for statement in proof_context.writers.get(reader.array.name, ())
    )
    if threats:
        yield KernelObligation(
            family="C4",
            claim=f"{reader.text} is not overwritten before",
            violations=partial(_lost, reader, sources, threats),
            participants=(reader.who,),
            about=about,
            subjects=subjects,
            stated=partial(_lost_stated, reader, sources, threats),
            lemma=partial(_stays, lemmas, reader, sources, threats),
        )
    if starts:
        yield from of_sum_reader(lemmas, reader, starts, parts)


def _stays(
    lemmas: Lemmas, reader: ValueReader, sources: Sequence[ValueWriter], threats: Sequence[InterveningWrite]
) -> bool:
    """Returns True if a lemma shows that no value is lost: for any writer, if all have written before, or for those in
    the same iterations of shared loops; then again for any writer, if isl shows that there is one."""
    return (
        lemmas.none_disturbed(reader, sources, threats)
        or none_disturbed(reader, sources, threats)
        or (lemmas.is_written(reader, sources) and lemmas.all_harmless(threats))
    )


def _excused(sources: Sequence[ValueWriter], statement: KernelStatement) -> Iterator[ValueWriter]:
    """Yields the writers of the same value, which do not disturb it."""
    return (source for source in sources if statement_of(source) is statement)


def _lost(reader: ValueReader, sources: Sequence[ValueWriter], threats: Sequence[InterveningWrite]) -> Domain:
    """Returns the readers that no writer's value reaches: those without a writer, if nothing is overwritten; otherwise
    each reader needs one writer whose value stays."""
    lost = {id(source): Domain.empty(_pair(reader, source)) for source in sources}
    is_any = False
    for threat in threats:
        violations = threat.violating_triples()
        if not violations.is_empty():
            is_any = True
            source = threat.source
            lost[id(source)] = lost[id(source)] | violations.onto(_pair(reader, source).names)
    if not is_any:
        return unwritten(reader, sources)
    rest = reader.who.domain
    for source in sources:
        rest = rest - (earlier(reader, source) - lost[id(source)]).onto(reader.who.dimensions)
    return rest


def _pair(reader: ValueReader, source: ValueWriter) -> Space:
    space = reader.who.domain.space
    return space.with_names((*reader.who.dimensions, *source.who.dimensions))


def _lost_stated(reader: ValueReader, sources: Sequence[ValueWriter], threats: Sequence[InterveningWrite]) -> Formula:
    absent = []
    for source in sources:
        disturbed = [threat.absent() for threat in threats if threat.source is source]
        absent.append(written_formula(reader, source, disturbed))
    return participants_formula((reader.who,), absent=absent)
