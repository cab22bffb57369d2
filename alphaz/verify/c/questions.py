"""All that is asked of a C program, as sets that must be empty: the families C0 to C6 and R1 to R5.

C0 subscripts inside their arrays; C1 every value that is needed is written, in the cell that is read, before; C4
nobody overwrites it in between; C6 no race. Of sums: R1 every part is combined, and once; R2 after the start; R3
before the sum is read; R4 there is one start; R5 what is summed up in parts is in one of them. C2 (the expressions) is
decided where claims are made; C3 and C5 (cells and inputs) are parts of C1 and C4: inputs are written by the caller,
before everything.

That all claims are true follows by induction on the order of execution.
"""

from collections.abc import Iterator, Sequence

from alphaz.poly import OutOfBudget
from alphaz.proof import FIRST, patiently
from alphaz.verify.c.bounds import bounds
from alphaz.verify.c.claims import Contribution
from alphaz.verify.c.inquiry import Inquiry
from alphaz.verify.c.lemmas import Lemmas
from alphaz.verify.c.partition import in_one_part
from alphaz.verify.c.races import races
from alphaz.verify.c.reaching import of_reader
from alphaz.verify.c.readers import Reader, Source, outputs_of, readers_of, sources_of, unwritten
from alphaz.verify.c.requirement import Requirement
from alphaz.verify.c.sums import of_sum


def questions(inquiry: Inquiry) -> Iterator[Requirement]:
    """In the order in which they are cheap; those of claims follow what is needed, from the outputs back."""
    yield from bounds(inquiry)
    yield from races(inquiry)
    lemmas = Lemmas(inquiry)
    waiting = list(outputs_of(inquiry))
    done: set[int] = set()
    sums: dict[tuple[str, str], list[Contribution]] = {}
    while waiting:
        reader = waiting.pop()
        sources = list(sources_of(inquiry, reader))
        contributions = [s for s in sources if isinstance(s.origin, Contribution)]
        writers = [s for s in sources if not isinstance(s.origin, Contribution)]
        if contributions and lemmas.is_written(reader, writers):
            sources, contributions = writers, []
        for each, parts in _apart(reader, writers, contributions):
            yield from of_reader(inquiry, lemmas, each, writers, parts)
        if contributions:
            sums[reader.key, reader.array.name] = [s.origin for s in contributions]  # type: ignore[misc]
        for source in sources:
            if source.origin is not None and id(source.origin) not in done:
                done.add(id(source.origin))
                waiting += readers_of(inquiry, source.origin)
    for made in sums.values():
        yield from of_sum(inquiry, made)
    yield from in_one_part(inquiry.parts)


def _apart(
    reader: Reader, writers: Sequence[Source], contributions: Sequence[Source]
) -> list[tuple[Reader, Sequence[Source]]]:
    """Those who read a value that somebody writes as a whole, and those who read what is summed up in the cell; with
    what is combined for them."""
    if contributions and writers:
        try:
            left = patiently(lambda: unwritten(reader, writers), FIRST)
            others = reader.who.domain - left
            if not (left.is_empty() or others.is_empty()):
                return [(reader.within(others), ()), (reader.within(left), contributions)]
        except OutOfBudget:
            pass
    return [(reader, contributions)]
