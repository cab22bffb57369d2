"""Aliases: copies v[z] = u[f(z)] where cell(v, z) = cell(u, f(z)), at every point of one branch, so that no operation
is needed.

Such a copy is dropped: a reader of v[z] then reads u[f(z)], and where that is such a copy too, its source. A branch is
the whole right-hand side if that is not a case. Real programs have such branches wherever they work in place: a row
that a step does not change, the border of a stencil. This module finds the aliases; `alphaz.legality` proves that they
are aliases (D). Source: verifier.md section 1.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from alphaz.analysis.facts.dependences import Dependence, dependences_of
from alphaz.analysis.texts.show import domain_shown
from alphaz.diagnostics import Diagnostic, Label
from alphaz.diagnostics.rules import ALIAS
from alphaz.mapping.cells import is_one_to_one, one_cell
from alphaz.mapping.statement import Cell
from alphaz.model.expression import Access, Case, Compose, Expression, Facts, Restrict
from alphaz.model.program import Equation, System
from alphaz.poly import Affine, AffineFunction, Domain, OutOfBudget
from alphaz.poly.algorithms.functional_relations import ends
from alphaz.proof.discharge import SMALL, with_growing_budget

Copied = tuple[str, AffineFunction]


@dataclass(frozen=True, slots=True, eq=False)
class Copy:
    """For every z in `domain`, `variable[z]` has the value of `source[function(z)]`, in the same cell.

    `reference` is the access in the program, for a single copy.
    """

    variable: str
    source: str
    function: AffineFunction
    domain: Domain
    reference: Access | None = None

    def stays_by_maps(self, here: Cell, there: Cell) -> bool:
        """Returns True if the maps of both variables, compared as text, give the copy the cell of its source."""
        own_outputs, other_outputs = (
            here.function.renamed(self.domain.space.names).outputs,
            self.function.then(there.function).outputs,
        )
        return (here.space, own_outputs, here.moduli) == (there.space, other_outputs, there.moduli)

    def __str__(self) -> str:
        """Returns `A[k,i,j] = A[k-1,i,j], where {k,i,j | ...}`."""
        left, right = ",".join(self.domain.space.names), ",".join(map(str, self.function.outputs))
        return f"{self.variable}[{left}] = {self.source}[{right}], where {self.domain}"


Copies = Mapping[str, tuple[Copy, ...]]


@dataclass(frozen=True, slots=True, eq=False)
class Aliases:
    """The dropped copies by variable: `steps` as in the program, `origins` followed to a value that is no copy.

    `whole` are the variables all of whose points are dropped.
    """

    steps: Copies = field(default_factory=dict)
    origins: Copies = field(default_factory=dict)
    whole_variables: frozenset[str] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.steps)

    @property
    def every(self) -> tuple[Copy, ...]:
        """Returns all dropped copies as in the program."""
        return tuple(copy for copies in self.steps.values() for copy in copies)

    def rest(self, variable: str, domain: Domain) -> Domain:
        """Returns the points of a domain of the variable that are computed."""
        steps = self.steps.get(variable, ())
        for copy in steps:
            domain = domain - copy.domain
        return domain.simplify() if steps else domain

    def drops(self, reference: Access) -> bool:
        """Returns True if the reference is the source of a dropped copy."""
        return any(copy.reference is reference for copy in self.every)

    def read(self, variable: str, function: AffineFunction, domain: Domain) -> Iterator[tuple[Domain, Copied]]:
        """Yields the values that `variable[function(e)]` reads for every e of the domain, part by part, with copies
        resolved.
        """
        yield from _through(self.origins, variable, function, domain)

    def origin(self, variable: str, point: Sequence[int], parameters: Mapping[str, int]) -> tuple[str, tuple[int, ...]]:
        """Returns the origin of one point by plain integers, copy by copy."""
        here = variable, tuple(point)
        while (before := self._copied(*here, parameters)) is not None:
            here = before
        return here

    def _copied(
        self, variable: str, point: tuple[int, ...], parameters: Mapping[str, int]
    ) -> tuple[str, tuple[int, ...]] | None:
        for copy in self.steps.get(variable, ()):
            values = {**parameters, **dict(zip(copy.domain.space.names, point, strict=True))}
            if copy.domain.contains(values):
                return copy.source, copy.function.at(values)
        return None


def aliases_of(system: System, facts: Facts, cells: Mapping[str, Cell]) -> Aliases:
    """Returns the branches that copy a value onto the cell that holds it.

    A copy that is not proved an alias within a small budget is kept. Of copies of variables in a circle one is kept;
    so are copies of a variable from itself that cannot be followed to their end.
    """
    idle: dict[str, tuple[Copy, ...]] = {}
    for equation in system.equations:
        if not isinstance(equation, Equation):
            continue
        for copy in _copies(equation, facts, cells):
            if not _leads_to(idle, copy.source, copy.variable) and _is_idle(system, copy, cells):
                idle[copy.variable] = (*idle.get(copy.variable, ()), copy)
    steps, origins = _split_copies(system, idle)
    domains = ((v.name, v.domain.in_context(system.context)) for v in system.variables)
    aliases = Aliases(steps, origins)
    whole = frozenset(name for name, domain in domains if name in steps and aliases.rest(name, domain).is_empty())
    return Aliases(steps, origins, whole)


def alias_notes(system: System, aliases: Aliases) -> tuple[Diagnostic, ...]:
    """Returns one note for each dropped copy."""
    notes = []
    domains = {variable.name: variable.domain for variable in system.variables}
    spans = {equation.variable: equation.span for equation in system.equations if isinstance(equation, Equation)}
    for name, copies in aliases.steps.items():
        for copy in copies:
            where, span = "", spans[name]
            if name not in aliases.whole_variables and copy.reference is not None:
                where, span = f" where {_domain_text(copy.domain.gist(domains[name]))}", copy.reference.span
            message = f"{name} copies {copy.source} onto the cell that holds it: nothing is executed for it{where}"
            notes.append(Diagnostic(ALIAS, message, Label(span)))
    return tuple(notes)


def _domain_text(domain: Domain) -> str:
    """Returns the domain as text; a parity constraint on one name is shortened."""
    text = domain_shown(domain)
    parity = re.fullmatch(r"\{[^|]*\| (\w+)%2==([01])\}", text)
    return text if parity is None else f"{parity[1]} is {('even', 'odd')[int(parity[2])]}"


def plain_access(expression: Expression, so_far: AffineFunction) -> Copied | None:
    """Returns the access that the whole expression copies, over the indices of the equation; None when it computes."""
    match expression:
        case Access():
            return expression.variable, so_far.then(expression.function)
        case Restrict():
            return plain_access(expression.body, so_far)
        case Case(branches=(only,)):
            return plain_access(only, so_far)
        case Compose():
            return plain_access(expression.body, so_far.then(expression.function))
    return None


# --- one copy -----------------------------------------------------------------------------------------------------


def _copies(equation: Equation, facts: Facts, cells: Mapping[str, Cell]) -> Iterator[Copy]:
    """Yields the branches that only copy and may stay in their cells. Most programs have none, and need no proof."""
    bare = tuple(access for access in bare_accesses(equation.expression) if _may_stay(equation, access, cells))
    if not bare:
        return
    for dependence in dependences_of(equation, facts):
        if any(dependence.reference is access for access in bare):
            yield _copy(equation, dependence)


def bare_accesses(expression: Expression) -> Iterator[Access]:
    """Yields the references that are whole branches."""
    left = [expression]
    while left:
        match left.pop():
            case Access() as access:
                yield access
            case Restrict(body=body) | Compose(body=body):
                left.append(body)
            case Case(branches=branches):
                left += reversed(branches)


def _copy(equation: Equation, read: Dependence) -> Copy:
    domain, function = read.domain.renamed(equation.indices), read.function.renamed(equation.indices)
    return Copy(
        variable=equation.variable, source=read.producer, function=function, domain=domain, reference=read.reference
    )


def _leads_to(copies: Copies, variable: str, goal: str) -> bool:
    """Returns True if a copy of `goal` from `variable` would close a circle (of more than `goal` itself)."""
    seen, waiting = {goal}, [variable] if variable != goal else []
    while waiting:
        here = waiting.pop()
        if here not in seen:
            seen.add(here)
            sources = {copy.source for copy in copies.get(here, ())} - {here}
            if goal in sources:
                return True
            waiting.extend(sources)
    return False


def _may_stay(equation: Equation, source: Access, cells: Mapping[str, Cell]) -> bool:
    """Returns True if both are in one space, whose variables have one type (`cells_of`), maybe in one cell."""
    here, there = cells[equation.variable], cells[source.variable]
    return here.space == there.space and not (here is there and is_one_to_one(here))


def _is_idle(system: System, copy: Copy, cells: Mapping[str, Cell]) -> bool:
    """Returns True if no point of the copy seems to move to another cell."""
    here, there = cells[copy.variable], cells[copy.source]
    if copy.stays_by_maps(here, there):
        return True
    space = copy.domain.space
    point = tuple(map(Affine.name, space.names))

    def moves() -> bool:
        same = one_cell(here, point, there, copy.function.outputs, space.parameters + space.names)
        return not copy.domain.in_context(system.context).is_subset(same.domain(space, surely=True))

    try:
        return not with_growing_budget(moves, SMALL)
    except OutOfBudget:
        return False


# --- copies of copies ---------------------------------------------------------------------------------------------


def _split_copies(system: System, idle: Copies) -> tuple[Copies, Copies]:
    """Returns the copies that are kept as copies, and each one followed to its origin, sources first."""
    steps: dict[str, tuple[Copy, ...]] = {}
    origins: dict[str, tuple[Copy, ...]] = {}
    waiting = list(idle)
    while waiting:
        ready = [n for n in waiting if not any(c.source in waiting and c.source != n for c in idle[n])]
        for name in ready:
            copies, followed = _of_variable(system, name, idle[name], origins)
            if copies:
                steps[name], origins[name] = copies, followed
        waiting = [n for n in waiting if n not in ready]
    return steps, origins


def _of_variable(
    system: System, name: str, copies: Sequence[Copy], origins: Copies
) -> tuple[tuple[Copy, ...], tuple[Copy, ...]]:
    """Follows copies of a variable from itself: such a copy leads out of its domain, possibly into that of another
    copy.
    """
    own = [c for c in copies if c.source == name]
    others = tuple(c for c in copies if c.source != name)
    away = tuple(_resolve_copies(others, origins))
    if not own:
        return others, away
    reached = ends(tuple((c.domain.in_context(system.context), c.function) for c in own))
    if reached is None:
        return others, away
    back = (Copy(name, name, function, domain) for domain, function in reached)
    return tuple(copies), (*away, *_resolve_copies(back, {name: away}))


def _resolve_copies(copies: Iterator[Copy] | Sequence[Copy], origins: Copies) -> Iterator[Copy]:
    for copy in copies:
        for domain, (source, function) in _through(origins, copy.source, copy.function, copy.domain):
            yield Copy(copy.variable, source, function, domain)


def _through(
    origins: Copies, variable: str, function: AffineFunction, domain: Domain
) -> Iterator[tuple[Domain, Copied]]:
    rest = domain
    for copy in origins.get(variable, ()):
        where = copy.domain.preimage(function)
        through = copy.source, function.then(copy.function)
        if rest.is_subset(where):
            yield rest, through
            return
        part = rest & where
        if not part.is_empty():
            yield part.simplify(), through
            rest = (rest - where).simplify()
    if rest is domain or not rest.is_empty():
        yield rest, (variable, function)
