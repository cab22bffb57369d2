"""Use equations in scheduled C: a call of the other system's function, and the operations on the arrays of its
arguments.

An argument is passed in its own place, if it is in place and laid out as the called system expects it; else in an
array of its own. Arrays that outlive a call are kept in tables of pointers, an entry for each instance(e) of
`alphaz.mapping.use_equations`; an entry is NULL where the allocation failed.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from alphaz.c import tree as c
from alphaz.codegen.c.arrays import FlatArray, allocate, array_over, claim, failing, missing
from alphaz.codegen.c.expressions import STATUS, CScope, CValue, convert
from alphaz.codegen.c.integers import affine
from alphaz.codegen.c.names import Identifiers, identifier
from alphaz.codegen.c.nest import bind, loops_in_c, reached_instances, with_used
from alphaz.codegen.scheduled.memory.storage import Storage, StoragePlace
from alphaz.codegen.scheduled.statements.lowering import ScheduledLowering
from alphaz.codegen.scheduled.statements.statement_templates import StatementTemplate
from alphaz.loops.scanning import readable_scan
from alphaz.loops.tree import Instance, Scan
from alphaz.mapping.aliases import plain_access
from alphaz.mapping.cells import rank
from alphaz.mapping.loop_dimensions import TileSize
from alphaz.mapping.resolved_mapping import ResolvedMapping
from alphaz.mapping.statement import Statement
from alphaz.mapping.use_equations import Argument, Use
from alphaz.model.expression import Access, Expression
from alphaz.model.types import LONG
from alphaz.poly import Affine, AffineFunction, Domain, Space, fresh_names, instantiate
from alphaz.poly.algorithms.smallest import as_context
from alphaz.poly.plain.integer_expression import Integer, IntegerName, as_affine


def copies(
    mapping: ResolvedMapping, argument: Argument, array: FlatArray, lowering: ScheduledLowering, scope: CScope
) -> tuple[c.Statement, ...]:
    """Returns, for the call at `scope`, `array[x] = expression` for the x that are read, or `variable[e,x]
    = array[x]`.
    """
    outer, points, known = _points(mapping, argument, len(scope.values))
    own = points.space.names
    iterators = [lowering.new_name(identifier(n)) for n in own]
    tree = readable_scan([Scan("copy", points, tuple(map(Affine.name, own)))], known, iterators)
    values = {**lowering.parameters, **dict(zip(outer, scope.values, strict=True))}
    names = argument.domain.space.names
    moves: dict[Instance, tuple[c.Statement, ...]] = {}
    for call, arguments in reached_instances(tree, values):
        declared, inner = bind(own, arguments, lowering.new_name)
        here = CScope(names, (*scope.values, *inner.values))
        moves[call] = with_used(declared, _copy_element(mapping, argument, array.element(inner.values), lowering, here))
    return loops_in_c(tree, values, moves)


def _points(mapping: ResolvedMapping, argument: Argument, extra: int) -> tuple[tuple[str, ...], Domain, Domain]:
    """Returns the x of one call, with names for its e as further parameters, and the constraints on these."""
    space = argument.used_domain.space
    own = space.names[extra:]
    outer = fresh_names(extra, "outer", (*space.parameters, *space.names))
    inside = Space((*space.parameters, *outer), own)
    parameters = tuple(map(Affine.name, space.parameters))
    points = instantiate(argument.used_domain, inside, parameters, tuple(map(Affine.name, (*outer, *own))))
    calls = mapping.statement(argument.label).domain
    return outer, points, as_context(calls.in_context(mapping.system.context), outer)


def _copy_element(
    mapping: ResolvedMapping, argument: Argument, element: c.Expression, lowering: ScheduledLowering, here: CScope
) -> tuple[c.Statement, ...]:
    if argument.body is not None:
        lowered = lowering.value(argument.body, here)
        passed = convert(lowered.value, argument.callee_variable.type).code
        return (
            *lowered.before,
            c.Assign(element, passed, about=_passed_value(mapping, argument, argument.body, lowering, here)),
        )
    assert argument.variable is not None
    variable = mapping.system.variable(argument.variable)
    value = convert(CValue(element, argument.callee_variable.type), variable.type)
    about = c.ValueAnnotation(variable.name, here.values)
    return (c.Assign(lowering.cells.element(variable.name, here.values), value.code, about=about),)


def _passed_value(
    mapping: ResolvedMapping, argument: Argument, body: Expression, lowering: ScheduledLowering, here: CScope
) -> c.ValueAnnotation:
    """Returns the value that is passed: the callee's variable, unless it is read unchanged from a variable of the
    caller.
    """
    if isinstance(body, Access) and mapping.system.variable(body.variable).type == argument.callee_variable.type:
        return c.ValueAnnotation(body.variable, lowering.image(body.function, here))
    return c.ValueAnnotation(f"{argument.label}.{argument.callee_variable.name}", here.values)


NULL = c.Name("NULL")


@dataclass(frozen=True, slots=True)
class CallTable:
    """The arrays of an argument that outlive a call. `array` is the table itself, indexed by instances."""

    argument: Argument
    array: FlatArray

    @property
    def name(self) -> str:
        return self.array.name

    @property
    def parameter(self) -> c.Parameter:
        return c.Parameter(c.Pointer(c.Pointer(c.VOID), restrict=True), self.name)

    def declaration(self) -> c.Declare:
        size = c.SizeOf(c.Unary("*", c.Name(self.name)))
        made = allocate(self.array, c.Unary("&", STATUS), size, "allocate_zero")
        return c.Declare(c.Pointer(c.Pointer(c.VOID)), self.name, made)

    def release(self) -> c.Statement:
        arguments = (c.Name(self.name), c.Literal(str(self.array.rank)), self.array.extents_code)
        return c.Evaluate(c.Call("free_table", arguments))


def tables_of(mapping: ResolvedMapping, names: Identifiers, parameters: Mapping[str, Affine]) -> dict[str, CallTable]:
    """Returns the tables by the name of the argument."""
    tables: dict[str, CallTable] = {}
    for use in mapping.uses:
        extension = use.equation.extension.in_context(mapping.system.context)
        for argument in use.arguments:
            if argument.has_array:
                keys = fresh_names(len(argument.instance.outputs), "k", mapping.system.parameters)
                domain = extension.image(argument.instance, keys)
                name = names.new(identifier(argument.name.replace(".", "_")))
                array = array_over(name, LONG, domain, mapping.system.context, parameters)
                tables[argument.name] = CallTable(argument, array)
    return tables


def call_actions(
    mapping: ResolvedMapping,
    storage: Storage,
    tables: Mapping[str, CallTable],
    sizes: Mapping[str, Sequence[TileSize]],
) -> Iterator[StatementTemplate]:
    """Yields the calls, and their further operations with dates. `sizes`: tile sizes for called systems."""
    for use in mapping.uses:
        writer = _Writer(
            mapping=mapping, storage=storage, tables=tables, use=use, sizes=tuple(sizes.get(use.callee.name, ()))
        )
        statement = mapping.statement(use.label)
        yield StatementTemplate(
            name=use.label, domain=statement.domain, comment=writer.comment(), write=writer.call, statement=statement
        )
        for argument in use.arguments:
            yield from writer.actions(argument)


@dataclass(frozen=True, slots=True, eq=False)
class _Passed:
    """An argument at one call: its array as the callee sees it, and the expression that is passed for it.

    `owned`: the call makes and releases the array; `entry`: the entry of a table that has it.
    """

    argument: Argument
    array: FlatArray
    pointer: c.Expression
    owned: bool = False
    entry: c.Expression | None = None
    releases: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class _Writer:
    """Writes the operations of one use equation."""

    mapping: ResolvedMapping
    storage: Storage
    tables: Mapping[str, CallTable]
    use: Use
    sizes: tuple[TileSize, ...]

    def comment(self) -> str:
        outputs = ", ".join(self.use.equation.outputs)
        parameters = ", ".join(map(str, self.use.equation.parameters))
        return f"{outputs} = {self.use.callee.name}[{parameters}](...)"

    # --- operations with dates of their own -----------------------------------------------------------------------

    def actions(self, argument: Argument) -> Iterator[StatementTemplate]:
        if argument.allocation is not None:
            yield self._allocation(argument, self.mapping.statement(argument.allocation))
        if argument.copy is not None:
            yield self._copy(argument, self.mapping.statement(argument.copy))
        if argument.free is not None:
            yield self._free(argument, self.mapping.statement(argument.free))

    def _allocation(self, argument: Argument, statement: Statement) -> StatementTemplate:
        """Returns one allocation for each array: for each call, or for each date where calls share an array."""
        shared = not argument.instance.is_identity
        if shared:
            statement = _at_dates(statement)
        own = tuple(map(Affine.name, statement.domain.space.names))

        def write(lowering: ScheduledLowering, scope: CScope) -> tuple[c.Statement, ...]:
            array = self._array(argument, lowering, scope)
            entry = self.tables[argument.name].array.element(scope.values if shared else self._key(argument, scope))
            failed = lowering.new_name("failed")
            made = c.Assign(entry, claim(array, failed))
            return _block(array.constants, (c.Declare(c.INT, failed, c.ZERO), made, _failing(failed)))

        text = f"the array of {_argument_text(argument)}"
        return StatementTemplate(
            name=statement.name,
            domain=statement.domain,
            comment=text,
            write=write,
            statement=statement,
            tie=_tie(statement, own),
        )

    def _copy(self, argument: Argument, statement: Statement) -> StatementTemplate:
        def write(lowering: ScheduledLowering, scope: CScope) -> tuple[c.Statement, ...]:
            passed = self._pass(argument, lowering, scope, argument.is_output)
            loops = self._moved(passed, lowering, scope)
            return _block(passed.array.constants, (*self._made(passed, lowering), *_if_there(passed, loops)))

        text = (
            f"{_argument_text(argument)}, into its array"
            if not argument.is_output
            else f"{_argument_text(argument)}, from its array"
        )
        return StatementTemplate(
            name=statement.name, domain=statement.domain, comment=text, write=write, statement=statement
        )

    def _free(self, argument: Argument, statement: Statement) -> StatementTemplate:
        shared = not argument.instance.is_identity
        keys: tuple[Affine, ...] = tuple(map(Affine.name, statement.domain.space.names))
        if shared:
            both = AffineFunction(
                statement.domain.space, (*argument.instance.renamed(statement.domain.space.names).outputs,
                                         *statement.date.outputs))  # fmt: skip
            count = len(argument.instance.outputs)
            names = fresh_names(len(both.outputs), "k", self.mapping.system.parameters)
            domain = statement.domain.image(both, names)
            date = AffineFunction(domain.space, tuple(map(Affine.name, names[count:])))
            identity = AffineFunction.identity(domain.space)
            statement = replace(statement, domain=domain, target=identity, date=date)
            keys = tuple(map(Affine.name, names[:count]))

        def write(lowering: ScheduledLowering, scope: CScope) -> tuple[c.Statement, ...]:
            key = scope.values[: len(keys)] if shared else self._key(argument, scope)
            entry = self.tables[argument.name].array.element(key)
            return c.Evaluate(c.Call("free", (entry,))), c.Assign(entry, NULL)

        text = f"the array of {_argument_text(argument)}, no more"
        return StatementTemplate(
            name=statement.name,
            domain=statement.domain,
            comment=text,
            write=write,
            statement=statement,
            tie=_tie(statement, keys),
        )

    # --- the call ---------------------------------------------------------------------------------------------------

    def call(self, lowering: ScheduledLowering, scope: CScope) -> tuple[c.Statement, ...]:
        """Returns the whole operation, including the parts that have no date of their own."""
        passed = [self._pass(a, lowering, scope, not a.is_output or a.copy is None) for a in self.use.arguments]
        failed = lowering.new_name("failed")
        body: list[c.Statement] = [c.Declare(c.INT, failed, c.ZERO)]
        for argument in passed:
            body += self._made(argument, lowering, failed)
        tests = [c.Binary("==", c.Name(failed), c.ZERO)]
        tests += [c.Binary("!=", p.pointer, NULL) for p in passed if p.entry is not None]
        inside = self._copied([p for p in passed if not p.argument.is_output], lowering, scope)
        outside = self._copied([p for p in passed if p.argument.is_output], lowering, scope)
        numbers = [self._parameter(q, scope) for q in self.use.equation.parameters]
        name = f"{identifier(self.use.callee.name)}_status"
        sizes = (c.Literal(str(size.default)) for size in self.sizes)
        run = c.Call(name, (*map(affine, numbers), *sizes, *(p.pointer for p in passed)))
        about = c.ValueAnnotation(self.use.label, scope.values, is_call=True)
        inside.append(c.Assign(c.Name(failed), run, about=about))
        if outside:
            inside.append(c.If(c.Binary("==", c.Name(failed), c.ZERO), tuple(outside)))
        test: c.Expression = tests[0]
        for more in tests[1:]:
            test = c.Binary("&&", test, more)
        may_lack = any(p.owned or p.entry is not None for p in passed)
        body += [c.If(test, tuple(inside))] if may_lack else inside
        for argument in reversed(passed):
            if argument.owned:
                body.append(c.Evaluate(c.Call("free", (argument.pointer,))))
            elif argument.releases and argument.entry is not None:
                body += [c.Evaluate(c.Call("free", (argument.entry,))), c.Assign(argument.entry, NULL)]
        body.append(_failing(failed))
        return _block([d for p in passed for d in p.array.constants], body)

    def _copied(self, passed: Sequence[_Passed], lowering: ScheduledLowering, scope: CScope) -> list[c.Statement]:
        """Returns the copies that have no dates."""
        own = [p for p in passed if p.owned or (p.entry is not None and p.argument.copy is None)]
        return [s for p in own for s in self._moved(p, lowering, scope)]

    # --- arguments --------------------------------------------------------------------------------------------------

    def _pass(self, argument: Argument, lowering: ScheduledLowering, scope: CScope, is_last: bool) -> _Passed:
        """Returns the argument as passed. `is_last`: this operation is the last one that uses the array."""
        array = self._array(argument, lowering, scope)
        place = self._place_of(argument, array, scope) if argument.in_place else None
        if place is not None:
            return _Passed(argument, array, place)
        table = self.tables.get(argument.name)
        if table is None:
            return _Passed(argument, array, c.Name(array.name), owned=True)
        without = argument.allocation is None
        entry = table.array.element(self._key(argument, scope))
        ends = is_last and without and argument.free is None
        return _Passed(
            argument=argument, array=array, pointer=c.Name(array.name), owned=False, entry=entry, releases=ends
        )

    def _made(self, passed: _Passed, lowering: ScheduledLowering, failed: str | None = None) -> Iterator[c.Statement]:
        """Yields the declaration of the pointer to the array; the array is made here if no other operation makes it."""
        argument, array = passed.argument, passed.array
        if not passed.owned and passed.entry is None:
            return
        type_ = c.Pointer(c.scalar(array.type), const=True)
        if passed.owned:
            assert failed is not None
            yield c.Declare(type_, array.name, claim(array, failed))
            return
        assert passed.entry is not None
        in_call = failed is not None
        if argument.allocation is None and argument.is_output == in_call:
            mine = failed or lowering.new_name("failed")
            if failed is None:
                yield c.Declare(c.INT, mine, c.ZERO)
            yield c.Assign(passed.entry, claim(array, mine))
            if failed is None:
                yield _failing(mine)
        yield c.Declare(type_, array.name, passed.entry)

    def _array(self, argument: Argument, lowering: ScheduledLowering, scope: CScope) -> FlatArray:
        """Returns the variable of the callee at this call."""
        callee = self.use.callee
        values = [self._parameter(q, scope) for q in self.use.equation.parameters]
        names = dict(zip(callee.parameters, values, strict=True))
        name = lowering.new_name(identifier(argument.callee_variable.name))
        return array_over(name, argument.callee_variable.type, argument.callee_variable.domain, callee.context, names)

    def _parameter(self, value: Affine, scope: CScope) -> Affine:
        return value.substitute({**self._parameters, **dict(zip(scope.names, scope.values, strict=True))})

    @property
    def _parameters(self) -> dict[str, Affine]:
        return {p: Affine.name(identifier(p)) for p in self.mapping.system.parameters}

    def _key(self, argument: Argument, scope: CScope) -> list[Affine]:
        values = {**self._parameters, **dict(zip(argument.instance.domain.names, scope.values, strict=True))}
        return [output.substitute(values) for output in argument.instance.outputs]

    def _moved(self, passed: _Passed, lowering: ScheduledLowering, scope: CScope) -> tuple[c.Statement, ...]:
        return copies(self.mapping, passed.argument, passed.array, lowering, scope)

    # --- in place ---------------------------------------------------------------------------------------------------

    def _place_of(self, argument: Argument, array: FlatArray, scope: CScope) -> c.Expression | None:
        """Returns the address of the first element, where the cells lie as the callee expects them; else None."""
        assert argument.variable is not None
        space = argument.domain.space
        function = AffineFunction.identity(space)
        if argument.body is not None:
            access = plain_access(argument.body, function)
            assert access is not None
            function = access[1]
        place = self.storage.places[argument.variable]
        extra = len(scope.values)
        if not _is_laid_out(place, array, function, extra):
            return None
        own = dict(zip(space.names[:extra], scope.values, strict=True))
        corner = {n: _as_affine(low) for n, low in zip(space.names[extra:], array.lower, strict=True)}
        values = {**self._parameters, **own, **corner}
        element = place.element([o.substitute(values) for o in function.outputs], self._parameters)
        return element.operand if isinstance(element, c.Unary) else c.Unary("&", element)


def _is_laid_out(place: StoragePlace, array: FlatArray, function: AffineFunction, extra: int) -> bool:
    """Returns True if the last dimensions of the place are those of the array, one for one, with equal extents."""
    if place.array.layout is not None:
        return False
    names = function.domain.names[extra:]
    outputs = function.outputs
    if place.cell is not None:
        outputs = function.then(place.cell.function).outputs
        if any(modulus for modulus, _ in place.folds):
            return False
    lead = len(outputs) - len(names)
    if lead < 0 or any(set(o.names) & set(names) for o in outputs[:lead]):
        return False
    for output, name in zip(outputs[lead:], names, strict=True):
        if output.coefficient(name) != 1 or len(set(output.names) & set(names)) != 1:
            return False
    return all(
        _same(mine, theirs) for mine, theirs in zip(place.array.extents[lead + 1 :], array.extents[1:], strict=True)
    )


def _same(left: Integer, right: Integer) -> bool:
    return left == right or (as_affine(left) is not None and as_affine(left) == as_affine(right))


def _as_affine(value: Integer) -> Affine:
    converted = as_affine(value)
    if converted is not None:
        return converted
    assert isinstance(value, IntegerName)
    return Affine.name(value.name)


def _tie(statement: Statement, keys: tuple[Affine, ...]) -> tuple[Affine, ...]:
    """Returns the expressions that order the operations of one date; none where they have dates of their own."""
    return () if rank(statement.date) == statement.domain.space.dimensions else keys


def _at_dates(statement: Statement) -> Statement:
    """Returns a statement with the dates themselves as operations."""
    names = fresh_names(len(statement.date.outputs), "k", statement.domain.space.parameters)
    domain = statement.domain.image(statement.date, names)
    identity = AffineFunction.identity(domain.space)
    return replace(statement, domain=domain, target=identity, date=identity)


def _failing(failed: str) -> c.Statement:
    return c.If(missing(failed), (failing(failed),))


def _if_there(passed: _Passed, loops: tuple[c.Statement, ...]) -> Iterator[c.Statement]:
    yield c.If(c.Binary("!=", passed.pointer, NULL), loops)
    if passed.releases:
        assert passed.entry is not None
        yield c.Evaluate(c.Call("free", (passed.entry,)))
        yield c.Assign(passed.entry, NULL)


def _block(constants: Sequence[c.Declare], body: Sequence[c.Statement]) -> tuple[c.Statement, ...]:
    used = c.names_used(list(body))
    return (c.Block((*(d for d in constants if d.name in used), *body)),)


def _argument_text(argument: Argument) -> str:
    side = "output" if argument.is_output else "input"
    return f"{side} {argument.callee_variable.name} of {argument.label}"
