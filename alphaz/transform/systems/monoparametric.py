"""Monoparametric tiling: every index and parameter is split into a block and an offset in it, by one parametric size.

    i = b ib + il,  0 <= il < b        N = b Nb + Nl,  0 <= Nl < b  (or Nl = 0)
An affine a(i,N) + c is b A + R with A = a(ib,Nb), R = a(il,Nl) + c, and floor(R/b) has few values k, for every b:
    a + c >= 0    is    A >= -kmin, or A == -k and R >= k b for one of the larger k
    V[a + c]      is    V[A+k, R-kb] where k b <= R < (k+1) b, for each k
so that programs stay affine. Source: G. Iooss, C. Alias, S. Rajopadhye, Monoparametric tiling of polyhedral programs
(IJPP 2021)."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import product

from alphaz.analysis.depth import deep
from alphaz.diagnostics import NOWHERE, Label, Span
from alphaz.mapping.design import Design
from alphaz.model.expression import Access, Binary, Case, Compose, Expression, Facts, IndexValue, Reduce, Restrict
from alphaz.model.program import Equation, System, UseEquation
from alphaz.model.walk import children, copy, rebuild, walk
from alphaz.poly import Affine, AffineFunction, Constraint, Domain, Space, at_least, equal, less
from alphaz.transform.engine.checked_rewrite import declared_domain, shortest_form, with_program, without_context
from alphaz.transform.engine.edit import all_roots, map_roots, with_system
from alphaz.transform.engine.push import drops_last, push_function
from alphaz.transform.engine.refusals import find_system, names_of, refusal, require_new
from alphaz.transform.normal.simplify import simplified

_SUFFIXES = (("b", "l"), ("_b", "_l"), ("_block", "_local"))


def monoparametric_tiling(
    design: Design, system: str, block: str, divides: bool = True, least: int = 1, span: Span = NOWHERE
) -> Design:
    """Tile all variables of a system with blocks of one parametric size.

    *Rewrites*: the parameters N into `Nb` (and `Nl`, unless the block size divides them all) and the size `block`,
    which is at least `least`; the indices i of every variable, inputs and outputs too, into `ib` and `il`, blocks
    first.

    *Checks*: the system calls no other system, is not called, has no loop, and its domains have no floors; the name of
    the size is free; the least size is positive. The mapping is dropped, with a warning."""
    home = find_system(design.program, system, span)
    _require_alone(design, home, span)
    require_new(design.program, home, block, span)
    if least < 1:
        raise refusal(f"a block has at least one point, not {least}", span, help="write a positive number, such as 1")
    with deep():
        plain = with_program(design, with_system(design.program, system, _plain(home)))
        work = _Tiling.of(plain, plain.system(system), block, divides, least)
        program = with_system(design.program, system, work.tiled(span))
        names = frozenset(v.name for v in home.variables)
        new_design = with_program(design, program, touched={system: names})
        return with_program(new_design, simplified(new_design.checked, system))


def _require_alone(design: Design, system: System, span: Span) -> None:
    for other in design.program.systems:
        for equation in other.equations:
            if isinstance(equation, UseEquation) and system.name in (other.name, equation.system):
                label = Label(equation.span, "this call")
                raise refusal(
                    f"{system.name} takes part in a call, whose interface would change",
                    span,
                    secondary=(label,),
                    help="InlineSubSystem puts the called system in",
                )
    if system.loop is not None:
        raise refusal(
            f"{system.name} has a loop",
            span,
            secondary=(Label(system.loop.span, "the loop"),),
            help="only systems without a loop can be tiled",
        )


# --- reductions along `(z,k -> z)`, and no functions before expressions ----------------------------------------------


def _plain(system: System) -> System:
    def change(root: Expression) -> Expression:
        return _without_functions(_projecting(root))

    return map_roots(system, change)


def _without_functions(node: Expression) -> Expression:
    if isinstance(node, Compose):
        return _without_functions(push_function(node.body, node.function, node.names))
    return rebuild(node, tuple(_without_functions(child) for child in children(node)))


def _projecting(node: Expression) -> Expression:
    """`reduce(op, p, e)` as `reduce(op, (z,x -> z), {p(x) == z}: e)`."""
    node = rebuild(node, tuple(_projecting(child) for child in children(node)))
    if not isinstance(node, Reduce) or drops_last(node.projection):
        return node
    inner = node.projection.domain
    used_names = {*inner.parameters, *inner.names}
    names: list[str] = []
    for position in range(len(node.projection.outputs)):
        name = f"z{position}"
        while name in used_names:
            name += "_"
        names.append(name)
    space = inner.with_names((*names, *inner.names))
    same = [equal(Affine.name(n), value) for n, value in zip(names, node.projection.outputs, strict=True)]
    there = AffineFunction(space, tuple(map(Affine.name, inner.names)))
    body = Restrict(Domain.where(space, same), push_function(node.body, there, inner.names), span=node.body.span)
    return replace(node, projection=AffineFunction(space, tuple(map(Affine.name, names))), body=body)


# --- tiling ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class _Tiling:
    """`context` has the new parameters. `suffixes` are appended to the names of blocks and of offsets."""

    system: System
    facts: Facts
    block: str
    divides: bool
    least: int
    suffixes: tuple[str, str]

    @staticmethod
    def of(design: Design, system: System, block: str, divides: bool, least: int) -> "_Tiling":
        names = {*system.parameters, *_index_names(system)}
        used_names = {*names_of(design.program, system), block} - set(system.parameters)
        for suffixes in _SUFFIXES:
            if not {name + suffix for name in names for suffix in suffixes} & used_names:
                return _Tiling(
                    system=system,
                    facts=design.checked.facts,
                    block=block,
                    divides=divides,
                    least=least,
                    suffixes=suffixes,
                )
        raise refusal(
            f"the names of {system.name} leave none for blocks",
            system.span,
            help="rename the variables or parameters whose names end in b or l",
        )

    def tiled(self, span: Span) -> System:
        context = self.domain(self.system.context, span)
        home = replace(self.system, context=context)
        variables = tuple(
            replace(v, domain=declared_domain(self.domain(v.domain, v.span), home)) for v in self.system.variables
        )
        equations = []
        for equation in self.system.equations:
            assert isinstance(equation, Equation)
            expression = self.expression(equation.expression, home)
            equations.append(replace(equation, indices=self.names(equation.indices), expression=expression))
        return replace(home, variables=variables, equations=tuple(equations))

    # --- names and affine expressions ---------------------------------------------------------------------------

    def names(self, names: tuple[str, ...]) -> tuple[str, ...]:
        """Returns the names of the blocks first, then those of the offsets."""
        first, second = self.suffixes
        return (*(n + first for n in names), *(n + second for n in names))

    @property
    def parameters(self) -> tuple[str, ...]:
        old = self.system.parameters
        return (*(self.names(old)[: len(old)] if self.divides else self.names(old)), self.block)

    def space(self, names: tuple[str, ...]) -> Space:
        return Space(self.parameters, self.names(names))

    def blocks(self, affine: Affine) -> Affine:
        return Affine.of((name + self.suffixes[0], c) for name, c in affine.terms)

    def places(self, affine: Affine) -> Affine:
        whole = self.system.parameters if self.divides else ()
        terms = ((name + self.suffixes[1], c) for name, c in affine.terms if name not in whole)
        return Affine.of(terms, affine.constant)

    def carries(self, places: Affine) -> range:
        """Returns the values of floor(places / b), for all offsets in blocks and all b from the least on."""
        down, up = (sum(abs(c) for _, c in places.terms if (c < 0) == negative) for negative in (True, False))
        low, high = places.constant + down, places.constant - up
        smallest = -down if low > 0 else -down + low // self.least
        largest = up - 1 if high < 0 else up + high // self.least
        return range(smallest, largest + 1)

    @property
    def size(self) -> Affine:
        return Affine.name(self.block)

    # --- domains ------------------------------------------------------------------------------------------------

    def domain(self, domain: Domain, span: Span) -> Domain:
        """Returns the points, each in its block; sizes and offsets are legal."""
        space = self.space(domain.space.names)
        points = Domain.empty(space)
        for piece in domain.pieces():
            if piece.floors:
                raise refusal(
                    f"{domain} has floors, which blocks of a parametric size cannot follow",
                    span,
                    help="write the domain with one more index instead of a remainder: `i==2k` for `i%2==0`",
                )
            part = Domain.universe(space)
            for constraint in piece.constraints:
                part &= Domain.where(space, *self._either(constraint))
            points |= part
        return (points & self._legal(space)).simplify()

    def _legal(self, space: Space) -> Domain:
        """0 <= offset < b for every offset, and b >= least."""
        places = list(space.names[len(space.names) // 2 :])
        if not self.divides:
            places += [n + self.suffixes[1] for n in self.system.parameters]
        inside = [at_least(Affine.name(n), 0) for n in places] + [less(Affine.name(n), self.size) for n in places]
        return Domain.where(space, [*inside, at_least(self.size, self.least)])

    def _either(self, constraint: Constraint) -> Iterator[list[Constraint]]:
        blocks, places = self.blocks(constraint.affine), self.places(constraint.affine)
        carries = self.carries(places)
        if constraint.equality:
            for k in carries:
                yield [equal(blocks, -k), equal(places, self.size * k)]
            return
        yield [at_least(blocks, -carries[0])]
        for k in carries[1:]:
            yield [equal(blocks, -k), at_least(places, self.size * k)]

    # --- expressions --------------------------------------------------------------------------------------------

    def expression(self, node: Expression, home: System) -> Expression:
        match node:
            case Access():
                return self._read(node, home)
            case IndexValue(affine):
                return self._value(node, affine)
            case Restrict(domain, body):
                limited = without_context(self.domain(domain, node.span), home)
                return replace(node, domain=limited, body=self.expression(body, home))
            case Reduce(_, projection, body):
                space = self.space(projection.domain.names)
                names = self.names(projection.domain.names[: len(projection.outputs)])
                function = AffineFunction(space, tuple(map(Affine.name, names)))
                return replace(node, projection=function, body=self.expression(body, home))
        inside = children(node)
        return rebuild(node, tuple(self.expression(child, home) for child in inside)) if inside else copy(node)

    def _value(self, node: IndexValue, affine: Affine) -> Expression:
        """b A + R, which is no longer affine."""
        blocks, places = self.blocks(affine), self.places(affine)
        size, rest = (IndexValue(a, span=node.span) for a in (self.size, places))
        whole = Binary("*", size, IndexValue(blocks, span=node.span), span=node.span)
        return Binary("+", whole, rest, span=node.span)

    def _read(self, read: Access, home: System) -> Expression:
        space = self.space(read.function.domain.names)
        needed = self.domain(self.facts.context_domain[read].renamed(read.function.domain.names), read.span)
        blocks = [self.blocks(a) for a in read.function.outputs]
        places = [self.places(a) for a in read.function.outputs]
        branches: list[tuple[Domain, Access]] = []
        for carried in product(*map(self.carries, places)):
            where = Domain.where(space, [c for k, a in zip(carried, places, strict=True) for c in self._carry(a, k)])
            if (where & needed).is_empty():
                continue
            outputs = (
                *(a + k for a, k in zip(blocks, carried, strict=True)),
                *(a - self.size * k for a, k in zip(places, carried, strict=True)),
            )
            branches.append((where, replace(read, function=AffineFunction(space, outputs))))
        if not branches:
            outputs = (*blocks, *places)
            return replace(read, function=AffineFunction(space, outputs))
        if len(branches) == 1:
            return branches[0][1]
        legal = self._legal(space)
        return Case(
            tuple(Restrict(shortest_form(where, legal), new, span=read.span) for where, new in branches), span=read.span
        )

    def _carry(self, places: Affine, k: int) -> Iterable[Constraint]:
        return at_least(places, self.size * k), less(places, self.size * (k + 1))


def _index_names(system: System) -> Iterator[str]:
    for variable in system.variables:
        yield from variable.domain.space.names
    for equation in system.equations:
        if isinstance(equation, Equation):
            yield from equation.indices
    for root in all_roots(system):
        for node in walk(root):
            if isinstance(node, Reduce):
                yield from node.projection.domain.names
