"""Assignments: the accesses and values of a statement, collected with the loops and conditions around it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from alphaz.c import tree as c
from alphaz.diagnostics import Span
from alphaz.model.types import ScalarType
from alphaz.poly import Affine, Constraint, Domain, Space
from alphaz.poly.plain.polynomial import Polynomial
from alphaz.scop.cells import access, element, view
from alphaz.scop.conversions import converted, plain, type_of
from alphaz.scop.data_expressions import tree
from alphaz.scop.index_expressions import condition, quotient
from alphaz.scop.index_values import Condition, affine, constant, leaves, number, polynomial_of
from alphaz.scop.kernel import (
    Annotation,
    Collected,
    Dividend,
    KernelArray,
    KernelLoop,
    KernelStatement,
    Limit,
    LoopKind,
    Write,
)
from alphaz.scop.parallel_region import Team, collected_reductions, is_merge
from alphaz.scop.reader_state import ConditionalValue, Existentials, ReaderState
from alphaz.scop.scope import Context, NamedInteger, PointerView
from alphaz.scop.shapes import check_size, part
from alphaz.scop.statement_reads import StatementReads
from alphaz.scop.unsupported import outside
from alphaz.scop.value_tree import LiteralValue, OperationValue, ReadValue, Tree, reads_in
from alphaz.scop.vector_calls import is_lanewise, loads

_ZERO = Fraction(0)
_MOST_STATEMENTS = 2000
# Not a C identifier.
_ANY_LANE = "lane'"


class AssignmentReader:
    """Collects arrays and statements, in the order of the text."""

    def __init__(self, words: ReaderState, context: Domain) -> None:
        self.words, self.context = words, context
        self.arrays: dict[str, KernelArray] = {}
        self.statements: list[KernelStatement] = []
        # The region, and the single thread within it.
        self.allocated: dict[str, tuple[bool, bool]] = {}
        self.released: set[str] = set()
        self.contents: dict[str, KernelArray] = {}
        self.sealed: set[str] = set()
        self.per_thread: set[str] = set()
        self.team: Team | None = None
        self.collected: list[Collected] = []

    def local(
        self, name: str, type_: ScalarType, extents: Sequence[Polynomial | None], nest: Context, span: Span,
        limit: Limit | None = None, alignment: int = 1, is_vector: bool = False,
    ) -> PointerView:  # fmt: skip
        """Declares a local array or scalar: a new object each time its declaration is reached."""
        array = KernelArray(
            name=self.array_name(name),
            type=type_,
            extents=tuple(extents),
            span=span,
            prefix=nest.iterators,
            limit=limit,
            alignment=alignment,
            is_vector=is_vector,
        )
        self.arrays[array.name] = array
        return PointerView(array, tuple(extents))

    def array_name(self, name: str) -> str:
        count, candidate = 1, name
        while candidate in self.arrays:
            count += 1
            candidate = f"{name}.{count}"
        return candidate

    def called_before(self, value: c.Expression, nest: Context) -> Context:
        """Reads the statements that must precede a value; returns the context of the value after them."""
        raise NotImplementedError

    def assign(
        self, pointer: PointerView, value: c.Expression, nest: Context, span: Span,
        chosen_values: dict[int, bool] | None = None,
    ) -> None:  # fmt: skip
        """Reads `pointer = value`: one statement, or one for each case of an affine choice."""
        # Obligations compare the value of a statement with equations, so the value has no cases.
        reading = StatementReads(
            self.words, nest, Existentials(chosen=chosen_values or {}, depth=nest.depth), chosen_values or {}
        )
        try:
            value_tree = tree(reading, value)
        except ConditionalValue as choice:
            for at, is_wanted in enumerate((True, False)):
                asides = Existentials()
                where = condition(self.words, nest, choice.test, asides, is_wanted)
                chosen_ = {**(chosen_values or {}), id(choice.node): is_wanted}
                self.assign(pointer, value, asides.added(nest).where(where).at(at), span, chosen_)
            return
        stored = converted(value_tree, pointer.array.type)
        if stored is None:
            raise outside(
                span,
                f"a value of type {type_of(value_tree)} is assigned to {pointer.array.type}: "
                "the conversion may change it",
            )
        self.emit(pointer, plain(stored), reading, reading.asides.added(nest), span)

    def assign_lanes(self, pointer: PointerView, value: c.Expression, nest: Context, span: Span) -> None:
        """Reads a vector assignment lane by lane: all lanes are read before any is written."""
        lanes = number(pointer.extents[0]) if len(pointer.extents) == 1 and pointer.extents[0] is not None else None
        if lanes is None:
            self.assign(pointer, value, nest, span)
            return
        if not self._meets_itself(pointer, value, nest, lanes):
            self._by_lanes(pointer, value, nest, span, lanes)
            return
        name = self.words.fresh("vector")
        between = self.local(name, pointer.array.type, pointer.extents, nest, span, is_vector=True)
        self._by_lanes(between, value, nest.at(0), span, lanes)
        self._by_lanes(pointer, c.Name(name, at=value.at), nest.at(1).knowing({name: between}), span, lanes)

    def _meets_itself(self, pointer: PointerView, value: c.Expression, nest: Context, lanes: int) -> bool:
        """Returns True if a lane may read a cell that another lane writes."""
        functions, words = self.words.functions, self.words
        is_same = is_lanewise(functions, value)
        if is_same and not loads(functions, value):
            return False
        results, divided = dict(words.results), len(words.divided)
        try:
            for at in (polynomial_of(_ANY_LANE),) if is_same else map(constant, range(lanes)):
                reading = StatementReads(words, replace(nest, lane=(at, lanes)), Existentials(depth=nest.depth))
                tree(reading, value)
                own = element(pointer, at)
                if any(
                    other_pointer.array is pointer.array and other_pointer != own
                    for other_pointer, _ in reading.pointers
                ):
                    return True
                words.results.update(results)
        except ConditionalValue:
            return True
        finally:
            words.results.update(results)
            del words.divided[divided:]
        return False

    def _by_lanes(self, pointer: PointerView, value: c.Expression, nest: Context, span: Span, lanes: int) -> None:
        """Adds the lanes as an unordered loop if they are computed alike; else one statement for each lane, in
        order."""
        if self.words.is_across or not is_lanewise(self.words.functions, value):
            results = dict(self.words.results)
            for at in range(lanes):
                self.words.results.update(results)
                inside = replace(nest.at(at), lane=(constant(at), lanes))
                self.assign(element(pointer, constant(at)), value, inside, span)
            return
        name = self.words.fresh("lane")
        within = ((Constraint(Affine.name(name)), Constraint(Affine(constant=lanes - 1) - Affine.name(name))),)
        loop = KernelLoop(name, 1, LoopKind.SIMD, span)
        nest = replace(
            nest, iterators=(*nest.iterators, name), conditions=(*nest.conditions, within), date=(*nest.date, loop),
            lane=(polynomial_of(name), lanes),
        )  # fmt: skip
        self.assign(element(pointer, polynomial_of(name)), value, nest, span)

    def emit(self, pointer: PointerView, value: Tree, reading: StatementReads, nest: Context, span: Span) -> None:
        is_every = nest.region and not nest.working
        if is_every and not self._is_of_each_thread(pointer, value, reading, nest):
            raise outside(
                span,
                f"unprotected update of `{pointer.array.label}` inside `omp parallel`: every thread executes it",
                "use `omp critical`, `omp atomic`, `omp single`, or `omp for`",
            )
        if nest.working and any(p.array.name in self.per_thread for p in (pointer, *(r for r, _ in reading.pointers))):
            raise outside(
                span, "thread-private data is supported only in `omp for` loops, not in `omp single` or `omp sections`"
            )
        if pointer.array.is_constant or pointer.array.name in self.sealed:
            raise outside(span, f"assignment to constant `{pointer.array.label}`")
        domain, asides = self._domain(nest), Existentials()
        target = access(self.words, span, pointer, domain, asides)
        reads = reading.accesses(domain, asides)
        annotation = self._annotation(nest, span, asides)
        if asides.iterators:
            nest = asides.added(nest)
            domain = self._domain(nest)
        for cell in (target, *reads):
            if cell.array.name in self.released:
                raise outside(span, f"`{cell.array.label}` is used after it was released")
        write = Write(nest.mutex, self._reductions(pointer, value, reading, nest, span))
        # Conditions with cases split one set into many pieces, and obligations are about pairs of pieces.
        domain = domain.simplify()
        if domain.piece_count == 0:
            return
        self._append(
            KernelStatement(
                name="",
                iterators=nest.iterators,
                conditions=nest.conditions,
                domain=domain,
                date=nest.date,
                target=target,
                reads=reads,
                value=value,
                span=span,
                write=write,
                annotation=annotation,
            )
        )
        if is_every and self.team is not None:
            self.team.deeds.append(self.statements[-1])

    def _append(self, statement: KernelStatement) -> KernelStatement:
        if len(self.statements) >= _MOST_STATEMENTS:
            raise outside(statement.span, f"the function has more than {_MOST_STATEMENTS} statements after inlining")
        self.statements.append(replace(statement, name=f"S{len(self.statements)}"))
        return self.statements[-1]

    def _is_of_each_thread(self, pointer: PointerView, value: Tree, reading: StatementReads, nest: Context) -> bool:
        """Returns True if every thread of a region may execute this statement: it initialises thread-private data from
        constants, or merges private data under a lock into a shared cell."""
        pointers = [other_pointer for other_pointer, _ in reading.pointers]
        owned = [at for at, other_pointer in enumerate(pointers) if other_pointer.array.name in self.per_thread]
        if pointer.array.name in self.per_thread:
            return not pointers
        is_pair = nest.mutex is not None and len(pointers) == 2 and pointer in pointers and len(owned) == 1
        return is_pair and is_merge(value, pointers.index(pointer), owned[0])

    def deeds(self) -> int:
        """Returns the number of updates of shared data that each thread of the region has made so far."""
        return 0 if self.team is None else sum(deed.write.mutex is not None for deed in self.team.deeds)

    def join(self, team: Team) -> None:
        """Ends a parallel region: adds the accumulations of its threads to the model."""
        for reduction in collected_reductions(team, self.statements, lambda *nest: self._where(*nest)):
            if reduction.shared:
                starts, merges = (tuple(map(self._append, deeds)) for deeds in (reduction.starts, reduction.merges))
                reduction = replace(reduction, starts=starts, merges=merges)
            self.collected.append(reduction)

    def _annotation(self, nest: Context, span: Span, asides: Existentials) -> Annotation | None:
        """Returns the annotation of the line over its names, with the calls that lead to it; quotients become
        existentials."""
        annotation = self.words.annotation_at(span)
        if annotation is None or annotation.is_call or nest.called is None:
            return None
        quotients: dict[str, Affine] = {}
        for floor in annotation.floors:
            dividend = _over_iterators(nest, quotients, floor.affine)
            if dividend is None:
                return None
            quotients[floor.name] = Affine.name(quotient(self.words, dividend, floor.denominator, asides))
        point, body = (
            [_over_iterators(nest, quotients, coordinate) for coordinate in part]
            for part in (annotation.point, annotation.body)
        )
        if any(coordinate is None for coordinate in (*point, *body)):
            return None
        before = tuple(coordinate for call in nest.called for coordinate in call.point)
        return Annotation(
            ".".join([*(call.variable for call in nest.called), annotation.variable]),
            (*before, *(e for e in point if e is not None)),
            (*before, *(e for e in body if e is not None)) if body else (),
        )

    def called_as(self, nest: Context, span: Span, definition: c.Function) -> tuple[Annotation, ...] | None:
        """Returns the annotations of the calls that lead into a function, including the call at hand."""
        if nest.called is None or self.words.span(definition).source is span.source:
            return nest.called
        annotation = self.words.annotation_at(span)
        point = [] if annotation is None else [_over_iterators(nest, {}, coordinate) for coordinate in annotation.point]
        if (
            annotation is None
            or not annotation.is_call
            or annotation.floors
            or any(coordinate is None for coordinate in point)
        ):
            return None
        return (
            *nest.called,
            Annotation(
                annotation.variable, tuple(coordinate for coordinate in point if coordinate is not None), is_call=True
            ),
        )

    def _domain(self, nest: Context) -> Domain:
        return self._where(nest.iterators, nest.conditions)

    def _where(self, iterators: Sequence[str], conditions: Sequence[Condition]) -> Domain:
        space = Space(self.context.space.parameters, tuple(iterators))
        domain = Domain.universe(space).in_context(self.context)
        for condition_ in conditions:
            domain = domain & Domain.where(space, *condition_)
        return domain

    def dividends(self) -> tuple[Dividend, ...]:
        """Returns all dividends of the text, which must be shown non-negative."""
        dividends_ = []
        for dividend in self.words.divided:
            for leaf in leaves(dividend.value):
                value = affine(leaf)
                if value is None and dividend.is_unsigned:
                    raise outside(
                        dividend.span,
                        "cannot show that this unsigned value does not wrap around below 0: it is not affine",
                    )
                if value is None:
                    raise outside(
                        dividend.span,
                        *(dividend.otherwise or ("the dividend is not affine in iterators and parameters",)),
                    )
                domain = self._where(dividend.iterators, dividend.conditions)
                is_kept = domain.is_subset(_not_below_zero(domain, value))
                if dividend.otherwise is not None and not is_kept:
                    raise outside(dividend.span, *dividend.otherwise)
                if not (is_kept and dividend.is_unsigned) and dividend.otherwise is None:
                    dividends_.append(Dividend(domain, value, dividend.span, dividend.is_unsigned))
        return tuple(dividends_)

    def _reductions(
        self, pointer: PointerView, value: Tree, reading: StatementReads, nest: Context, span: Span
    ) -> tuple[KernelLoop, ...]:
        """Returns the loops whose reduction clauses name the target. Raises Rejected if the statement does not combine
        with it."""
        reductions: tuple[KernelLoop, ...] = ()
        for array, operator, loops in nest.reductions:
            own = [at for at, (other_pointer, _) in enumerate(reading.pointers) if other_pointer.array is array]
            if not own and pointer.array is not array:
                continue
            used = [read for read in reads_in(value) if read.number in own]
            is_one = pointer.array is array and len(used) == 1 and reading.pointers[used[0].number][0] == pointer
            if not is_one or not _combines(value, used[0], operator):
                raise outside(
                    span,
                    f"`{array.label}` is an accumulator of `reduction(..)`, but is used otherwise here",
                )
            reductions += loops
        return reductions

    def fill(self, pointer: PointerView, nest: Context, span: Span, value: Tree | None = None) -> None:
        """Assigns zero, element by element, or another value that reads nothing."""
        extents = pointer.extents
        if (limit := pointer.array.limit) is not None:
            # In a statement it is an existential name, decided by the other names.
            name = self.words.fresh(limit.name)
            condition = tuple(
                tuple(constraint.rename({limit.name: name}) for constraint in case) for case in limit.condition
            )
            nest = Existentials(iterators=[name], conditions=[condition]).added(nest)
            extents = tuple(
                polynomial_of(name) if extent == polynomial_of(limit.name) else extent for extent in extents
            )
        inside, at = self._elements(extents, nest, span)
        target = pointer
        for subscript in at:
            target = element(target, subscript)
        filled = LiteralValue(_ZERO, pointer.array.type) if value is None else value
        self.emit(target, filled, StatementReads(self.words, inside, Existentials()), inside, span)

    def _elements(
        self, extents: Sequence[Polynomial | None], nest: Context, span: Span
    ) -> tuple[Context, list[Polynomial]]:
        """Returns a nest of loops over all elements, with its subscripts."""
        elements = []
        for extent in extents:
            if extent is None or (bound := affine(extent)) is None:
                raise outside(span, "the extents of this array are not affine in the parameters")
            name = self.words.fresh("e")
            from_zero = ((Constraint(Affine.name(name)), Constraint(bound - Affine.name(name) - 1)),)
            loop = KernelLoop(name, 1, LoopKind.SEQUENTIAL, span)
            nest = replace(
                nest, iterators=(*nest.iterators, name), conditions=(*nest.conditions, from_zero),
                date=(*nest.date, loop),
            )  # fmt: skip
            elements.append(polynomial_of(name))
        return nest, elements

    def copy(self, arguments: Sequence[c.Expression], nest: Context, span: Span) -> None:
        """Reads `memcpy`, element by element."""
        check_size(self.words, nest, arguments[2], span)
        into, from_ = (self._pointer(argument, nest) for argument in arguments[:2])
        (target, extents), (source, others) = (
            part(self.words, nest, arguments[2], array_, span) for array_ in (into, from_)
        )
        if extents != others or target.array.type != source.array.type or target.array is source.array:
            raise outside(span, "source and target of this copy must be different arrays of the same type and shape")
        inside, at = self._elements(extents, nest, span)
        for subscript in at:
            target, source = element(target, subscript), element(source, subscript)
        reading = StatementReads(self.words, inside, Existentials())
        self.emit(target, reading.read(source, span), reading, inside, span)

    def clear(self, arguments: Sequence[c.Expression], nest: Context, span: Span) -> None:
        if arguments[1] != c.ZERO:
            raise outside(span, "`memset` is supported with the value 0 only")
        check_size(self.words, nest, arguments[2], span)
        target, extents = part(self.words, nest, arguments[2], self._pointer(arguments[0], nest), span)
        inside, at = self._elements(extents, nest, span)
        for subscript in at:
            target = element(target, subscript)
        zero = LiteralValue(_ZERO, target.array.type)
        self.emit(target, zero, StatementReads(self.words, inside, Existentials()), inside, span)

    def _pointer(self, node: c.Expression, nest: Context) -> PointerView:
        asides = Existentials()
        pointer = view(self.words, nest, node, asides)
        if pointer is None or asides.iterators:
            raise outside(self.words.span(node), "cannot tell which array this expression points to")
        return pointer


def _not_below_zero(domain: Domain, value: Affine) -> Domain:
    return Domain.where(domain.space, [Constraint(value)])


def _over_iterators(nest: Context, quotients: Mapping[str, Affine], stated: Affine) -> Affine | None:
    """Returns an expression over the names of the text as one over iterators and parameters; any name may denote a
    lane."""
    renamed = Affine(constant=stated.constant)
    for name, factor in stated.terms:
        if name in quotients:
            renamed = renamed + quotients[name] * factor
            continue
        meaning = nest.names.get(name)
        lane = nest.lane[0] if meaning is None and nest.lane is not None else None
        value = meaning.value if isinstance(meaning, NamedInteger) else lane
        own = affine(value) if isinstance(value, Polynomial) else None
        if own is None:
            return None
        renamed = renamed + own * factor
    return renamed


def _combines(value: Tree, own: ReadValue, operator: str) -> bool:
    """Returns True if the value is `own` combined with another value by the operator."""
    match value:
        case ReadValue():
            return value == own
        case OperationValue(own_operator, operands) if own_operator == operator:
            return any(_combines(operand, own, operator) for operand in operands)
        case OperationValue("-", (left, _)) if operator == "+":
            return _combines(left, own, operator)
    return False
