"""The record of one C function in a certificate: all obligations as stated, and the objects that they are about."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from alphaz.certificate.c_inventory import (
    CAccess,
    CArray,
    CBarrier,
    CClaim,
    CDefinition,
    CDividend,
    CEquation,
    CHeld,
    CInventory,
    CItem,
    CLimit,
    CLock,
    CLoop,
    CNeed,
    COrder,
    CPart,
    CReader,
    CShare,
    CStatement,
    CSum,
    CSumItem,
    CTerm,
)
from alphaz.certificate.mapping_inventory import (
    UNDECIDED,
    ObligationKey,
    ObligationRecord,
    PlaceRecord,
    RoleRecord,
)
from alphaz.certificate.violation_sets import DomainParts, LinearSum
from alphaz.diagnostics import Label, Span
from alphaz.diagnostics.rules import C_NOT_PROVED
from alphaz.equivalence.bounds_and_race_obligations import allowed_cells
from alphaz.equivalence.c_proof import Answer, Proof
from alphaz.equivalence.claims import Claim, Contribution
from alphaz.equivalence.kernel_obligation import Part, all_of, any_of
from alphaz.equivalence.partial_reductions import PartialReduction
from alphaz.equivalence.participant import instance_parts
from alphaz.equivalence.readers_and_writers import ValueReader, sources_of
from alphaz.equivalence.value_graph import EquationValue, Item, Position, Ref, Term, ValueDefinition, refs_in
from alphaz.legality.reporting.certificate_inventory import place
from alphaz.mapping.storage_formats import index
from alphaz.model.types import LONG
from alphaz.order.happens_before import BarrierNode, LoopNode, OrderNode, SequentialNode, SingleNode, TeamNode
from alphaz.order.kernel_order import StatementPlace, order_tree
from alphaz.poly import Affine
from alphaz.proof import Refuted, Undecided
from alphaz.proof.certificate_formulas import cases_of, complete_point, sum_of, violations_of
from alphaz.scop.c_model import ArrayAccess, KernelArray, KernelBarrier, KernelLoop, KernelStatement, NonNegativeValue
from alphaz.scop.index_polynomials import affine
from alphaz.scop.value_tree import IndexLeaf, LiteralValue, ReadValue, Tree

Made = Claim | Contribution
T = TypeVar("T")
# The number of a statement, its place, and the children that lead to it from a node on.
_Placed = tuple[int, StatementPlace, tuple[int, ...]]


def inventory_of(proof: Proof) -> CInventory:
    """Returns the objects of a proof's obligations."""
    return _Listing(proof).inventory()


def entries_of(proof: Proof) -> tuple[ObligationRecord, ...]:
    """Returns all obligations, with their verdicts."""
    listing = _Listing(proof)
    return tuple(listing.entry(position, answer) for position, answer in enumerate(proof.answers, 1))


class _Listing:
    """The numbers of all objects of a proof."""

    def __init__(self, proof: Proof) -> None:
        self.kernel, self.proof_context = proof.kernel, proof.proof_context
        obligations = [answer.question for answer in proof.answers]
        readers = (obligation.subjects.get("reader") for obligation in obligations)
        self.readers = _distinct(reader for reader in readers if isinstance(reader, ValueReader))
        # A sum may be empty: then the only obligation is that it is not read too early.
        of_sums = (q for q in obligations if "reader" in q.subjects and q.family in ("R1", "R3"))
        self.sums = {id(q.subjects["reader"]) for q in of_sums}
        # Of a sum whose proof ended early there may be obligations on its items, and none on a reader.
        subjects = (subject for obligation in obligations for subject in obligation.subjects.values())
        made = (subject for subject in subjects if isinstance(subject, Made))
        self.claims = _distinct((*(source for reader in self.readers for source in self._sources(reader)), *made))
        self.loops = _distinct(loop for s in self.kernel.statements for loop in s.date if isinstance(loop, KernelLoop))
        self.numbers: dict[int, int] = {}
        for group in (self.kernel.statements, self.readers, self.claims, self.loops):
            self.numbers.update({id(item): position for position, item in enumerate(group)})

    def _sources(self, reader: ValueReader) -> list[Made]:
        """Returns the claims that write the value that is read; claims about sums only if the value is a sum."""
        origins = [source.origin for source in sources_of(self.proof_context, reader) if source.origin is not None]
        return [origin for origin in origins if id(reader) in self.sums or isinstance(origin, Claim)]

    def entry(self, number: int, answer: Answer) -> ObligationRecord:
        question, verdict = answer.question, answer.verdict
        formula = question.stated()
        spans = [question.span or (question.about.span if question.about is not None else self.kernel.span)]
        spans += [other.span for other in question.others]
        subjects = {name: self._number(subject) for name, subject in question.subjects.items()}
        return ObligationRecord(
            id=f"{number:04}",
            key=ObligationKey(question.family, None, subjects, tiled=False),
            rule=C_NOT_PROVED.code,
            claim=question.claim,
            roles=tuple(RoleRecord(participant.role, participant.dimensions) for participant in question.participants),
            violations=violations_of(formula),
            isl="",
            verdict=verdict.word,
            how=UNDECIDED if isinstance(verdict, Undecided) else verdict.by,
            witness=complete_point(formula, verdict.point) if isinstance(verdict, Refuted) else None,
            sentence=verdict.witness.sentence if isinstance(verdict, Refuted) else "",
            reason=verdict.reason if isinstance(verdict, Undecided) else "",
            places=tuple(place_ for place_ in map(_place, dict.fromkeys(spans)) if place_ is not None),
        )

    def _number(self, subject: object) -> int:
        return subject if isinstance(subject, int) else self.numbers[id(subject)]

    def inventory(self) -> CInventory:
        proof_context, binding = self.proof_context, self.proof_context.binding
        return CInventory(
            parameters=self.kernel.parameters,
            arrays=tuple(map(self._array, self.kernel.arrays.values())),
            loops=tuple(CLoop(loop.iterator, loop.step, str(loop.kind)) for loop in self.loops),
            order=order_of([StatementPlace.of(statement) for statement in self.kernel.statements], self.numbers),
            statements=tuple(map(self._statement, self.kernel.statements)),
            dividends=tuple(map(_dividend, self.kernel.dividends)),
            barriers=tuple(map(_barrier, self.kernel.barriers)),
            inputs=tuple(self._held(*entry) for entry in binding.inputs.items()),
            outputs=tuple(self._held(*entry) for entry in binding.outputs.items()),
            values=tuple(map(_value, self._values())),
            claims=tuple(map(self._claim, self.claims)),
            readers=tuple(map(self._reader, self.readers)),
            sums=tuple(self._sums()),
            parts=tuple(map(self._part, proof_context.parts)),
        )

    def _held(self, array: str, name: str) -> CHeld:
        """Returns an array of the caller with the cells of a variable."""
        domain = self.proof_context.values[name].domain
        names = domain.space.names
        cell = self.proof_context.binding.places[name].cell_of(tuple(map(Affine.name, names)))
        return CHeld(array=array, variable=name, names=names, domain=cases_of(domain.pieces()), cell=_sums(cell))

    def _part(self, part: PartialReduction) -> CPart:
        items = (
            CItem(*item, members.space.names[len(part.names) :], cases_of(members.pieces()))
            for item, members in part.members.items()
        )
        return CPart(part.key, self._number(part.statement), part.names, tuple(items))

    def _array(self, array: KernelArray) -> CArray:
        proof_context = self.proof_context
        writers = proof_context.writers.get(array.name, ())
        extents = [affine(extent) for extent in array.extents if extent is not None]
        limit, held = array.limit, allowed_cells(array, proof_context.binding)
        subscripts = tuple(index(number) for number in range(len(array.extents)))
        return CArray(
            name=array.name,
            type=str(array.type),
            prefix=len(array.prefix),
            extents=tuple(sum_of(extent) for extent in extents if extent is not None),
            limit=None if limit is None else CLimit(limit.name, cases_of(any_of(limit.condition))),
            subscripts=() if held is None else subscripts,
            held=None if held is None else cases_of(all_of(held))[0],
            writers=tuple(self._number(writer) for writer in writers),
        )

    def _statement(self, statement: KernelStatement) -> CStatement:
        lock = statement.write.mutex
        return CStatement(
            name=str(statement),
            names=statement.iterators,
            domain=_parts(instance_parts(statement, statement.domain)),
            accesses=tuple(map(_access, (statement.target, *statement.reads))),
            value=_tree(statement.value),
            lock=None if lock is None else CLock(lock.name, lock.depth),
            reductions=tuple(map(self._number, statement.write.reductions)),
            place=_place(statement.span),
        )

    def _claim(self, claim: Made) -> CClaim:
        sum_ = claim if isinstance(claim, Contribution) else None
        role = "value" if sum_ is None else "start" if sum_.starts else "share"
        cases = self._cases(claim.key, claim.statement.target.array)
        return CClaim(
            role=role,
            statement=self._number(claim.statement),
            key=claim.key,
            point=_sums(claim.point),
            case=None if sum_ is None else cases.index(id(sum_.sum)),
            domain=_parts(instance_parts(claim.statement, claim.domain)),
            shares=tuple(CShare(share.number, _sums(share.body)) for share in (() if sum_ is None else sum_.shares)),
            needs=tuple(CNeed(n.number + 1, n.key, _sums(n.point)) for n in dict.fromkeys(claim.needs)),
        )

    def _cases(self, key: str, array: KernelArray) -> list[int]:
        """Returns the sums that a value equals, by the cases of its definition."""
        return list(dict.fromkeys(id(contribution.sum) for contribution in self._contributions(key, array)))

    def _contributions(self, key: str, array: KernelArray) -> list[Contribution]:
        sums = (claim for claim in self.claims if isinstance(claim, Contribution))
        return [sum_ for sum_ in sums if sum_.key == key and sum_.statement.target.array is array]

    def _sums(self) -> list[CSum]:
        read = {(reader.key, reader.array.name): reader.array for reader in self.readers if id(reader) in self.sums}
        cases = []
        for (key, name), array in read.items():
            by_case = {id(contribution.sum): contribution.sum for contribution in self._contributions(key, array)}
            any_ = next(iter(by_case.values()))
            items = tuple(len(group.items) for group in by_case.values())
            definitions = [id(definition.sum) for definition in self.proof_context.values[key].definitions]
            type_ = str(self.proof_context.values[key].type)
            cases.append(
                CSum(
                    key=key,
                    array=name,
                    operator=any_.operator,
                    type=type_,
                    in_order=any_.in_order,
                    items=items,
                    definitions=tuple(map(definitions.index, by_case)),
                )
            )
        return cases

    def _values(self) -> Iterator[EquationValue]:
        """Yields the values to which claims, readers and outputs lead."""
        values = self.proof_context.values
        binding = self.proof_context.binding
        waiting = [*binding.outputs.values(), *(entry.key for entry in (*self.claims, *self.readers) if entry.key)]
        waiting += [need.key for claim in self.claims for need in claim.needs]
        waiting += binding.inputs.values()
        seen: set[str] = set()
        while waiting:
            key = waiting.pop()
            if key not in seen and key in values:
                seen.add(key)
                waiting += [ref.key for term in _terms(values[key]) for ref in refs_in(term)]
                yield values[key]

    def _reader(self, reader: ValueReader) -> CReader:
        statement = reader.who.statement
        return CReader(
            statement=None if statement is None else self._number(statement),
            claim=None if reader.claim is None else self.numbers.get(id(reader.claim)),
            need=reader.need,
            names=reader.who.dimensions,
            domain=_parts(reader.who.parts),
            array=reader.array.name,
            cell=_sums(reader.cell),
            key=reader.key,
            point=_sums(reader.point),
            is_sum=id(reader) in self.sums,
            text=reader.text,
        )


def order_of(places: Sequence[StatementPlace], loops: Mapping[int, int]) -> COrder:
    """Returns the order of statements. `loops`: the numbers of the loops, by their ids."""
    tree, children = order_tree(places)
    return _node(
        tree,
        [(number, place, rest) for number, (place, rest) in enumerate(zip(places, children, strict=True))],
        loops,
        0,
    )


def _node(node: OrderNode, inside: Sequence[_Placed], loops: Mapping[int, int], position: int) -> COrder:
    """Returns a node with the statements inside, whose dates agree in the first `position` components."""
    match node:
        case SequentialNode(children):
            parts = [
                [(n, place, rest[1:]) for n, place, rest in inside if rest[0] == position]
                for position in range(len(children))
            ]
            # The conditions of a barrier are those of the node in front of it, again.
            of_text = [
                (child, part)
                for child, part in zip(children, parts, strict=True)
                if not isinstance(child, BarrierNode) or child.is_local
            ]
            nodes = (_node(child, part, loops, position + 1) for child, part in of_text)
            return COrder("sequence", (), tuple(nodes))
        case LoopNode(_, body):
            _, place, _ = inside[0]
            return COrder("loop", (loops[id(place.date[position])],), (_node(body, inside, loops, position + 1),))
        case TeamNode(_, body, names):
            _, place, _ = inside[0]
            numbers = tuple(loops[id(place.date[position + number])] for number in range(len(names)))
            return COrder("team", numbers, (_node(body, inside, loops, position + len(names)),))
        case SingleNode(_, body):
            return COrder("single", (), (_node(body, inside, loops, position),))
        case BarrierNode():
            return COrder("barrier", (), ())
    is_private = any(place.share is not None and place.share.is_private for _, place, _ in inside)
    return COrder("private" if is_private else "statement", tuple(number for number, _, _ in inside), ())


def _distinct(objects: Iterable[T]) -> list[T]:
    return list({id(object_): object_ for object_ in objects}.values())


def _dividend(dividend: NonNegativeValue) -> CDividend:
    domain = dividend.domain
    return CDividend(domain.space.names, cases_of(domain.pieces()), sum_of(dividend.value))


def _barrier(barrier: KernelBarrier) -> CBarrier:
    members = cases_of(barrier.members.pieces())
    return CBarrier(barrier.domain.space.names, cases_of(barrier.domain.pieces()), members, barrier.threads)


def _access(access: ArrayAccess) -> CAccess:
    return CAccess(access.array.name, _sums(access.subscripts))


def _tree(tree: Tree | Term) -> CTerm:
    """Returns an expression of C, or of the equations."""
    match tree:
        case ReadValue(number, type_):
            return CTerm("read", str(type_), access=number + 1)
        case LiteralValue(value, type_):
            return CTerm("number", str(type_), name=str(value))
        case IndexLeaf(affine_, type_):
            return CTerm("index", str(type_), at=(sum_of(affine_),))
        case Position(affine_):
            return CTerm("index", str(LONG), at=(sum_of(affine_),))
        case Ref(key, point):
            return CTerm("value", "", name=key, at=_sums(point))
    return CTerm(tree.operator, str(tree.type), tuple(map(_tree, tree.operands)))


def _terms(value: EquationValue) -> Iterator[Term]:
    for definition in value.definitions:
        if definition.term is not None:
            yield definition.term
        yield from () if definition.sum is None else (item.term for item in definition.sum.items)


def _value(value: EquationValue) -> CEquation:
    return CEquation(value.key, str(value.type), value.indices, tuple(map(_definition, value.definitions)))


def _definition(definition: ValueDefinition) -> CDefinition:
    sum_ = definition.sum
    return CDefinition(
        domain=cases_of(definition.region.parts),
        term=None if definition.term is None else _tree(definition.term),
        operator="" if sum_ is None else sum_.operator,
        items=() if sum_ is None else tuple(map(_item, sum_.items)),
    )


def _item(item: Item) -> CSumItem:
    return CSumItem(
        sign=item.sign,
        names=item.names,
        domain=cases_of(item.region.parts),
        projection=_sums(item.projection),
        term=_tree(item.term),
    )


def _parts(parts: Sequence[Part]) -> DomainParts:
    return tuple(map(cases_of, parts))


def _sums(values: Sequence[Affine]) -> tuple[LinearSum, ...]:
    return tuple(map(sum_of, values))


def _place(span: Span) -> PlaceRecord | None:
    return place(Label(span))
