"""From equations to the graph of their values: cases opened, operations named, sums seen."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from alphaz.analysis.checks.checked import Checked
from alphaz.c_reading.tree import Literal
from alphaz.model.expression import (
    Access,
    Binary,
    Constant,
    Expression,
    IndexValue,
    Nary,
    Reduce,
)
from alphaz.model.program import Equation, System
from alphaz.model.types import INT, ScalarType, common_type
from alphaz.poly import Affine, AffineFunction, Domain, equal
from alphaz.verify.c.branches import Plain, branches, moved
from alphaz.verify.c.equations import (
    DISTRIBUTIVITY,
    Apply,
    Definition,
    Item,
    Position,
    Ref,
    Region,
    Sum,
    Term,
    Unsupported,
    Value,
    constant_key,
)
from alphaz.verify.c.operators import (
    COMPARISONS,
    DISTRIBUTES,
    IDENTITIES,
    combining,
    is_exact,
    literal,
    negative,
    operator_of,
    signs_of,
    type_of,
)


@dataclass(slots=True, eq=False)
class _Graph:
    checked: Checked
    system: System
    laws: frozenset[str]
    changed: Callable[[Value], Value]
    values: dict[str, Value] = field(default_factory=dict)
    count: int = 0

    def keep(self, value: Value) -> None:
        self.values[value.key] = self.changed(value)

    def literals(self) -> list[Literal]:
        terms = [d.term for value in self.values.values() for d in value.definitions if d.term is not None]
        terms += [i.term for value in self.values.values() for d in value.definitions if d.sum for i in d.sum.items]
        found = {constant_key(each): each for term in terms for each in _literals(term)}
        return list(found.values())

    def sub(self, name: str) -> str:
        self.count += 1
        return f"{name}.{self.count}"


def graph_of(
    checked: Checked,
    system: System,
    laws: frozenset[str] = frozenset(),
    changed: Callable[[Value], Value] = lambda value: value,
    numbers: Sequence[Literal] = (),
) -> dict[str, Value]:
    """All values of a system by key, and `numbers` that need not be in it; where they are `changed`, others see them
    so. Raises Unsupported."""
    graph = _Graph(checked, system, laws, changed)
    for variable in system.inputs:
        indices = variable.domain.space.names
        graph.values[variable.name] = Value(
            key=variable.name,
            indices=indices,
            domain=variable.domain.in_context(system.context),
            type=variable.type,
            definitions=(),
        )
    for equation in system.equations:
        if not isinstance(equation, Equation):
            raise Unsupported("the system calls another one")
    if system.loop is not None:
        raise Unsupported("the system has a while loop")
    for equation in _in_order(system):
        _define(graph, equation)
    for each in (*graph.literals(), *numbers):
        key = constant_key(each)
        graph.values[key] = Value(
            key=key,
            indices=(),
            domain=_anywhere(system),
            type=each.type,
            definitions=(Definition(Region.of(_anywhere(system)), each),),
        )
    return graph.values


def _anywhere(system: System) -> Domain:
    return Domain.universe(system.context.space).in_context(system.context)


def _in_order(system: System) -> Iterator[Equation]:
    """Reductions first, so that sums can be seen through."""
    equations = [each for each in system.equations if isinstance(each, Equation)]
    yield from (each for each in equations if isinstance(each.expression, Reduce))
    yield from (each for each in equations if not isinstance(each.expression, Reduce))


def _define(graph: _Graph, equation: Equation) -> None:
    variable = graph.system.variable(equation.variable)
    domain = variable.domain.renamed(equation.indices).in_context(graph.system.context)
    found = []
    for where, node in branches(equation.expression, domain, graph.checked.facts):
        made = _Making(graph, equation.variable, where)
        found.append(made.root(node, variable.type))
    graph.keep(
        Value(key=variable.name, indices=equation.indices, domain=domain, type=variable.type, definitions=tuple(found))
    )


@dataclass(slots=True, eq=False)
class _Making:
    """Makes the values of one branch. `where` is over the indices of what they are values of."""

    graph: _Graph
    name: str
    where: Domain

    @property
    def identity(self) -> tuple[Affine, ...]:
        return tuple(map(Affine.name, self.where.space.names))

    def root(self, plain: Plain, wanted: ScalarType) -> Definition:
        region = Region.of(self.where)
        operator = self._family(plain)
        sum_ = self._sum(plain, operator) if operator is not None else None
        if isinstance(plain.at.node, Reduce):
            return Definition(region, None, sum_)
        term = self.term(plain, is_root=True)
        type_ = type_of(term, self.graph.values)
        if type_ is not None and type_ != wanted and not is_exact(term, wanted):
            raise Unsupported(f"the value of `{self.name}` is converted from {type_} to {wanted}")
        return Definition(region, term, sum_)

    def term(self, plain: Plain, *, is_root: bool = False) -> Term:
        node = plain.at.node
        match node:
            case Constant():
                return literal(node.value)
            case IndexValue():
                affine = plain.at.affine(node.affine)
                return Literal(Fraction(affine.constant), INT) if affine.is_constant else Position(affine)
            case Access():
                return Ref(node.variable, tuple(map(plain.at.affine, node.function.outputs)))
            case Reduce():
                return self._named(self._of_reduction(plain), self._type(node))
        operator, turned = operator_of(node)
        operands = tuple(self.term(each) for each in plain.children)
        if isinstance(node, Nary) and len(operands) > 2:
            return self._chain(plain, operator, operands, is_root)
        type_ = self._operand_type(plain, node)
        if operator == "neg" and (opposite := negative(operands[0])) is not None:
            return opposite
        found = Apply(operator, operands[::-1] if turned else operands, type_)
        if is_root:
            return found
        family = self._family(plain)
        sum_ = self._sum(plain, family) if family is not None else None
        return self._named(Definition(Region.of(self.where), found, sum_), type_)

    def _chain(self, plain: Plain, operator: str, operands: Sequence[Term], is_root: bool) -> Term:
        """More than two operands: from the left."""
        type_ = self._operand_type(plain, plain.at.node)
        term = operands[0]
        for at, each in enumerate(operands[1:], 1):
            term = Apply(operator, (term, each), type_)
            if at < len(operands) - 1:
                term = self._named(Definition(Region.of(self.where), term), type_)
        if is_root:
            return term
        family = self._family(plain)
        sum_ = self._sum(plain, family) if family is not None else None
        return self._named(Definition(Region.of(self.where), term, sum_), type_)

    def _named(self, definition: Definition, type_: ScalarType) -> Ref:
        """A value of those indices alone that its operation depends on: C may compute it once for all others."""
        key = self.graph.sub(self.name)
        names, domain = self.where.space.names, self.where
        if definition.term is not None and definition.sum is None:
            used = {*_names_in(definition.term)}
            if not used >= {*names}:
                names = tuple(name for name in names if name in used)
                domain = self.where.onto(names).simplify()
                definition = Definition(Region.of(domain), definition.term)
        self.graph.keep(Value(key=key, indices=names, domain=domain, type=type_, definitions=(definition,)))
        return Ref(key, tuple(map(Affine.name, names)))

    def _of_reduction(self, plain: Plain) -> Definition:
        assert isinstance(plain.at.node, Reduce)
        return Definition(Region.of(self.where), None, self._sum(plain, plain.at.node.operator))

    def _type(self, node: Expression) -> ScalarType:
        return self.graph.checked.facts.types[node]

    def _operand_type(self, plain: Plain, node: Expression) -> ScalarType:
        """Of a comparison, in what type it compares; of anything else, its own."""
        if isinstance(node, Binary) and node.operator in COMPARISONS:
            return common_type(self._type(node.left), self._type(node.right))
        return self._type(node)

    # --- sums ---------------------------------------------------------------------------------------------------------

    def _family(self, plain: Plain) -> str | None:
        """The operator of the sum that stands here, if a reduction is among what is combined."""
        node = plain.at.node
        if isinstance(node, Reduce):
            return node.operator if node.operator in IDENTITIES else None
        operator = combining(node)
        if operator is not None and any(self._has_reduction(each, operator) for each in plain.children):
            return operator
        return next((each for each in DISTRIBUTES if self._scaled(plain, each) is not None), None)

    def _has_reduction(self, plain: Plain, operator: str) -> bool:
        node = plain.at.node
        if self._scaled(plain, operator) is not None:
            return True
        if isinstance(node, Reduce):
            return node.operator == operator
        if isinstance(node, Access):
            return self._seen(node.variable, operator) is not None
        return combining(node) == operator and any(self._has_reduction(each, operator) for each in plain.children)

    def _seen(self, variable: str, operator: str) -> tuple[Definition, ...] | None:
        """The definitions of a variable that is a reduction and nothing else."""
        value = self.graph.values.get(variable)
        if value is None or value.is_input or variable == self.name:
            return None
        is_sum = all(d.term is None and d.sum is not None and d.sum.operator == operator for d in value.definitions)
        return value.definitions if is_sum else None

    def _sum(self, plain: Plain, operator: str) -> Sum | None:
        items: list[Item] = []
        for sign, each in self._combined(plain, operator, 1):
            items += self._items(each, operator, sign)
        return Sum(operator, tuple(items))

    def _combined(self, plain: Plain, operator: str, sign: int) -> Iterator[tuple[int, Plain]]:
        node = plain.at.node
        if combining(node) == operator and not isinstance(node, Reduce):
            signs = signs_of(node)
            for child, own in zip(plain.children, signs or (1,) * len(plain.children), strict=True):
                yield from self._combined(child, operator, sign * own)
        else:
            yield sign, plain

    def _items(self, plain: Plain, operator: str, sign: int) -> Iterator[Item]:
        node = plain.at.node
        if isinstance(node, Reduce) and node.operator == operator:
            yield from self._body_items(plain, node, sign)
            return
        if (product := self._scaled(plain, operator)) is not None:
            yield from self._scaled_items(*product, sign)
            return
        seen = self._seen(node.variable, operator) if isinstance(node, Access) else None
        if seen is None or not isinstance(node, Access):
            if isinstance(node, Reduce):
                term: Term = self._named(self._of_reduction(plain), self._type(node))
            else:
                term = self.term(plain)
            yield Item(
                sign=sign,
                names=self.where.space.names,
                region=Region.of(self.where),
                projection=self.identity,
                term=term,
            )
            return
        point = tuple(map(plain.at.affine, node.function.outputs))
        for definition in seen:
            assert definition.sum is not None
            for item in definition.sum.items:
                yield self._through(item, point, sign)

    def _through(self, item: Item, point: Sequence[Affine], sign: int) -> Item:
        """An item of another sum, as one of this: for each of our points, those of the point that we read."""
        own = self.where.space
        renaming = {name: f"{name}'" for name in item.names}
        names = (*own.names, *renaming.values())
        space = own.with_names(names)
        meets = [equal(p.rename(renaming), q) for p, q in zip(item.projection, point, strict=True)]
        region = self.where.embedded(space) & item.region.domain.renamed(tuple(renaming.values())).embedded(space)
        region = region & Domain.where(space, meets)
        return Item(
            sign=sign * item.sign,
            names=names,
            region=Region.of(region),
            projection=self.identity,
            term=renamed(item.term, renaming),
        )

    def _scaled(self, plain: Plain, operator: str) -> tuple[Plain, Plain, bool] | None:
        """`c * reduce(+, ..)`, or `c + reduce(min, ..)`, where distributivity is allowed: c, the reduction, and whether
        c stands left."""
        node = plain.at.node
        if DISTRIBUTIVITY not in self.graph.laws or not isinstance(node, Binary | Nary):
            return None
        if node.operator != DISTRIBUTES.get(operator) or len(plain.children) != 2:
            return None
        for factor, other, is_left in ((*plain.children, True), (*plain.children[::-1], False)):
            if isinstance(other.at.node, Reduce) and other.at.node.operator == operator and not other.at.values:
                return factor, other, is_left
        return None

    def _scaled_items(self, factor: Plain, plain: Plain, is_left: bool, sign: int) -> Iterator[Item]:
        """The same as `reduce(+, c * ..)`, or `reduce(min, c + ..)`: c is known at each point of the body."""
        node = plain.at.node
        assert isinstance(node, Reduce)
        shifted = moved(factor, dict(zip(self.where.space.names, node.projection.outputs, strict=True)))
        for body, made, term in self._bodies(plain, node):
            outer = made.term(shifted)
            product = Apply(DISTRIBUTES[node.operator], (outer, term) if is_left else (term, outer), self._type(node))
            named = made._named(Definition(Region.of(made.where), product), self._type(node))
            yield body.item(sign, named)

    def _body_items(self, plain: Plain, node: Reduce, sign: int) -> Iterator[Item]:
        for body, _, term in self._bodies(plain, node):
            yield body.item(sign, term)

    def _bodies(self, plain: Plain, node: Reduce) -> "Iterator[tuple[_Body, _Making, Term]]":
        """The parts of what a reduction combines, over names of their own; terms are over the names of the text."""
        body = node.projection.domain.names
        if plain.at.values:
            raise Unsupported("a reduction inside a composition")
        renaming = {name: f"{name}'" for name in body}
        names = tuple(renaming.values())
        space = self.where.space.with_names(names)
        projection = tuple(each.rename(renaming) for each in node.projection.outputs)
        for where, inside in plain.bodies:
            region = where.renamed(names) & self.where.preimage(AffineFunction(space, projection))
            if region.is_empty():
                continue
            made = _Making(self.graph, self.name, where & self.where.preimage(node.projection))
            for sign, each in made._combined(inside, node.operator, 1):
                yield (
                    _Body(sign=sign, names=names, region=Region.of(region), projection=projection, renaming=renaming),
                    made,
                    made.term(each),
                )


@dataclass(frozen=True, slots=True, eq=False)
class _Body:
    sign: int
    names: tuple[str, ...]
    region: Region
    projection: tuple[Affine, ...]
    renaming: Mapping[str, str]

    def item(self, sign: int, term: Term) -> Item:
        return Item(
            sign=sign * self.sign,
            names=self.names,
            region=self.region,
            projection=self.projection,
            term=renamed(term, self.renaming),
        )


def _literals(term: Term) -> Iterator[Literal]:
    if isinstance(term, Literal):
        yield term
    elif isinstance(term, Apply):
        for each in term.operands:
            yield from _literals(each)


def _names_in(term: Term) -> Iterator[str]:
    match term:
        case Ref(point=point):
            for each in point:
                yield from each.names
        case Position(affine):
            yield from affine.names
        case Apply(operands=operands):
            for operand in operands:
                yield from _names_in(operand)


def renamed(term: Term, names: Mapping[str, str]) -> Term:
    match term:
        case Ref(key, point):
            return Ref(key, tuple(each.rename(names) for each in point))
        case Position(affine):
            return Position(affine.rename(names))
        case Apply(operator, operands, type_):
            return Apply(operator, tuple(renamed(each, names) for each in operands), type_)
    return term
