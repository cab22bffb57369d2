"""The readers and the writers of a value of the equations: the two sides of each obligation about values."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from alphaz.equivalence.claims import Claim, Contribution, Need
from alphaz.equivalence.kernel_obligation import all_of, any_of, no_participant, participants_formula
from alphaz.equivalence.participant import Participant, before, caller, conflict, participant, same
from alphaz.equivalence.proof_context import ProofContext
from alphaz.equivalence.value_graph import ONE, constant_key
from alphaz.poly import Affine, Constraint, Domain, Formula, Missing
from alphaz.scop.c_model import ArrayAccess, KernelArray, KernelStatement


@dataclass(frozen=True, slots=True, eq=False)
class ValueReader:
    """A reader of the value `key` at `point` from the cell of `array` at `cell`, over its own dimensions.

    It reads for a `claim`, by its `need` of that number; the caller has none.
    """

    who: Participant
    array: KernelArray
    cell: tuple[Affine, ...]
    key: str
    point: tuple[Affine, ...]
    text: str
    claim: Claim | Contribution | None = None
    need: int | None = None

    def within(self, domain: Domain) -> "ValueReader":
        """Returns the reader restricted to some instances."""
        return replace(self, who=replace(self.who, domain=domain))


@dataclass(frozen=True, slots=True, eq=False)
class ValueWriter:
    """A writer of a value: a claim, a contribution, or the caller."""

    who: Participant
    cell: tuple[Affine, ...]
    point: tuple[Affine, ...]
    origin: Claim | Contribution | None


def outputs_of(proof_context: ProofContext) -> Iterator[ValueReader]:
    """Yields the caller at the end; and statements that take a pointer from a table, which must be allocated."""
    for statement in (worker for worker in proof_context.kernel.statements if worker.is_there):
        who, access = participant("r", statement), statement.reads[0]
        yield ValueReader(
            who=who,
            array=access.array,
            cell=who.own(access.subscripts),
            key=constant_key(ONE),
            point=(),
            text=f"what {access.array.label} points to ({statement})",
        )
    for array, variable in proof_context.binding.outputs.items():
        domain = proof_context.values[variable].domain
        end = caller("END", domain, is_end=True)
        point = tuple(map(Affine.name, domain.space.names))
        cell = proof_context.binding.places[variable].cell_of(point)
        for part, key, origin_point in proof_context.origins.read(variable, point, domain):
            yield ValueReader(
                who=end.within(part),
                array=proof_context.kernel.arrays[array],
                cell=end.own(cell),
                key=key,
                point=end.own(origin_point),
                text=f"output {variable}",
            )


def readers_of(proof_context: ProofContext, claim: Claim | Contribution) -> list[ValueReader]:
    """Returns the readers of the needs of a claim; always the same objects."""
    return proof_context.once("readers", (claim,), lambda: list(_readers(proof_context, claim)))


def _readers(proof_context: ProofContext, claim: Claim | Contribution) -> Iterator[ValueReader]:
    statement = claim.statement
    for number, need in enumerate(dict.fromkeys(claim.needs)):
        who = participant("r", statement, claim.domain)
        access = statement.reads[need.number]
        for part, key, point in proof_context.origins.read(need.key, need.point, claim.domain):
            yield ValueReader(
                who=who.within(part),
                array=access.array,
                cell=who.own(access.subscripts),
                key=key,
                point=who.own(point),
                text=f"{need.key} from {access.array.label} ({statement})",
                claim=claim,
                need=number,
            )
        yield from _nowhere(proof_context, number, need, claim, access)


def _nowhere(
    proof_context: ProofContext, number: int, need: Need, claim: Claim | Contribution, access: ArrayAccess
) -> Iterator[ValueReader]:
    """Yields the instances that need a value which no equation defines, so it has no writer."""
    rest = claim.domain
    for part, _, _ in proof_context.origins.read(need.key, need.point, claim.domain):
        rest = rest - part
    if not rest.is_empty():
        who = participant("r", claim.statement, rest)
        text = f"{need.key} outside its domain from {access.array.label} ({claim.statement})"
        yield ValueReader(
            who=who,
            array=access.array,
            cell=who.own(access.subscripts),
            key="",
            point=(),
            text=text,
            claim=claim,
            need=number,
        )


def sources_of(proof_context: ProofContext, reader: ValueReader) -> Iterator[ValueWriter]:
    for array, variable in proof_context.binding.inputs.items():
        if variable == reader.key and array == reader.array.name:
            start = caller("w", proof_context.values[variable].domain, is_end=False)
            point = tuple(map(Affine.name, start.dimensions))
            yield ValueWriter(start, proof_context.binding.places[variable].cell_of(point), point, None)
    claims: tuple[Claim | Contribution, ...] = (*proof_context.claims.values, *proof_context.claims.contributions)
    for claim in claims:
        if claim.key == reader.key and claim.statement.target.array is reader.array:
            who = participant("w", claim.statement, claim.domain)
            yield ValueWriter(who, who.own(claim.statement.target.subscripts), who.own(claim.point), claim)


def meets(reader: ValueReader, source: ValueWriter) -> list[Constraint]:
    """Returns the constraints of the same value in the same cell."""
    return [*same(source.point, reader.point), *same(source.cell, reader.cell)]


def earlier(reader: ValueReader, source: ValueWriter) -> Domain:
    """Returns pairs of a reader and a writer of the required value, in the cell that is read, before the read."""
    return conflict((reader.who, source.who), meets(reader, source), before(source.who, reader.who))


def begins(source: ValueWriter) -> bool:
    return not isinstance(source.origin, Contribution) or source.origin.starts


def statement_of(source: ValueWriter) -> KernelStatement | None:
    return source.origin.statement if source.origin is not None else None


def unwritten(reader: ValueReader, sources: Sequence[ValueWriter]) -> Domain:
    rest = reader.who.domain
    for source in sources:
        if rest.is_empty():
            break
        rest = rest - earlier(reader.within(rest), source).onto(reader.who.dimensions)
    return rest


def unwritten_stated(reader: ValueReader, sources: Sequence[ValueWriter]) -> Formula:
    return participants_formula((reader.who,), absent=[written_formula(reader, source) for source in sources])


def written_formula(reader: ValueReader, source: ValueWriter, absent: Sequence[Missing] = ()) -> Missing:
    """Returns the formula that the source has not written the required value, in the cell that is read, before; except
    readers for whom a further part is `absent`."""
    order = any_of(before(source.who, reader.who))
    return no_participant(source.who, all_of(meets(reader, source)), order, absent=absent)
