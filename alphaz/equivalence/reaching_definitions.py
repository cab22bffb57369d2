"""C1 and C4: what is read has been written, and is not overwritten before."""

from collections.abc import Iterator, Sequence
from functools import partial

from alphaz.equivalence.claims import Contribution
from alphaz.equivalence.formulas import participants_formula
from alphaz.equivalence.kernel_obligation import KernelObligation
from alphaz.equivalence.kills import InterveningWrite, none_disturbed
from alphaz.equivalence.lemmas import Lemmas
from alphaz.equivalence.participant import actor
from alphaz.equivalence.proof_context import ProofContext
from alphaz.equivalence.reduction_obligations import of_sum_reader
from alphaz.equivalence.value_flow import (
    ValueReader,
    ValueWriter,
    earlier,
    statement_of,
    unwritten,
    unwritten_stated,
    written_formula,
)
from alphaz.poly import Domain, Formula
from alphaz.poly.plain.space import Space
from alphaz.scop.kernel import KernelStatement


def of_reader(
    inquiry: ProofContext,
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
        actors=(reader.who,),
        about=about,
        subjects=subjects,
        stated=partial(unwritten_stated, reader, sources),
        lemma=partial(lemmas.all_written, reader, sources),
    )
    threats = tuple(
        InterveningWrite(
            reader, source, actor("y", statement), tuple(_excused(parts if source in starts else writers, statement))
        )
        for source in sources
        for statement in inquiry.writers.get(reader.array.name, ())
    )
    if threats:
        yield KernelObligation(
            family="C4",
            claim=f"{reader.text} is not overwritten before",
            violations=partial(_lost, reader, sources, threats),
            actors=(reader.who,),
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
    """What is easier to decide, and shows that nothing is lost: of any writer, where all have written before, or of
    those close by; then of any again, where isl sees that there is one."""
    return (
        lemmas.none_disturbed(reader, sources, threats)
        or none_disturbed(reader, sources, threats)
        or (lemmas.is_written(reader, sources) and lemmas.all_harmless(threats))
    )


def _excused(sources: Sequence[ValueWriter], statement: KernelStatement) -> Iterator[ValueWriter]:
    """Whoever writes the same value disturbs nobody."""
    return (source for source in sources if statement_of(source) is statement)


def _lost(reader: ValueReader, sources: Sequence[ValueWriter], threats: Sequence[InterveningWrite]) -> Domain:
    """Readers that nobody's value reaches. Cheap where nothing is overwritten; else each reader needs one writer whose
    value stays."""
    lost = {id(source): Domain.empty(_pair(reader, source)) for source in sources}
    is_any = False
    for threat in threats:
        found = threat.found()
        if not found.is_empty():
            is_any = True
            source = threat.source
            lost[id(source)] = lost[id(source)] | found.onto(_pair(reader, source).names)
    if not is_any:
        return Domain.empty(reader.who.domain.space)
    rest = reader.who.domain
    for source in sources:
        rest = rest - (earlier(reader, source) - lost[id(source)]).onto(reader.who.dimensions)
    return rest


def _pair(reader: ValueReader, source: ValueWriter) -> Space:
    space = reader.who.domain.space
    return space.with_names((*reader.who.dimensions, *source.who.dimensions))


def _lost_stated(reader: ValueReader, sources: Sequence[ValueWriter], threats: Sequence[InterveningWrite]) -> Formula:
    absent = []
    for at, source in enumerate(sources):
        own = [threat for threat in threats if threat.source is source]
        disturbed = [each.absent(f"{at}.{number}") for number, each in enumerate(own)]
        absent.append(written_formula(reader, source, str(at), disturbed))
    return participants_formula((reader.who,), absent=absent)
