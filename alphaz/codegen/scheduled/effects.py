"""What operations do to memory, as far as loops may be changed for it: the cells that they write and read."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from alphaz.codegen.scheduled.actions import Action
from alphaz.codegen.scheduled.box import Box
from alphaz.mapping.resolved import ResolvedMapping
from alphaz.mapping.statement import Statement
from alphaz.model.expression import Access, Compose, Expression, Reduce
from alphaz.model.walk import walk
from alphaz.poly import Affine, Domain
from alphaz.poly.questions.boxes import Key, Step, meet_apart, never_meet


@dataclass(frozen=True, slots=True)
class Touch:
    """A cell of a memory space, over the names of the domain of an operation."""

    space: str
    cell: tuple[Key, ...]

    def may_be(self, other: "Touch") -> bool:
        """Whether the two are in one space, and folded alike."""
        return self.space == other.space


@dataclass(frozen=True, slots=True)
class Effect:
    """`target` is written (and read too, by an accumulation); `reads` are all other cells that are read."""

    target: Touch
    reads: tuple[Touch, ...]

    def touches(self, cell: Touch) -> bool:
        """Whether it may write or read this cell, wherever it is in its space."""
        return any(cell.may_be(each) for each in (self.target, *self.reads))

    def is_private(self, corner: Domain, steps: Sequence[Step], keys: Sequence[Affine]) -> bool:
        """Whether no operation of boxes with the same keys reads what one of them writes: their targets can be kept in
        registers meanwhile.
        """
        return self._is_apart(corner, steps, keys, False)

    def is_unordered(self, corner: Domain, steps: Sequence[Step], keys: Sequence[Affine]) -> bool:
        """Whether they can be done at once: all reads, then all writes, each to a cell of its own."""
        alone = never_meet(corner, steps, keys, self.target.cell, self.target.cell, apart=True)
        return alone and self._is_apart(corner, steps, keys, True)

    def _is_apart(self, corner: Domain, steps: Sequence[Step], keys: Sequence[Affine], apart: bool) -> bool:
        risky = [_like(read, self.target) for read in self.reads if self.target.may_be(read)]
        return all(never_meet(corner, steps, keys, mine, other, apart) for mine, other in risky)


def _like(read: Touch, target: Touch) -> tuple[tuple[Key, ...], tuple[Key, ...]]:
    """The cells of the target and of the read, in the components that are folded alike: more may be equal then."""
    pairs = [(mine, other) for mine, other in zip(target.cell, read.cell, strict=True) if mine.modulus == other.modulus]
    return tuple(mine for mine, _ in pairs), tuple(other for _, other in pairs)


@dataclass(frozen=True, slots=True)
class Iterations:
    """What happens in the iterations of a loop: an effect at the points of a domain, those of one iteration with
    one value `at`.

    `keys` are what stays the same while the loop runs. `collects`: what is accumulated in the target is collected by
    each iteration for itself (the name of the statement).
    """

    effect: Effect
    points: Domain
    keys: tuple[Affine, ...]
    at: Affine
    collects: str | None = None

    def waits_for(self, other: "Iterations") -> bool:
        """Whether one of its operations touches what the other writes in another iteration."""
        wanted = other.effect.target
        together = self.collects is not None and self.collects == other.collects
        targets = () if together else (self.effect.target,)
        for touched in (*targets, *self.effect.reads):
            if not wanted.may_be(touched):
                continue
            theirs, mine = _like(touched, wanted)
            keys, other_keys = (*map(Key, self.keys), *mine), (*map(Key, other.keys), *theirs)
            if meet_apart(self.points, keys, self.at, other.points, other_keys, other.at):
                return True
        return False


def are_independent(iterations: Sequence[Iterations]) -> bool:
    """Whether the iterations of a loop can be done at once."""
    return not any(one.waits_for(other) for one in iterations for other in iterations)


def effect_of(mapping: ResolvedMapping, statement: Statement, expression: Expression) -> Effect | None:
    """What a statement does whose right-hand side is the expression; None where its reads are no single cells."""
    names = statement.domain.space.names
    reads: list[Touch] = []
    for node in walk(expression):
        if isinstance(node, Compose | Reduce):
            return None
        if isinstance(node, Access):
            reads.append(_touch(mapping, node.variable, node.function.renamed(names).outputs))
    target = statement.target.renamed(names).outputs
    return Effect(_touch(mapping, statement.variable, target), tuple(dict.fromkeys(reads)))


def _touch(mapping: ResolvedMapping, variable: str, point: Sequence[Affine]) -> Touch:
    cell = mapping.cells[variable]
    values = dict(zip(cell.function.domain.names, point, strict=True))
    outputs = (o.substitute(values) for o in cell.function.outputs)
    return Touch(cell.space, tuple(Key(o, modulus=m) for o, m in zip(outputs, cell.moduli, strict=True)))


@dataclass(slots=True)
class Effects:
    """Answers for the actions of one nest; what takes long is asked once for each."""

    mapping: ResolvedMapping
    _unordered: dict[str, bool] = field(default_factory=dict)

    def of(self, action: Action) -> Effect | None:
        if action.statement is None or action.expression is None:
            return None
        return effect_of(self.mapping, action.statement, action.expression)

    def is_unordered(self, action: Action) -> bool:
        """Whether the points of a box can be done at once."""
        effect, box = self.of(action), action.box
        if effect is None or box is None:
            return False
        if action.name not in self._unordered:
            self._unordered[action.name] = effect.is_unordered(box.corners, box.steps, tuple(box.keys.values()))
        return self._unordered[action.name]

    def is_private(self, action: Action, dimension: int) -> bool:
        """Whether nothing in a loop over the dimension reads what the action accumulates there."""
        effect = self.of(action)
        assert effect is not None
        assert action.statement is not None
        if action.box is not None and not self.is_unordered(action):
            return False
        domain = action.domain.in_context(self.mapping.system.context)
        date = action.statement.date.renamed(domain.space.names).outputs
        box = action.box or Box((), domain, dict(enumerate(date)))
        return effect.is_private(box.corners, box.steps, [key for at, key in box.keys.items() if at != dimension])
