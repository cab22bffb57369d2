"""Statements: walks loops, conditions, blocks and calls, and collects the assignments."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from alphaz.c import tree as c
from alphaz.c.walk import nodes
from alphaz.diagnostics import Span
from alphaz.model.types import ScalarType
from alphaz.poly.plain.polynomial import Polynomial
from alphaz.scop.cells import view
from alphaz.scop.data_expressions import INSIDE
from alphaz.scop.early_returns import ReturnReader, is_data_returned
from alphaz.scop.file_scope import used_names
from alphaz.scop.functions import returns_status_code
from alphaz.scop.idioms import as_statement, factors_of_end, merge_branches, nested, returned, sections_of, without_else
from alphaz.scop.index_expressions import condition, index
from alphaz.scop.index_values import FALSE, NotAffineCondition, comparison, constant, either, number, polynomial_of
from alphaz.scop.kernel import Beside, KernelArray, KernelLoop, Lock, LoopKind
from alphaz.scop.loop_heads import LoopHead, loop_head, not_ended
from alphaz.scop.parallel_region import Phases, SharedUpdate, Team, is_left_early
from alphaz.scop.pragmas import Pragma, join_pragmas, read_pragma
from alphaz.scop.reader_state import Existentials, NoIndex
from alphaz.scop.scope import (
    Context,
    InlinedValue,
    Meaning,
    NamedInteger,
    PartialSum,
    PointerView,
    ReturnStatus,
    Undefined,
)
from alphaz.scop.substitution import names_in
from alphaz.scop.tree_queries import Trees, assigned, changes, is_void, pragma_text
from alphaz.scop.unsupported import outside, unknown_statement

# The operators of reduction clauses.
_COMBINED = frozenset({"+", "*", "min", "max", "and", "or"})
# Directives that apply to one statement.
_OF_ONE = frozenset({"for", "simd", "atomic"})
# Directives that are one with `omp parallel` before them.
_JOINED = frozenset({"for", "for simd", "sections"})
_NO_STATEMENT = "this directive must be followed by a statement"


def _names_of(names: Mapping[str, Meaning | None], name: str) -> set[str]:
    """Returns the other names of an array."""
    own = names.get(name)
    arrays = {other: each.array for other, each in names.items() if isinstance(each, PointerView)}
    return {other for other, array in arrays.items() if isinstance(own, PointerView) and array is own.array} - {name}


def _is_array(pointer: PointerView) -> bool:
    """Returns True if a view is a whole array, not a pointer to it."""
    return pointer.is_start and None not in pointer.extents and not pointer.is_pointer


class StatementReader(ReturnReader):
    """Walks the statements of a function, with its callees inlined."""

    # --- blocks -------------------------------------------------------------------------------------------------------

    def body(self, function_body: tuple[c.Statement, ...], nest: Context, items: Sequence[c.Statement] = ()) -> None:
        """Inlines a function's body, or `items` instead of it."""
        words = self.words
        changed, around = words.changed, words.body
        words.changed, words.body = assigned(function_body), function_body
        self.block(items or function_body, nest, is_entry=not items)
        words.changed, words.body = changed, around

    def block(self, statements: Sequence[c.Statement], nest: Context, *, is_entry: bool = False) -> None:
        """Reads statements in order. In a parallel region their dates count the barriers before them."""
        pragma: Pragma | None = None
        phases, outer = Phases(), nest
        statements = without_else(statements) if is_entry and is_data_returned(nest) else statements
        for at, item in enumerate(statements):
            if isinstance(item, c.Omp | c.Pragma):
                pragma = self._directive(item, pragma)
                if pragma is not None and pragma.directive == "barrier":
                    self._check_barrier(pragma, nest)
                    phases.barrier()
                    pragma = None
                if isinstance(item, c.Pragma) or pragma is None:
                    continue
                item, pragma = self._about(item, pragma)
            deeds = self.deeds()
            nest = self.release(item, nest, outer, statements[at + 1 :])
            here = nest.at(phases.number, Beside(at)) if nest.region and not nest.working else nest.at(at)
            if isinstance(item, c.Return):
                if at != len(statements) - 1 or not is_entry or pragma is not None:
                    remedy = "move the `return` to the end of the function"
                    raise outside(
                        self.words.span(item), "`return` inside a loop or branch is not supported here", remedy
                    )
                self.result(item.value, here, item)
            elif isinstance(item, c.Declare):
                if pragma is not None:
                    raise outside(pragma.span, _NO_STATEMENT)
                nest = self.declaration(item, nest, here)
            elif is_entry and pragma is None and (left := self.early_return(item, nest, here)) is not None:
                nest = left
            elif (
                is_entry
                and pragma is None
                and is_data_returned(nest)
                and (value := returned(statements[at:])) is not None
            ):
                self.result(value, here, item)
                return
            else:
                behind = self.statement(item, here, pragma)
                nest = nest if behind is None else replace(nest, names=behind.names)
            nest = not_ended(nest, item)
            phases.over(item, pragma, is_merge=self.deeds() > deeds)
            pragma = None
        if pragma is not None:
            raise outside(pragma.span, _NO_STATEMENT)

    def _directive(self, item: c.Omp | c.Pragma, pragma: Pragma | None) -> Pragma | None:
        """Returns the directive that applies to the next statement; `pragma` is the one before."""
        found = read_pragma(pragma_text(item), self.words.span(item))
        if found is None:
            return pragma
        for promise in found.promised:
            self.words.assume(promise)
        if pragma is None:
            return found
        joined = join_pragmas(pragma, found)
        if joined is None:
            raise outside(found.span, "a statement can have only one directive: combine them, or use a block")
        return joined

    def _about(self, omp: c.Omp, pragma: Pragma) -> tuple[c.Statement, Pragma]:
        """Returns the statement that a directive applies to, with the directive: `omp parallel` before `omp for` is
        one."""
        body = omp.body or ()
        match body:
            case (c.Omp() as inner,) if pragma.directive == "parallel" and inner.directive in _JOINED:
                joined = self._directive(inner, pragma)
                assert joined is not None
                return self._about(inner, joined)
            case (c.Declare() as declaration,):
                return declaration, pragma
        if not pragma.words & _OF_ONE or not body or not all(isinstance(each, c.Pragma) for each in body[:-1]):
            return c.Block(body, at=omp.at), pragma
        for each in body:
            if isinstance(each, c.Omp | c.Pragma):
                pragma = self._directive(each, pragma) or pragma
        return body[-1], pragma

    def _check_barrier(self, barrier: Pragma, nest: Context) -> None:
        if nest.working or nest.mutex is not None:
            raise outside(
                barrier.span,
                "`omp barrier` inside `omp single`, `omp sections` or `omp critical`: the other threads never reach it",
            )

    def free(self, arguments: Sequence[c.Expression], nest: Context, span: Span) -> None:
        """Marks memory as released: it may not be used afterwards, nor in another iteration."""
        meaning = nest.names.get(arguments[0].name) if isinstance(arguments[0], c.Name) else None
        is_start = isinstance(meaning, PointerView) and meaning.is_start and meaning.array.name in self.allocated
        if not isinstance(meaning, PointerView) or not is_start or meaning.array.name in self.released:
            raise outside(span, "cannot release this: expected the start of an allocated array")
        if meaning.array.prefix != nest.iterators:
            raise outside(span, f"`{meaning.array.label}` is released in a loop that does not allocate it")
        if self.allocated[meaning.array.name] != (nest.region, nest.working):
            raise outside(span, f"`{meaning.array.label}` is released by other threads than those that allocated it")
        self.released.add(meaning.array.name)

    def statement(self, item: c.Statement, nest: Context, pragma: Pragma | None) -> Context | None:
        """Reads one statement; returns the context after it if the meanings of names change."""
        if pragma is not None and pragma.words & {"sections", "section"}:
            self.sections(item, nest, pragma)
            return None
        if pragma is not None:
            nest, pragma = self.directed(item, nest, pragma)
        if nest.region and self.team is None:
            self.region(item, nest)
            return None
        return self.plain(item, nest, pragma)

    def plain(self, item: c.Statement, nest: Context, pragma: Pragma | None) -> Context | None:
        """Reads one statement after its directive, unless the directive is for its loop."""
        match item:
            case c.Block(body):
                self.block(body, nest)
            case c.For():
                return self.loop(item, nest, pragma)
            case c.If():
                self.choice(item, nest)
            case c.Assign():
                self.assignment(item, nest)
            case c.Evaluate(c.Step(operator, _, operand, at=at)):
                self.assignment(c.Assign(operand, c.Literal("1", at=at), f"{operator[0]}=", at=at), nest)
            case c.Evaluate(c.Call() as call):
                self.call(call, nest)
            case c.Evaluate(c.Cast(type_, c.Name() | c.Literal() | c.String())) if is_void(type_):
                return None
            case c.Evaluate(c.Comma(values)):
                for position, value in enumerate(values):
                    self.statement(as_statement(value), nest.at(position), None)
            case c.Function():
                said = "function declarations inside a function are not supported"
                raise outside(self.words.span(item), said, "move it before the function")
            case _:
                is_loop = isinstance(item, c.While | c.DoWhile)
                remedy = "use a `for` loop with affine bounds" if is_loop else None
                raise outside(self.words.span(item), unknown_statement(item), remedy)
        return None

    def sections(self, item: c.Statement, nest: Context, pragma: Pragma) -> None:
        """Reads `omp sections`: statements each executed by one thread, unordered."""
        is_region = "parallel" in pragma.words
        is_open = not nest.region and nest.mutex is None if is_region else nest.region and not nest.working
        is_open = is_open and nest.mutex is None and not (pragma.nowait and nest.depth > nest.region_depth)
        parts = None
        if isinstance(item, c.Block) and "sections" in pragma.words:
            parts = sections_of(c.Omp("sections", (), item.body))
        if parts is None or not is_open:
            raise outside(
                pragma.span,
                "this form of `omp sections` is not supported",
                "write one block after each `omp section`, directly inside the parallel region",
            )
        if pragma.reductions or ((pragma.private or pragma.copied) and not is_region):
            said = "private and reduction variables of `omp sections` are not supported"
            raise outside(pragma.span, said, "declare the variables inside the blocks")
        if is_region:
            nest = self._private(pragma, replace(nest.sharing(), region=True, region_depth=nest.depth, working=False))
        for at, each in enumerate(parts):
            self.block(each, replace(nest.at(Beside(at)), working=True))

    def region(self, item: c.Statement, nest: Context) -> None:
        """Reads the body of a parallel region."""
        team = Team(nest, len(self.statements))
        self.team = team
        self.block(item.body if isinstance(item, c.Block) else (item,), nest)
        self.team = None
        self.join(team)

    def directed(self, item: c.Statement, nest: Context, pragma: Pragma) -> tuple[Context, Pragma | None]:
        """Applies a directive to the statement after it; returns its remainder for a loop."""
        words = pragma.words
        if "parallel" in words and nest.region and not nest.working:
            raise outside(pragma.span, "nested `omp parallel` is not supported")
        if nest.working and "parallel" not in words and words & {"for", "single"}:
            raise outside(pragma.span, "`omp for` or `omp single` inside work of a single thread is not allowed")
        if nest.mutex is not None and "parallel" not in words and words & {"for", "single", "sections", "critical"}:
            raise outside(pragma.span, f"`omp {pragma.directive}` inside `omp critical` may deadlock")
        if pragma.nowait and nest.depth > nest.region_depth:
            raise outside(pragma.span, "`nowait` in a called function is not supported: remove it")
        if words & {"for", "simd"}:
            if not isinstance(item, c.For):
                raise outside(pragma.span, f"`omp {pragma.directive}` must be followed by a `for` loop")
            return nest, pragma
        if pragma.directive == "parallel":
            if nest.region or nest.mutex is not None:
                raise outside(pragma.span, "nested `omp parallel`, or one inside `omp critical`, is not supported")
            self._check_alone(pragma, nest, item)
            inside = replace(nest.sharing(), region=True, region_depth=nest.depth, working=False)
            return self._parted(pragma, self._private(pragma, inside)), None
        if pragma.private or pragma.copied:
            said = f"private and reduction variables of `omp {pragma.directive}` are not supported"
            raise outside(pragma.span, said, "declare the variables inside its block")
        if pragma.directive in ("critical", "atomic"):
            lock = Lock(f"{pragma.directive} {pragma.name}".strip(), len(nest.date))
            return replace(nest, mutex=lock), None
        return replace(nest, working=True), None

    # --- control ------------------------------------------------------------------------------------------------------

    def rows(self, item: c.For, nest: Context, pragma: Pragma | None) -> bool:
        """Reads a loop over all elements of an object with rows as loops over these; returns False for other loops."""
        found = factors_of_end(item)
        if found is None or not isinstance(item.test, c.Binary) or (pragma is not None and pragma.collapse > 1):
            return False
        known, is_for = nest.names.get(found[0]), pragma is not None and "for" in pragma.words
        if not item.iterator and (not isinstance(known, Undefined) or (known.is_shared and not is_for)):
            return False
        asides = Existentials()
        try:
            ends = [index(self.words, nest, each, asides) for each in found[1:]]
            index(self.words, nest, item.test.right, asides)
            below = either(*(comparison("<", end, constant(0)) for end in ends))
        except (NoIndex, NotAffineCondition):
            return False
        if (
            asides.iterators
            or any(number(end) is not None for end in ends)
            or not self._domain(nest.where(below)).is_empty()
        ):
            return False
        self.loop(nested(item, *found), nest, None if pragma is None else replace(pragma, collapse=2))
        return True

    def loop(self, item: c.For, nest: Context, pragma: Pragma | None) -> Context | None:
        if self.rows(item, nest, pragma):
            return None
        head = loop_head(self.words, nest, item)
        known = nest.names.get(head.name)
        is_for = pragma is not None and "for" in pragma.words
        if isinstance(known, Undefined) and known.is_shared and head.is_outer and not is_for:
            said = f"the iterator `{head.name}` is shared by all threads or lanes: data race"
            raise outside(
                self.words.span(item), said, f"declare it in the head of the loop, or use `private({head.name})`"
            )
        kind = LoopKind.SEQUENTIAL if pragma is None else LoopKind.PARALLEL if is_for else LoopKind.SIMD
        if nest.region and not nest.working and not is_for and is_left_early(item.body):
            kind = LoopKind.PARALLEL
        is_loose = pragma is not None and pragma.nowait
        loop = KernelLoop(
            iterator=head.iterator,
            step=head.step,
            kind=kind,
            span=self.words.span(item),
            nowait=is_loose,
            stride=head.stride,
        )
        inside = self._iterations(head, nest, loop, is_for)
        if not self._domain(inside).is_bounded():
            raise outside(loop.span, "this loop may never end: its condition does not bound the iterator")
        if pragma is not None:
            self._check_clauses(pragma, nest, item, head.name)
            is_begun = not pragma.is_inner and (pragma.words & {"parallel", "simd"} or not nest.region)
            inside = self._clauses(pragma, inside.sharing() if is_begun else inside, loop, head.name)
        if pragma is not None and pragma.collapse > 1:
            inner = item.body[0] if len(item.body) == 1 else None
            if not isinstance(inner, c.For):
                raise outside(pragma.span, "`collapse` needs perfectly nested loops")
            rest = replace(
                pragma, collapse=pragma.collapse - 1, private=(), copied=(), reductions=(), nowait=False, is_inner=True
            )
            self.loop(inner, replace(inside, working=nest.working), rest)
            return None
        if is_for and nest.region and not nest.working and pragma is not None and "simd" not in pragma.words:
            inside = self._of_this_thread(inside, len(item.body))
        is_round = nest.region and not inside.working and self.team is not None
        if self.team is not None:
            self.team.rounds += is_round
        self.block(item.body, inside)
        if self.team is not None:
            self.team.rounds -= is_round
        if not isinstance(known, Undefined) or not head.is_outer:
            return None
        return nest.knowing({head.name: replace(known, ended=(item, nest) if pragma is None else None)})

    def _iterations(self, head: LoopHead, nest: Context, loop: KernelLoop, is_for: bool) -> Context:
        around = head.asides.added(nest)
        names = {**around.names, head.name: NamedInteger(polynomial_of(head.iterator), head.type)}
        return replace(
            around, iterators=(*around.iterators, head.iterator), names=names, date=(*around.date, loop),
            conditions=(*around.conditions, *head.conditions), working=around.working or is_for,
        )  # fmt: skip

    def _of_this_thread(self, inside: Context, end: int) -> Context:
        """Marks thread-private objects of a region as unknown at the start of an iteration."""
        names = dict(inside.names)
        owned: dict[str, KernelArray] = {}
        for name, meaning in names.items():
            if isinstance(meaning, PointerView) and (array := meaning.array).name in self.per_thread:
                if array.name not in owned:
                    own = replace(array, name=self.array_name(array.label), prefix=inside.iterators, is_stale=True)
                    self.arrays[own.name] = owned[array.name] = own
                names[name] = replace(meaning, array=owned[array.name])
        if self.team is not None:
            self.team.loops.append(SharedUpdate(inside, end, owned, self.team.rounds > 0))
        return replace(inside, names=names)

    def _clauses(self, pragma: Pragma, inside: Context, loop: KernelLoop, iterator: str) -> Context:
        """Gives each iteration its private variables, without a value."""
        inside = self._private(pragma, inside, iterator)
        reductions = list(inside.reductions)
        parted = {name: each for name, each in inside.names.items() if isinstance(each, PartialSum)}
        if "for" in pragma.words and not pragma.is_inner:
            reductions += [(each.whole.array, each.operator, (loop,)) for each in parted.values()]
            inside = inside.knowing({name: each.whole for name, each in parted.items()})
        if pragma.is_inner:
            before = [each for each in inside.date if isinstance(each, KernelLoop)][-2]
            reductions = [(a, o, (*loops, loop) if before in loops else loops) for a, o, loops in reductions]
        for name, operator in pragma.reductions:
            meaning = self._accumulator(name, inside)
            if meaning is None:
                raise outside(pragma.span, f"the reduction variable `{name}` must be a scalar or a whole array")
            reductions.append((meaning.array, self._combined_by(operator, meaning.array.type, pragma.span), (loop,)))
        return replace(inside, reductions=tuple(reductions))

    def _check_clauses(self, pragma: Pragma, nest: Context, loop: c.For, iterator: str) -> None:
        """Raises Rejected if bounds use a private variable, which has no value, and for other names of an accumulator
        of a clause."""
        asked = (names_in((*loop.start, *loop.steps)) | names_in(loop.test)) - {iterator}
        for name in sorted(asked & {*pragma.private}):
            said = f"the bounds of this loop use `{name}`, which is private and has no value"
            raise outside(pragma.span, said, "remove it from `private`")
        self._check_alone(pragma, nest, loop.body)

    def _check_alone(self, pragma: Pragma, nest: Context, body: Trees) -> None:
        """Raises Rejected if an accumulator of a clause has another name, or functions use it: these mean the shared
        object."""
        called = [self.words.functions.called(node) for node in nodes(body, c.Call)]
        there = {name for each in called if each is not None for name in used_names(self.words.functions, each)}
        for name in (each.partition("[")[0].strip() for each, _ in pragma.reductions):
            others = _names_of(nest.names, name) & names_in(body)
            around = {**self.words.around, name: nest.names.get(name)}
            of_file = _names_of(around, name) | ({name} & self.words.around.keys())
            for other in sorted(others | of_file & there):
                raise outside(
                    pragma.span,
                    f"`{other}` refers to the shared variable, but `{name}` is private to each thread in the reduction",
                )

    def _parted(self, pragma: Pragma, inside: Context) -> Context:
        """Returns the context with the scalars that a region combines at its end."""
        parted = {}
        for name, operator in pragma.reductions:
            whole = self._accumulator(name, inside)
            if whole is None or whole.extents:
                said = f"the reduction of `{name}` over a whole `omp parallel` region is not supported"
                raise outside(pragma.span, said, "move the clause to the `omp for` loops of the region")
            parted[name] = PartialSum(whole, self._combined_by(operator, whole.array.type, pragma.span))
        return inside.knowing(parted)

    def _private(self, pragma: Pragma, inside: Context, iterator: str | None = None) -> Context:
        """Returns the context with the private variables of each thread or iteration. A `firstprivate` variable that
        never changes is treated as shared."""
        names = dict(inside.names)
        for name in (each for each in pragma.private if each != iterator):
            match names.get(name):
                case NamedInteger() | Undefined() as number:
                    names[name] = Undefined(number.type)
                case InlinedValue(_, type_):
                    names[name] = self._own(self.local(name, type_, (), inside, pragma.span), inside)
                case PointerView(array) as pointer if _is_array(pointer):
                    own = self.local(name, array.type, array.extents, inside, array.span)
                    names[name] = self._own(own, inside)
                case None:
                    raise outside(pragma.span, f"`{name}` is not declared here")
                case _:
                    raise outside(
                        pragma.span, f"`private({name})` is not supported: expected a scalar or a whole array"
                    )
        for name in pragma.copied:
            known = names.get(name)
            is_of_file = known is not None and known is self.words.around.get(name)
            if isinstance(known, PointerView) and (known.extents or name in self.words.changed or is_of_file):
                raise outside(pragma.span, f"`firstprivate({name})` is supported only for variables that never change")
        return replace(inside, names=names)

    def _accumulator(self, name: str, nest: Context) -> PointerView | None:
        """Returns the target of a reduction clause: a scalar, or a whole array, `y[:N]`."""
        variable, *sections = name.rstrip("]").replace("]", "").split("[")
        meaning = nest.names.get(variable.strip())
        if not isinstance(meaning, PointerView) or (not sections and meaning.extents):
            return None
        extents = meaning.array.extents
        lengths = [self._length(section, nest) for section in sections]
        is_whole = len(lengths) == len(extents) and all(
            a is not None and a == b for a, b in zip(lengths, extents, strict=True)
        )
        return meaning if not sections or (is_whole and meaning.is_start and not meaning.array.prefix) else None

    def _length(self, section: str, nest: Context) -> Polynomial | None:
        """Returns the length of a section that starts with the first element; None for other sections, or an unknown
        length."""
        first, colon, length = (each.strip() for each in section.partition(":"))
        if not colon or first not in ("", "0"):
            return None
        if length.isdigit():
            return constant(int(length))
        known = nest.names.get(length)
        return known.value if isinstance(known, NamedInteger) and isinstance(known.value, Polynomial) else None

    def _combined_by(self, operator: str, type_: ScalarType, span: Span) -> str:
        """Returns the operator of programs with which threads combine their values."""
        declared, of = self.words.combiners.get(operator, (operator, type_))
        if declared not in _COMBINED or of != type_:
            raise outside(span, f"the reduction `{operator}` is not supported for type {type_.name}")
        return declared

    def choice(self, item: c.If, nest: Context) -> None:
        """Reads `if`: an affine condition restricts the statements inside; one on data chooses between values of one
        cell."""
        asides = Existentials()
        try:
            then = condition(self.words, nest, item.condition, asides)
            otherwise = (
                condition(self.words, nest, item.condition, Existentials(), is_wanted=False)
                if item.otherwise
                else FALSE
            )
        except NoIndex as problem:
            self._choice_of_values(item, nest, problem)
            return
        around = asides.added(nest)
        if then == FALSE and not asides.iterators:
            self.block(item.otherwise, nest.at(1))
            return
        if item.otherwise and asides.iterators:
            otherwise = condition(self.words, nest, item.condition, (more := Existentials()), is_wanted=False)
            self.block(item.otherwise, more.added(nest).where(otherwise).at(1))
        elif item.otherwise and otherwise != FALSE:
            self.block(item.otherwise, around.where(otherwise).at(1))
        self.block(item.then, around.where(then).at(0))

    def _choice_of_values(self, item: c.If, nest: Context, problem: NoIndex) -> None:
        match item:
            case c.If(c.Binary("&&", left, right), then, ()):
                self.choice(c.If(left, (c.If(right, then, at=item.at),), at=item.at), nest)
                return
        span = self.words.span(item)
        found = merge_branches(item)
        if found is None:
            raise outside(
                problem.span,
                f"a condition on data ({problem.why}) is supported only if both branches assign the same cell",
            )
        target, value = found
        pointer = self._target(target, nest, asides := Existentials())
        self.assign(pointer, value, asides.added(nest), span)

    # --- assignments --------------------------------------------------------------------------------------------------

    def assignment(self, item: c.Assign, nest: Context) -> None:
        span, target, value = self.words.span(item), item.target, item.value
        if isinstance(value, c.Set):
            self.assignment(c.Assign(value.target, value.value, value.operator, at=value.at), nest.at(0))
            value, nest = value.target, nest.at(1)
        if item.operator != "=":
            value = c.Binary(item.operator[:-1], target, value, at=item.at)
        elif self.stored(target, value, nest, span):
            return
        name = target.name if isinstance(target, c.Name) else ""
        known = nest.names.get(name)
        if isinstance(known, ReturnStatus) and returns_status_code(self.words.functions, value):
            self.succeed(value, nest)
            return
        if isinstance(known, NamedInteger | Undefined | ReturnStatus):
            raise outside(
                span,
                f"the integer `{name}` is modified outside the head of a loop, so its value is unknown",
            )
        nest = self.called_before(value, nest)
        pointer = self._target(target, nest, asides := Existentials())
        if pointer.is_pointer:
            raise outside(
                span,
                "this pointer is reassigned other than by one step per loop iteration, or a swap",
                "write `p[i]`",
            )
        self.assign_lanes(pointer, value, asides.added(nest), span)

    def _target(self, node: c.Expression, nest: Context, asides: Existentials) -> PointerView:
        pointer = view(self.words, nest, node, asides)
        if pointer is None:
            named_ = next(iter(nodes(node, c.Name)), None)
            if named_ is not None and named_.name not in nest.names:
                said = f"`{named_.name}` is neither an argument nor a local variable"
                raise outside(self.words.span(node), said, "pass it as an argument")
            if changes(node):
                raise outside(self.words.span(node), *INSIDE)
            raise outside(
                self.words.span(node), "cannot assign to this expression: expected a scalar or an element of an array"
            )
        return pointer
