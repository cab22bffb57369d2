"""Construction of the value graph from equations: cases are split, operations named, sums detected."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from alphaz.analysis.checks.checked_program import Checked
from alphaz.equivalence.case_branches import Plain, branches, substitute_indices
from alphaz.equivalence.operators import (
    COMPARISONS,
    DISTRIBUTES,
    LOGICAL,
    combining,
    identity_key,
    identity_term,
    is_identity_of,
    is_quotient,
    literal,
    negative,
    operator_of,
    signs_of,
    summing,
)
from alphaz.equivalence.value_graph import (
    DISTRIBUTIVITY,
    RECIPROCAL,
    Apply,
    EquationValue,
    Item,
    Position,
    ReductionValue,
    Ref,
    Term,
    Unsupported,
    ValueDefinition,
    ValueRegion,
    affine_of,
    constant_key,
    literals_in,
    names_in,
    rename_indices,
)
from alphaz.equivalence.value_graph import NEUTRAL as NEUTRAL_LAW
from alphaz.equivalence.value_numbering import is_conversion, is_position
from alphaz.model.expression import (
    Access,
    Binary,
    Call,
    Constant,
    Expression,
    If,
    IndexValue,
    Nary,
    Reduce,
    Unary,
)
from alphaz.model.program import Equation, External, System
from alphaz.model.types import BOOL, INT, ScalarType, common_type
from alphaz.model.walk import children
from alphaz.poly import Affine, AffineFunction, Constraint, Domain, equal
from alphaz.scop.conversions import (
    LATTICE,
    NEUTRAL,
    OF_INDICES,
    RING,
    conversion,
    fold_affine,
    holds,
    is_modular,
    literal_as,
)
from alphaz.scop.value_tree import LiteralValue


@dataclass(slots=True, eq=False)
class _Graph:
    checked: Checked
    system: System
    laws: frozenset[str]
    changed: Callable[[EquationValue], EquationValue]
    is_exact: bool = False
    values: dict[str, EquationValue] = field(default_factory=dict)
    count: int = 0

    @property
    def externals(self) -> Mapping[str, External]:
        return {external.name: external for external in self.checked.program.externals}

    @property
    def has_reciprocals(self) -> bool:
        return RECIPROCAL in self.laws and not self.is_exact

    def keep(self, value: EquationValue) -> None:
        self.values[value.key] = self.changed(value)

    def literals(self) -> list[LiteralValue]:
        terms = [d.term for value in self.values.values() for d in value.definitions if d.term is not None]
        terms += [i.term for value in self.values.values() for d in value.definitions if d.sum for i in d.sum.items]
        literals_ = {constant_key(literal_): literal_ for term in terms for literal_ in literals_in(term)}
        return list(literals_.values())

    def sub(self, name: str) -> str:
        self.count += 1
        return f"{name}.{self.count}"


def graph_of(
    checked: Checked,
    system: System,
    laws: frozenset[str] = frozenset(),
    changed: Callable[[EquationValue], EquationValue] = lambda value: value,
    numbers: Sequence[LiteralValue] = (),
    is_exact: bool = False,
    has_identities: bool = False,
) -> dict[str, EquationValue]:
    """Returns all values of a system by key, and constants in `numbers` even if the system lacks them; other values
    refer to `changed` ones in their new form. `is_exact`: sums are reductions alone, in order. `has_identities`: the
    neutral elements of all reductions are values too. Raises Unsupported."""
    graph = _Graph(checked=checked, system=system, laws=laws, changed=changed, is_exact=is_exact)
    for variable in system.inputs:
        indices = variable.domain.space.names
        graph.values[variable.name] = EquationValue(
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
    for literal_ in (*graph.literals(), *numbers):
        key = constant_key(literal_)
        graph.values[key] = EquationValue(
            key=key,
            indices=(),
            domain=_anywhere(system),
            type=literal_.type,
            definitions=(ValueDefinition(ValueRegion.of(_anywhere(system)), literal_),),
        )
    reduced = {(d.sum.operator, value.type) for value in graph.values.values() for d in value.definitions if d.sum}
    for operator, type_ in reduced if has_identities else ():
        if (own_key := identity_key(operator, type_)) is not None and own_key not in graph.values:
            region = ValueRegion.of(_anywhere(system))
            graph.values[own_key] = EquationValue(
                key=own_key,
                indices=(),
                domain=_anywhere(system),
                type=type_,
                definitions=(ValueDefinition(region, identity_term(operator, type_)),),
            )
    return graph.values


def _anywhere(system: System) -> Domain:
    return Domain.universe(system.context.space).in_context(system.context)


def _in_order(system: System) -> Iterator[Equation]:
    """Yields reductions first, so that sums of sums can be flattened."""
    equations = [equation for equation in system.equations if isinstance(equation, Equation)]
    yield from (equation for equation in equations if isinstance(equation.expression, Reduce))
    yield from (equation for equation in equations if not isinstance(equation.expression, Reduce))


def _define(graph: _Graph, equation: Equation) -> None:
    variable = graph.system.variable(equation.variable)
    domain = variable.domain.renamed(equation.indices).in_context(graph.system.context)
    definitions = []
    for where, node in _parts(graph, branches(equation.expression, domain, graph.checked.facts)):
        making = _Making(graph, equation.variable, where)
        definitions.append(making.root(node, variable.type))
    graph.keep(
        EquationValue(
            key=variable.name,
            indices=equation.indices,
            domain=domain,
            type=variable.type,
            definitions=tuple(definitions),
        )
    )


def _parts(graph: _Graph, parts: list[tuple[Domain, Plain]]) -> Iterator[tuple[Domain, Plain]]:
    """Yields the branches; with the law `neutral`, in parts where an index is the neutral element of its operation."""
    for where, plain in parts:
        inside = [where]
        for neutral in _neutral_indices(plain) if NEUTRAL_LAW in graph.laws else ():
            there = Domain.where(where.space, [neutral])
            inside = [part for one in inside for part in (one & there, one - there) if not part.is_empty()]
        yield from ((part, plain) for part in inside)


def _constant(number: int) -> Affine:
    return Affine.of(constant=number)


def _neutral_indices(plain: Plain) -> Iterator[Constraint]:
    """Yields the conditions that an index in a sum is 0, or one in a product 1."""
    node = plain.at.node
    if isinstance(node, Binary | Nary) and len(plain.children) == 2 and (operator := operator_of(node)[0]) in "+*":
        for child in plain.children:
            if isinstance(child.at.node, IndexValue):
                affine = child.at.affine(child.at.node.affine)
                yield from () if affine.is_constant else (equal(affine, _constant(NEUTRAL[operator])),)
    for child in plain.children:
        yield from _neutral_indices(child)


@dataclass(slots=True, eq=False)
class _Making:
    """Builds the values of one branch. `where` is over the indices of the value."""

    graph: _Graph
    name: str
    where: Domain

    @property
    def identity(self) -> tuple[Affine, ...]:
        return tuple(map(Affine.name, self.where.space.names))

    def root(self, plain: Plain, target_type: ScalarType) -> ValueDefinition:
        region = ValueRegion.of(self.where)
        if isinstance(plain.at.node, Reduce):
            return ValueDefinition(region, None, self._summed(plain, target_type))
        term = self.term(plain, target_type, is_root=True)
        is_sum = isinstance(term, Apply) and not is_conversion(term)
        return ValueDefinition(region, term, self._summed(plain, target_type) if is_sum else None)

    def term(self, plain: Plain, target_type: ScalarType | None = None, *, is_root: bool = False) -> Term:
        """Returns the value, converted to the type `target_type` if there is one, as `scop.conversions` does."""
        node = plain.at.node
        own = self._type(node)
        if (
            target_type is None
            or holds(target_type, own)
            or (isinstance(node, IndexValue) and target_type.name in OF_INDICES)
        ):
            return self._plain_term(plain, own, is_root)
        is_narrowed = is_modular(target_type, own) or (target_type.is_float and own.is_float)
        if is_narrowed and self._is_determined_by_operands(plain, target_type):
            return self._plain_term(plain, target_type, is_root)
        term = self._plain_term(plain, own, False)
        if isinstance(term, LiteralValue) and (same := literal_as(term, target_type)) is not None:
            return same
        if target_type == BOOL:
            converted_term = Apply("!=", (term, LiteralValue(Fraction(0), INT)), common_type(own, INT))
        else:
            converted_term = Apply(conversion(target_type), (term,), target_type)
        return (
            converted_term
            if is_root
            else self._named(ValueDefinition(ValueRegion.of(self.where), converted_term), target_type)
        )

    def _is_determined_by_operands(self, plain: Plain, target_type: ScalarType) -> bool:
        """Returns True if converting the operands is the same as converting the value, as C would do it."""
        node = plain.at.node
        if isinstance(node, If) and target_type.is_float:
            return all(self._is_held(child, target_type) for child in plain.children[1:])
        if isinstance(node, If):
            return any(isinstance(child.at.node, IndexValue) for child in plain.children[1:])
        if not isinstance(node, Unary | Binary | Nary) or is_position(plain, self.graph.checked.facts):
            return False
        operator, _ = operator_of(node)
        return (operator in RING and not target_type.is_float) or (
            operator in LATTICE and all(self._is_held(child, target_type) for child in plain.children)
        )

    def _is_held(self, plain: Plain, target_type: ScalarType) -> bool:
        node = plain.at.node
        if isinstance(node, Constant):
            return literal_as(literal(node.value), target_type) == replace(literal(node.value), type=target_type)
        return holds(target_type, self._type(node))

    def _plain_term(self, plain: Plain, type_: ScalarType, is_root: bool) -> Term:
        """Returns the value, computed in a type: that of the expression, or one of sufficient precision."""
        node = plain.at.node
        match node:
            case Constant():
                return literal(node.value)
            case IndexValue():
                affine = self._constant_if_neutral(plain.at.affine(node.affine))
                return LiteralValue(Fraction(affine.constant), INT) if affine.is_constant else Position(affine)
            case Access():
                return Ref(node.variable, tuple(map(plain.at.affine, node.function.outputs)))
            case Reduce():
                return self._named(self._of_reduction(plain), type_)
        return self._applied(plain, type_, is_root)

    def _constant_if_neutral(self, affine: Affine) -> Affine:
        """Returns 0 or 1 for an index that always is, with the law `neutral`."""
        for constant in map(_constant, (0, 1) if NEUTRAL_LAW in self.graph.laws else ()):
            if self.where.is_subset(Domain.where(self.where.space, [equal(affine, constant)])):
                return constant
        return affine

    def _applied(self, plain: Plain, type_: ScalarType, is_root: bool) -> Term:
        """Returns an operator on values, unless the result is a constant, an index or one of the values."""
        node = plain.at.node
        operator, _ = operator_of(node)
        operands = tuple(
            self.term(operand, to) for operand, to in zip(plain.children, self._operand_types(node, type_), strict=True)
        )
        if operator == "neg" and (opposite := negative(operands[0])) is not None:
            return opposite
        computed = self._compared(node) or type_
        if (value := fold_affine(operator, list(map(affine_of, operands)), computed)) is not None:
            literal_ = LiteralValue(Fraction(value.constant), computed)
            return (literal_as(literal_, computed) or literal_) if value.is_constant else Position(value)
        for position, operand in enumerate(operands[::-1]) if operator in NEUTRAL and len(operands) == 2 else ():
            if isinstance(operand, LiteralValue) and operand.value == NEUTRAL[operator]:
                return self.term(plain.children[position], type_, is_root=is_root)
        return self._operation(plain, operands, type_, is_root)

    def _operation(self, plain: Plain, operands: tuple[Term, ...], type_: ScalarType, is_root: bool) -> Term:
        node = plain.at.node
        operator, turned = operator_of(node)
        computed = self._compared(node) or type_
        if operator == "!=" and all(self._type(child) == BOOL for child in children(node)):
            operator, computed = "xor", BOOL
        if isinstance(node, Nary) and len(operands) > 2:
            return self._chain(plain, operator, operands, computed, is_root)
        if operator == "/" and self.graph.has_reciprocals and is_quotient(operands[0], computed):
            inverse = Apply(operator, (LiteralValue(Fraction(1), computed), operands[1]), computed)
            named = self._named(ValueDefinition(ValueRegion.of(self.where), inverse), computed)
            operator, operands = "*", (operands[0], named)
        if operator == "if":
            operator, operands = self._as_extreme(operands, type_)
        operation = Apply(operator, operands[::-1] if turned else operands, computed)
        if operator == "nand":
            inside = self._named(ValueDefinition(ValueRegion.of(self.where), replace(operation, operator="and")), BOOL)
            operation = Apply("not", (inside,), BOOL)
        if is_root:
            return operation
        return self._named(ValueDefinition(ValueRegion.of(self.where), operation, self._summed(plain, type_)), type_)

    def _as_extreme(self, operands: tuple[Term, ...], type_: ScalarType) -> tuple[str, tuple[Term, ...]]:
        """Returns a choice as operator and operands: of a minimum or maximum, if it is one for `scop.conversions`."""
        condition, *branches = operands
        then, otherwise = (_literally(branch, type_) for branch in branches)
        definitions = self.graph.values[condition.key].definitions if isinstance(condition, Ref) else ()
        for definition in definitions:
            match definition.term:
                case Apply("<" | "<=", (left, right), of) if of == type_ or (of.is_float and type_.is_float):
                    sides = (_literally(left, type_), _literally(right, type_))
                    if sides in ((then, otherwise), (otherwise, then)):
                        return ("min", sides) if sides == (then, otherwise) else ("max", sides[::-1])
        return "if", operands

    def _operand_types(self, node: Expression, type_: ScalarType) -> Sequence[ScalarType | None]:
        """Returns the types that operands are converted to, if that may change them."""
        match node:
            case If():
                return BOOL, type_, type_
            case Call(function):
                return self.graph.externals[function].arguments
            case Unary() | Binary() | Nary() if node.operator in LOGICAL:
                return (BOOL,) * len(children(node))
        computed = self._compared(node) or type_
        return (computed if computed.kind == "int" else None,) * len(children(node))

    def _compared(self, node: Expression) -> ScalarType | None:
        """Returns the type in which a comparison compares; None for other nodes."""
        if isinstance(node, Binary) and node.operator in COMPARISONS:
            return common_type(self._type(node.left), self._type(node.right))
        return None

    def _summed(self, plain: Plain, type_: ScalarType) -> ReductionValue | None:
        """Returns the sum in this type, if the expression is one."""
        family = self._family(plain, type_)
        return None if family is None else self._sum(plain, family, type_)

    def _chain(self, plain: Plain, operator: str, operands: Sequence[Term], type_: ScalarType, is_root: bool) -> Term:
        """Returns more than two operands combined from the left."""
        term = operands[0]
        for position, operand in enumerate(operands[1:], 1):
            term = Apply(operator, (term, operand), type_)
            if position < len(operands) - 1:
                term = self._named(ValueDefinition(ValueRegion.of(self.where), term), type_)
        if is_root:
            return term
        return self._named(ValueDefinition(ValueRegion.of(self.where), term, self._summed(plain, type_)), type_)

    def _named(self, definition: ValueDefinition, type_: ScalarType) -> Ref:
        """Returns a value over only those indices on which the operation depends: C may compute it once for all
        others."""
        key = self.graph.sub(self.name)
        names, domain = self.where.space.names, self.where
        if definition.term is not None and definition.sum is None:
            used = {*names_in(definition.term)}
            if not used >= {*names}:
                names = tuple(name for name in names if name in used)
                domain = self.where.onto(names).simplify()
                definition = ValueDefinition(ValueRegion.of(domain), definition.term)
        self.graph.keep(EquationValue(key=key, indices=names, domain=domain, type=type_, definitions=(definition,)))
        return Ref(key, tuple(map(Affine.name, names)))

    def _of_reduction(self, plain: Plain) -> ValueDefinition:
        assert isinstance(plain.at.node, Reduce)
        return ValueDefinition(ValueRegion.of(self.where), None, self._summed(plain, self._type(plain.at.node)))

    def _type(self, node: Expression) -> ScalarType:
        return self.graph.checked.facts.types[node]

    # --- sums ---------------------------------------------------------------------------------------------------------

    def _family(self, plain: Plain, type_: ScalarType) -> str | None:
        """Returns the operator of the sum here, if it has a reduction among its terms."""
        node = plain.at.node
        if isinstance(node, Reduce):
            return summing(node, type_, self.graph.externals)
        if self.graph.is_exact:
            return None
        operator = combining(node)
        if operator is not None and any(self._has_reduction(child, operator, type_) for child in plain.children):
            return operator
        return next((operator_ for operator_ in DISTRIBUTES if self._scaled(plain, operator_, type_) is not None), None)

    def _has_reduction(self, plain: Plain, operator: str, type_: ScalarType) -> bool:
        node = plain.at.node
        if self._scaled(plain, operator, type_) is not None:
            return True
        if isinstance(node, Reduce):
            return self._is_reduction(node, operator, type_)
        if isinstance(node, Access):
            return self._seen(node.variable, operator, type_) is not None
        return self._is_combined(node, operator, type_) and any(
            self._has_reduction(child, operator, type_) for child in plain.children
        )

    def _is_reduction(self, node: Reduce, operator: str, type_: ScalarType) -> bool:
        """Returns True if the terms of the reduction are terms of a surrounding sum of this type."""
        own = self._type(node)
        return summing(node, own, self.graph.externals) == operator and _joins(operator, own, type_)

    def _is_combined(self, node: Expression, operator: str, type_: ScalarType) -> bool:
        """Returns True if the terms of the node are terms of a surrounding sum of this type."""
        is_one = combining(node) == operator and not isinstance(node, Reduce)
        return is_one and _joins(operator, self._type(node), type_)

    def _seen(self, variable: str, operator: str, type_: ScalarType) -> tuple[ValueDefinition, ...] | None:
        """Returns the definitions of a variable that is a reduction and nothing else."""
        value = self.graph.values.get(variable)
        if value is None or value.is_input or variable == self.name or value.type != type_:
            return None
        is_sum = all(d.term is None and d.sum is not None and d.sum.operator == operator for d in value.definitions)
        return value.definitions if is_sum else None

    def _sum(self, plain: Plain, operator: str, type_: ScalarType) -> ReductionValue | None:
        items: list[Item] = []
        for sign, part in self._combined(plain, operator, type_, 1):
            items += self._items(part, operator, type_, sign)
        some = [item for item in items if not _is_nothing(item.term, operator, type_)]
        return ReductionValue(operator, tuple(some or items), self.graph.is_exact)

    def _combined(self, plain: Plain, operator: str, type_: ScalarType, sign: int) -> Iterator[tuple[int, Plain]]:
        node = plain.at.node
        if self._is_combined(node, operator, type_) and not self.graph.is_exact:
            signs = signs_of(node)
            for child, own in zip(plain.children, signs or (1,) * len(plain.children), strict=True):
                yield from self._combined(child, operator, type_, sign * own)
        else:
            yield sign, plain

    def _items(self, plain: Plain, operator: str, type_: ScalarType, sign: int) -> Iterator[Item]:
        node = plain.at.node
        if isinstance(node, Reduce) and self._is_reduction(node, operator, type_):
            yield from self._body_items(plain, node, type_, sign)
            return
        if (product := self._scaled(plain, operator, type_)) is not None:
            yield from self._scaled_items(*product, sign)
            return
        reduction_seen = self._seen(node.variable, operator, type_) if isinstance(node, Access) else None
        if reduction_seen is None or not isinstance(node, Access):
            yield Item(
                sign=sign,
                names=self.where.space.names,
                region=ValueRegion.of(self.where),
                projection=self.identity,
                term=self._contribution(plain, operator, type_),
            )
            return
        point = tuple(map(plain.at.affine, node.function.outputs))
        for definition in reduction_seen:
            assert definition.sum is not None
            for item in definition.sum.items:
                yield self._through(item, point, sign)

    def _contribution(self, plain: Plain, operator: str, type_: ScalarType) -> Term:
        """Returns a term in a type: converted before the addition, except for floats, which are added in the larger
        type."""
        own = self._type(plain.at.node)
        if operator not in ("+", "*") or not type_.is_float:
            return self.term(plain, type_)
        if common_type(own, type_) != type_:
            raise Unsupported(f"terms of type {own} are added in type {type_}")
        return self.term(plain)

    def _through(self, item: Item, point: Sequence[Affine], sign: int) -> Item:
        """Returns an item of another sum as one of this sum: for each of its points, those of the point that is
        read."""
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
            region=ValueRegion.of(region),
            projection=self.identity,
            term=rename_indices(item.term, renaming),
        )

    def _scaled(self, plain: Plain, operator: str, type_: ScalarType) -> tuple[Plain, Plain, bool] | None:
        """Returns the parts of `c * reduce(+, ..)`, or `c + reduce(min, ..)`, if distributivity is allowed and
        everything is in one type: c, the reduction, and whether c is on the left."""
        node = plain.at.node
        if DISTRIBUTIVITY not in self.graph.laws or not isinstance(node, Binary | Nary):
            return None
        if node.operator != DISTRIBUTES.get(operator) or len(plain.children) != 2:
            return None
        for factor, other, is_left in ((*plain.children, True), (*plain.children[::-1], False)):
            if isinstance(other.at.node, Reduce) and other.at.node.operator == operator and not other.at.values:
                is_one = self._type(node) == self._type(other.at.node) == type_
                return (factor, other, is_left) if is_one else None
        return None

    def _scaled_items(self, factor: Plain, plain: Plain, is_left: bool, sign: int) -> Iterator[Item]:
        """Yields the items of `reduce(+, c * ..)`, or `reduce(min, c + ..)`: c is known at each point of the body."""
        node = plain.at.node
        assert isinstance(node, Reduce)
        shifted = substitute_indices(factor, dict(zip(self.where.space.names, node.projection.outputs, strict=True)))
        for body, making, term in self._bodies(plain, node, self._type(node)):
            outer = making.term(shifted)
            product = Apply(DISTRIBUTES[node.operator], (outer, term) if is_left else (term, outer), self._type(node))
            named = making._named(ValueDefinition(ValueRegion.of(making.where), product), self._type(node))
            yield body.item(sign, named)

    def _body_items(self, plain: Plain, node: Reduce, type_: ScalarType, sign: int) -> Iterator[Item]:
        for body, _, term in self._bodies(plain, node, type_):
            yield body.item(sign, term)

    def _bodies(self, plain: Plain, node: Reduce, type_: ScalarType) -> "Iterator[tuple[_Body, _Making, Term]]":
        """Yields the parts of a reduction's body in a type, over new names; terms are over the names of the text."""
        body = node.projection.domain.names
        if plain.at.values:
            raise Unsupported("a reduction inside a composition")
        renaming = {name: f"{name}'" for name in body}
        names = tuple(renaming.values())
        space = self.where.space.with_names(names)
        projection = tuple(output.rename(renaming) for output in node.projection.outputs)
        for where, inside in plain.bodies:
            region = where.renamed(names) & self.where.preimage(AffineFunction(space, projection))
            if region.is_empty():
                continue
            making = _Making(self.graph, self.name, where & self.where.preimage(node.projection))
            operator = summing(node, type_, self.graph.externals) or node.operator
            for sign, part in making._combined(inside, operator, type_, 1):
                yield (
                    _Body(
                        sign=sign, names=names, region=ValueRegion.of(region), projection=projection, renaming=renaming
                    ),
                    making,
                    making._contribution(part, node.operator, type_),
                )


@dataclass(frozen=True, slots=True, eq=False)
class _Body:
    sign: int
    names: tuple[str, ...]
    region: ValueRegion
    projection: tuple[Affine, ...]
    renaming: Mapping[str, str]

    def item(self, sign: int, term: Term) -> Item:
        return Item(
            sign=sign * self.sign,
            names=self.names,
            region=self.region,
            projection=self.projection,
            term=rename_indices(term, self.renaming),
        )


def _literally(term: Term, type_: ScalarType) -> Term:
    """Returns a constant in another type, if that can represent it; other terms unchanged."""
    return (literal_as(term, type_) or term) if isinstance(term, LiteralValue) else term


def _is_nothing(term: Term, operator: str, type_: ScalarType) -> bool:
    """Returns True if the term is neutral in the sum."""
    return isinstance(term, LiteralValue) and is_identity_of(operator, term, type_)


def _joins(operator: str, own: ScalarType, type_: ScalarType) -> bool:
    """Returns True if a sum in one type may be flattened into a sum of another type, as far as the types decide it."""
    return own == type_ or (operator in RING and is_modular(type_, own))
