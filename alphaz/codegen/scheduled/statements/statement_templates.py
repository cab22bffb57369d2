"""The statements of a mapped system: the points that they cover, and their operations.

A right-hand side that is a case becomes one statement for each branch, so that the loops need no tests. A reduction
that is mapped at its body without an initialisation is split into the first contribution to each result, which
assigns, and all others, which accumulate; results without any contribution are initialised before all other
operations.

The first contribution is the first by the dates or, where tiles change the order of contributions, in the order of the
loops over them. Tiles change it where the mapping is legal for its tile sizes only, and where register tiles have the
loop of a reduction dimension inside: no other dimension orders the contributions that it separates.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Protocol

from alphaz.analysis.facts.dependences import operation
from alphaz.c import tree as c
from alphaz.codegen.c.comments import line_of
from alphaz.codegen.c.expressions import CScope, CValue, convert, first_step, identity
from alphaz.codegen.scheduled.memory.storage import Storage
from alphaz.codegen.scheduled.statements.lowering import ScheduledLowering, accumulate
from alphaz.diagnostics import Span
from alphaz.mapping.resolved_mapping import ResolvedMapping
from alphaz.mapping.statement import Role, Statement
from alphaz.mapping.target_mapping import DimensionKind
from alphaz.model.expression import Case, Expression, Facts
from alphaz.model.interpreter.evaluation_order import unneeded
from alphaz.model.program import Variable, defined_by
from alphaz.model.walk import without_restricts
from alphaz.poly import Affine, AffineFunction, Domain
from alphaz.poly.algorithms.smallest import Floors, first_of_each
from alphaz.poly.algorithms.tile_corners import BoxStep


def needed_operations(mapping: ResolvedMapping, more: frozenset[str] = frozenset()) -> ResolvedMapping:
    """Returns the same mapping for the variables and the calls that outputs need, directly or through others, and for
    more variables.
    """
    gone = unneeded(mapping.system) - more
    if not gone:
        return mapping
    without = gone | {operation(e) for e in mapping.system.equations if gone.issuperset(defined_by(e))}
    statements = tuple(s for s in mapping.statements if s.variable not in without)
    names = {statement.name for statement in statements}
    return replace(
        mapping,
        statements=statements,
        before=frozenset(pair for pair in mapping.before if names.issuperset(pair)),
        uses=tuple(use for use in mapping.uses if use.label in names),
        packed=tuple(copy for copy in mapping.packed if copy.statement.name in names),
    )


@dataclass(frozen=True, slots=True)
class TileInstance:
    """The points that one operation computes, from its corner on; `corners` are those of the tiles that may be whole.

    `keys`: the dates of the corner in each dimension that distinguishes tiles. With a `mask` only the points in it are
    written; the others may be computed all the same.
    """

    steps: tuple[BoxStep, ...]
    corners: Domain
    keys: Mapping[int, Affine]
    mask: Domain | None = None


@dataclass(frozen=True, slots=True)
class FirstContributions:
    """Finds the first contributions to the reductions of a system. `scope`: the tile sizes for which alone the
    mapping is proved. The mapping has all operations, also those of other steps and ranks.
    """

    mapping: ResolvedMapping
    scope: str = ""

    def contributions(self, statement: Statement) -> Domain:
        """Returns the first contribution to each result, if it is in the domain of the statement; for merged ones, all
        in the first loop that has any. Results that ranks combine have none: on every rank they begin with the neutral
        element.
        """
        every = next(s for s in self.mapping.statements if s.name == statement.name)
        first = self._of_all(every)
        return first if every is statement else (first & statement.domain).simplify()

    def _of_all(self, statement: Statement) -> Domain:
        whole = statement.domain.in_context(self.mapping.system.context)
        if self.mapping.distribution is not None and statement.variable in self.mapping.distribution.combined:
            return Domain.empty(whole.space)
        names = whole.space.names
        date = statement.date.renamed(names).outputs
        plain = self._first(whole, statement, date[: statement.merged_at])
        if not self.scope and not self._merges_inside(statement):
            return plain
        before = takewhile(lambda axis: axis.kind(statement) is not DimensionKind.REDUCTION, self.mapping.axes)
        first = self._first(whole, statement, [axis.coordinate(statement, date) for axis in before])
        return plain if first.equals(plain) else first

    def _merges_inside(self, statement: Statement) -> bool:
        """Returns True if loops over register tiles enclose the loop after which the statement is merged. Tiles whose
        sizes are parameters enclose all of these. A proof for all sizes covers tiles of one point, and of two
        contributions that differ first before the merge none is then later by any other dimension of the band: the
        first one in tiles of one point is in the first tile of every size.
        """
        at, registers = statement.merged_at, self.mapping.registers(statement)
        return at is not None and registers is not None and registers.first <= at

    def _first(self, whole: Domain, statement: Statement, date: Sequence[Affine | Floors]) -> Domain:
        return first_of_each(whole, statement.target.renamed(whole.space.names), date)


class Nothing(Protocol):
    """A function that returns True if a set is proved to have no points, given the claim, the set, and its place in the
    script.
    """

    def __call__(self, claim: str, domain: Domain, span: Span) -> bool: ...


# Writes the statements at a point: (the lowering to use, the indices in scope) -> statements.
Write = Callable[[ScheduledLowering, CScope], tuple[c.Statement, ...]]


@dataclass(frozen=True, slots=True)
class StatementTemplate:
    """Instances that are scanned together. `statement` gives their dates; None for copies, in any order.

    `tie` orders those of one date, where there may be several. `expression` is the expression that is computed, or
    accumulated, at a point; None where there is none. With a `box` the points of the domain are the corners of boxes.
    `assigns`: it is a contribution, and the first one to its result. `uses_buffers`: it reads packed values from their
    buffers.
    """

    name: str
    domain: Domain
    comment: str
    write: Write
    statement: Statement | None = None
    tie: tuple[Affine, ...] = ()
    expression: Expression | None = None
    box: TileInstance | None = None
    assigns: bool = False
    uses_buffers: bool = True


@dataclass(frozen=True, slots=True)
class StatementTemplates:
    """The statements before the loops of the mapping, in them, and after them."""

    first: tuple[StatementTemplate, ...]
    main: tuple[StatementTemplate, ...]
    last: tuple[StatementTemplate, ...]


def actions_of(
    mapping: ResolvedMapping,
    storage: Storage,
    first_contributions: FirstContributions,
    nothing: Nothing,
    calls: Iterable[StatementTemplate] = (),
) -> StatementTemplates:
    """Returns all operations of a mapped system; those of its use equations are given."""
    dated = {s.variable for s in mapping.statements if s.role is Role.INPUT}
    copies = [_copy_in(v, storage) for v in storage.copied_in if v.name not in dated]
    first = [*copies, *(w for s in mapping.statements for w in _without_contributions(mapping, s))]
    main = [*(w for s in mapping.statements for w in _main(mapping, storage, first_contributions, nothing, s)), *calls]
    last = [_copy_out(v, storage) for v in storage.copied_out]
    return StatementTemplates(*(_present(mapping, some, nothing) for some in (first, main, last)))


def _present(
    mapping: ResolvedMapping, actions: Sequence[StatementTemplate], nothing: Nothing
) -> tuple[StatementTemplate, ...]:
    """Returns the templates without those that are proved to have no operation."""
    system, templates = mapping.system, []
    for action in actions:
        span = action.statement.span if action.statement is not None else system.span
        if not nothing(f"{action.comment}: there is no operation", action.domain.in_context(system.context), span):
            templates.append(action)
    return tuple(templates)


# --- copies -----------------------------------------------------------------------------------------------------------


def _copy_in(variable: Variable, storage: Storage, statement: Statement | None = None) -> StatementTemplate:
    def write(lowering: ScheduledLowering, scope: CScope) -> tuple[c.Statement, ...]:
        value = storage.callers[variable.name].element(scope.values)
        about = c.ValueAnnotation(variable.name, scope.values)
        return (c.Assign(lowering.cells.element(variable.name, scope.values), value, about=about),)

    name = statement.name if statement else f"{variable.name} in"
    domain = statement.domain if statement else variable.domain
    return StatementTemplate(
        name=name,
        domain=domain,
        comment=f"input {variable.name}, into its memory space",
        write=write,
        statement=statement,
    )


def _copy_out(variable: Variable, storage: Storage) -> StatementTemplate:
    def write(lowering: ScheduledLowering, scope: CScope) -> tuple[c.Statement, ...]:
        value = lowering.cells.element(variable.name, scope.values)
        about = c.ValueAnnotation(variable.name, scope.values)
        return (c.Assign(storage.callers[variable.name].element(scope.values), value, about=about),)

    return StatementTemplate(
        f"{variable.name} out", variable.domain, f"output {variable.name}, from its memory space", write
    )


# --- statements -------------------------------------------------------------------------------------------------------


def _main(
    mapping: ResolvedMapping,
    storage: Storage,
    first_contributions: FirstContributions,
    nothing: Nothing,
    statement: Statement,
) -> Iterator[StatementTemplate]:
    match statement.role:
        case Role.INPUT:
            variable = mapping.system.variable(statement.variable)
            if variable in storage.copied_in:
                yield _copy_in(variable, storage, statement)
        case Role.VALUE:
            yield from _values(mapping, nothing, statement)
        case Role.INIT:
            write = _write_identity(mapping, statement)
            yield StatementTemplate(
                name=statement.name,
                domain=statement.domain,
                comment=_beginning(statement),
                write=write,
                statement=statement,
            )
        case Role.BODY:
            yield from _contributions(mapping, first_contributions, nothing, statement)


def branches(
    domain: Domain, expression: Expression, facts: Facts, never: Callable[[Domain], bool] | None = None
) -> Iterator[tuple[Domain, Expression]]:
    """Yields the parts of the domain on which the expression is one branch of its outermost cases, except those that
    are proved to have no points.
    """
    bare = without_restricts(expression)
    if not isinstance(bare, Case):
        yield domain, expression
        return
    for branch in bare.branches:
        part = domain & facts.expression_domain[branch]
        if never is None or not never(part):
            yield from branches(part.simplify(), branch, facts, never)


def _target_text(statement: Statement) -> str:
    """Returns `M[i,j]`: the target of an operation of the statement."""
    inside = ",".join(str(o) for o in statement.target.outputs)
    return f"{statement.variable}[{inside}]"


def _no_branch(statement: Statement, nothing: Nothing) -> Callable[[Domain], bool]:
    """Returns a predicate: no operation of a statement is in a part of its branches, by proof."""
    return lambda part: nothing(f"{_target_text(statement)}: no operation is in a branch", part, statement.span)


def _values(mapping: ResolvedMapping, nothing: Nothing, statement: Statement) -> Iterator[StatementTemplate]:
    assert statement.equation is not None
    variable = mapping.system.variable(statement.variable)
    never = _no_branch(statement, nothing)
    parts = list(branches(statement.domain, statement.equation.expression, mapping.facts, never))
    for position, (domain, expression) in enumerate(parts):
        comment = line_of(_target_text(statement), "=", expression, domain.space.names)
        yield StatementTemplate(
            name=f"{statement.name} {position}",
            domain=domain,
            comment=comment,
            write=_write_value(variable, expression, statement),
            statement=statement,
            expression=expression,
        )


def _write_value(variable: Variable, expression: Expression, statement: Statement) -> Write:
    def write(lowering: ScheduledLowering, scope: CScope) -> tuple[c.Statement, ...]:
        lowered, point = lowering.value(expression, scope), lowering.image(statement.target, scope)
        target, about = lowering.cells.element(variable.name, point), c.ValueAnnotation(variable.name, point)
        return (*lowered.before, c.Assign(target, convert(lowered.value, variable.type).code, about=about))

    return write


# --- reductions mapped at their body ----------------------------------------------------------------------------------


def _has_init(mapping: ResolvedMapping, statement: Statement) -> bool:
    return any(s.role is Role.INIT and s.variable == statement.variable for s in mapping.statements)


def _write_identity(mapping: ResolvedMapping, statement: Statement) -> Write:
    variable = mapping.system.variable(statement.variable)
    operator = statement.reduction.operator

    def write(lowering: ScheduledLowering, scope: CScope) -> tuple[c.Statement, ...]:
        value = identity(operator, variable.type, lowering.externals)
        about = c.ValueAnnotation(variable.name, scope.values)
        return (c.Assign(lowering.cells.element(variable.name, scope.values), value.code, about=about),)

    return write


def _without_contributions(mapping: ResolvedMapping, statement: Statement) -> Iterator[StatementTemplate]:
    """Yields the results whose body is empty: without an init they have their value from the start."""
    if statement.role is not Role.BODY or _has_init(mapping, statement):
        return
    variable = mapping.system.variable(statement.variable)
    target = AffineFunction(statement.domain.space, statement.target.renamed(statement.domain.space.names).outputs)
    results = variable.domain.in_context(mapping.system.context)
    rest = results - statement.domain.image(target, variable.domain.space.names)
    text = f"{variable.name}, where {statement.reduction.operator} has nothing to combine"
    yield StatementTemplate(f"{variable.name} empty", rest.simplify(), text, _write_identity(mapping, statement))


def _contributions(
    mapping: ResolvedMapping, first_contributions: FirstContributions, nothing: Nothing, statement: Statement
) -> Iterator[StatementTemplate]:
    reduction, never = statement.reduction, _no_branch(statement, nothing)
    whole = statement.domain.in_context(mapping.system.context)
    parts: list[tuple[str, Domain, bool]] = [("", whole, False)]
    if statement.merged_at is None and not _has_init(mapping, statement):
        first = first_contributions.contributions(statement)
        parts = [("first", first, True), ("", (whole - first).simplify(), False)]
    for label, part, assigns in parts:
        for position, (domain, body) in enumerate(branches(part, reduction.body, mapping.facts, never)):
            sign = "=" if assigns else f"{reduction.operator}="
            comment = line_of(_target_text(statement), sign, body, domain.space.names)
            write = _write_contribution(mapping, statement, body, assigns)
            name = f"{statement.name} {label}{position}"
            yield StatementTemplate(
                name=name,
                domain=domain,
                comment=comment,
                write=write,
                statement=statement,
                expression=body,
                assigns=assigns,
            )


def start_of(mapping: ResolvedMapping, action: StatementTemplate) -> StatementTemplate:
    """Returns the initialisation of the result of a contribution to the neutral element."""
    statement = action.statement
    assert statement is not None
    variable, operator = mapping.system.variable(statement.variable), statement.reduction.operator

    def write(lowering: ScheduledLowering, scope: CScope) -> tuple[c.Statement, ...]:
        point = lowering.image(statement.target, scope)
        target, about = lowering.cells.collected(statement, point), c.ValueAnnotation(variable.name, point)
        return (c.Assign(target, identity(operator, variable.type, lowering.externals).code, about=about),)

    return StatementTemplate(
        name=f"{action.name} start",
        domain=action.domain,
        comment=_beginning(statement),
        write=write,
        statement=statement,
    )


def _beginning(statement: Statement) -> str:
    return f"{_target_text(statement)} = the identity of {statement.reduction.operator}"


def _write_contribution(mapping: ResolvedMapping, statement: Statement, body: Expression, assigns: bool) -> Write:
    variable = mapping.system.variable(statement.variable)
    operator = statement.reduction.operator

    def write(lowering: ScheduledLowering, scope: CScope) -> tuple[c.Statement, ...]:
        lowered = lowering.value(body, scope)
        point = lowering.image(statement.target, scope)
        target, about = (
            lowering.cells.collected(statement, point),
            c.ValueAnnotation(variable.name, point, scope.values),
        )
        if assigns:
            step = first_step(operator, variable.type, lowered.value, lowering.externals)
            return (*lowered.before, c.Assign(target, step.code, about=about))
        added = accumulate(operator, CValue(target, variable.type), lowered.value, lowering.externals)
        return (*lowered.before, replace(added, about=about))

    return write
