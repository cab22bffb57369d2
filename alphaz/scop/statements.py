"""Statements: walks loops, conditions, blocks and calls, and collects the assignments."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import reduce

from alphaz.c import tree as c
from alphaz.c.walk import nodes
from alphaz.diagnostics import Rejected, Span
from alphaz.model.types import ScalarType
from alphaz.scop.assigned_integers import assign_integer, check_not_followed, forgotten, joined, left
from alphaz.scop.assignments import (
    array_name,
    assign,
    assign_lanes,
    domain_of,
    end_team,
    have_one_type,
    is_executed_at_once,
    own_local,
)
from alphaz.scop.c_model import RESULT, KernelArray, KernelLoop, Lock, LoopKind
from alphaz.scop.calls import called_before, read_call, succeed
from alphaz.scop.clause_checks import check_clauses
from alphaz.scop.constant_trips import is_geometric, unrolled, with_numbers
from alphaz.scop.data_expressions import INSIDE
from alphaz.scop.declarations import declare
from alphaz.scop.early_returns import assigned_result, early_return, is_data_returned, with_outer_returns
from alphaz.scop.file_scope import used_names
from alphaz.scop.functions import returns_status_code
from alphaz.scop.grid_strides import taken_once
from alphaz.scop.idioms import (
    as_statement,
    atomic_masks,
    choices,
    counting_loop,
    factors_of_end,
    masked,
    merge_branches,
    nested,
    returned,
    sections_of,
    separated,
    without_else,
)
from alphaz.scop.index_expressions import condition, index, known_number
from alphaz.scop.index_polynomials import (
    FALSE,
    TRUE,
    NotAffineCondition,
    comparison,
    constant_polynomial,
    either,
    number,
    polynomial_of,
)
from alphaz.scop.lane_exchanges import EXCHANGE, exchange
from alphaz.scop.launches import launch
from alphaz.scop.loop_heads import LoopHead, after_loop, loop_head, not_ended, with_ended
from alphaz.scop.lvalues import accumulator, view
from alphaz.scop.parallel_region import ParallelRegion, SharedUpdate
from alphaz.scop.pointer_tables import release, store_entry
from alphaz.scop.reader_state import Existentials, NoIndex, ReaderState
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
from alphaz.scop.supported_pragmas import Pragma, join_pragmas, read_pragma
from alphaz.scop.tree_queries import Statements, Trees, changes, is_void, pragma_text, targets
from alphaz.scop.unsupported import outside, race, unknown_statement

# The operators of reduction clauses.
_COMBINED = frozenset({"+", "*", "min", "max", "and", "or"})
# Directives that apply to one statement.
_OF_ONE = frozenset({"for", "simd", "atomic"})
# Directives at whose end all threads wait for each other.
_WAITED = frozenset({"barrier", "for", "single", "sections"})
# Directives that are one with `omp parallel` before them.
_JOINED = frozenset({"for", "for simd", "sections"})
_NO_STATEMENT = "this directive must be followed by a statement"


def _names_of(names: Mapping[str, Meaning | None], name: str) -> set[str]:
    """Returns the other names of an array."""
    own = names.get(name)
    arrays = {other: view.array for other, view in names.items() if isinstance(view, PointerView)}
    return {other for other, array in arrays.items() if isinstance(own, PointerView) and array is own.array} - {name}


def _is_array(pointer: PointerView) -> bool:
    """Returns True if a view is a whole array, not a pointer to it."""
    return pointer.is_start and None not in pointer.extents and not pointer.is_pointer


def read_statements(
    state: ReaderState, statements: Sequence[c.Statement], nest: Context, is_entry: bool = False
) -> Context:
    """Reads statements in order; returns the context at their end. `is_entry`: those of a function, or before its early
    return."""
    pragma: Pragma | None = None
    outer = nest
    statements = with_outer_returns(statements) if is_entry else statements
    statements = without_else(statements) if is_entry and is_data_returned(nest) else statements
    for position, item in enumerate(statements):
        if isinstance(item, c.Omp | c.Pragma):
            pragma = _directive(state, item, pragma, nest)
            if pragma is not None and pragma.directive == "barrier":
                _check_barrier(pragma, nest)
                _barrier(state, pragma, nest, position)
                pragma = None
            if isinstance(item, c.Pragma) or pragma is None:
                continue
            item, pragma = _about(state, item, pragma, nest)
        is_open = is_entry and pragma is None
        nest = release(state, item, nest, outer, statements[position + 1 :])
        here = nest.at(position)
        if isinstance(item, c.Return):
            if position != len(statements) - 1 or not is_open:
                message = "`return` inside a loop or branch is not supported here"
                raise outside(state.span(item), message, "move the `return` to the end of the function")
            _return(state, item.value, here, item)
        elif isinstance(item, c.Declare):
            if pragma is not None:
                raise outside(pragma.span, _NO_STATEMENT)
            nest = declare(state, item, nest, here)
        elif is_open and (left := early_return(state, item, nest, here)) is not None:
            nest = left
        elif (
            is_open and is_data_returned(nest) and (value := _returned(state, statements[position:], here)) is not None
        ):
            _return(state, value, here, item)
            return nest
        else:
            nest = nest.after(_statement(state, item, here, pragma))
        nest = not_ended(nest, item)
        _barrier(state, pragma, nest, position)
        pragma = None
    if pragma is not None:
        raise outside(pragma.span, _NO_STATEMENT)
    return nest


def _directive(state: ReaderState, item: c.Omp | c.Pragma, pragma: Pragma | None, nest: Context) -> Pragma | None:
    """Returns the directive that applies to the next statement; `pragma` is the one before."""
    directive = read_pragma(pragma_text(item), state.span(item))
    if directive is None:
        return pragma
    if isinstance(item, c.Omp):
        check_clauses(state, item, nest)
    elif "(" in item.text:
        raise outside(directive.span, f"cannot read the clauses of `#pragma {item.text.strip()}`")
    for promise in directive.promised:
        state.assume(promise)
    if pragma is None:
        return directive
    joined = join_pragmas(pragma, directive)
    if joined is None:
        raise outside(directive.span, "a statement can have only one directive: combine them, or use a block")
    return joined


def _about(state: ReaderState, omp: c.Omp, pragma: Pragma, nest: Context) -> tuple[c.Statement, Pragma]:
    """Returns the statement that a directive applies to, with the directive: `omp parallel` before `omp for` is
    one."""
    body = omp.body or ()
    match body:
        case (c.Omp() as inner,) if pragma.directive == "parallel" and inner.directive in _JOINED:
            joined = _directive(state, inner, pragma, nest)
            assert joined is not None
            return _about(state, inner, joined, nest)
        case (c.Declare() as declaration,):
            return declaration, pragma
    if not pragma.words & _OF_ONE or not body or not all(isinstance(statement, c.Pragma) for statement in body[:-1]):
        return c.Block(body, at=omp.at), pragma
    for statement in body:
        if isinstance(statement, c.Omp | c.Pragma):
            pragma = _directive(state, statement, pragma, nest) or pragma
    return body[-1], pragma


def _barrier(state: ReaderState, pragma: Pragma | None, nest: Context, position: int) -> None:
    """Notes the position after which the threads of a region wait for each other, if the directive there says so."""
    is_waited = pragma is not None and pragma.words & _WAITED and not pragma.nowait
    if is_waited and state.team is not None and nest.is_every_thread:
        state.team.barriers.setdefault(nest.date, set()).add(position)


def _check_barrier(barrier: Pragma, nest: Context) -> None:
    if nest.working or nest.mutex is not None:
        where = "inside `omp single`, `omp sections` or `omp critical`"
        raise outside(barrier.span, f"`omp barrier` {where}: the other threads never reach it")


def _return(state: ReaderState, value: c.Expression | None, nest: Context, item: c.Statement) -> None:
    """Reads the end of a function."""
    assignment = assigned_result(state, value, nest, item)
    if assignment is not None:
        _assignment(state, assignment, nest)


def _statement(state: ReaderState, item: c.Statement, nest: Context, pragma: Pragma | None) -> Context | None:
    """Reads one statement; returns the context after it if the meanings of names change."""
    if pragma is None:
        return _undirected(state, item, nest, None)
    # Not every thread has executed it, and private variables are others.
    after = forgotten(state, nest, item)
    if pragma.words & {"sections", "section"}:
        _sections(state, item, after, pragma)
    else:
        _undirected(state, item, *_directed(state, item, nest, pragma))
    return after


def _undirected(state: ReaderState, item: c.Statement, nest: Context, pragma: Pragma | None) -> Context | None:
    """Reads one statement after its directive, unless the directive is for its loop; begins a region if it is the
    first one there."""
    if nest.is_every_thread and state.team is None:
        return _region(state, item, nest)
    return _plain(state, item, nest, pragma)


def _plain(state: ReaderState, item: c.Statement, nest: Context, pragma: Pragma | None) -> Context | None:
    """Reads one statement after its directive, unless the directive is for its loop."""
    if _has_no_effect(state, item):
        return None
    match item:
        case c.Block(body):
            return left(state, nest, read_statements(state, body, nest))
        case c.For() | c.While():
            return _repeated(state, item, nest, pragma)
        case c.If():
            return _branch(state, item, nest)
        case c.Assign():
            return _assignment(state, item, nest)
        case c.Evaluate(c.Step(operator, _, operand, at=at)):
            return _assignment(state, c.Assign(operand, c.Literal("1", at=at), f"{operator[0]}=", at=at), nest)
        case c.Evaluate(c.Call() as call):
            return _called(state, call, nest)
        case c.Launch():
            launch(state, item, nest)
        case c.Evaluate(c.Comma(values)):
            for position, value in enumerate(values):
                nest = nest.after(_statement(state, as_statement(value), nest.at(position), None))
            return nest
        case c.Function():
            message = "function declarations inside a function are not supported"
            raise outside(state.span(item), message, "move it before the function")
        case _:
            remedy = "use a `for` loop with affine bounds" if isinstance(item, c.DoWhile) else None
            raise outside(state.span(item), unknown_statement(item), remedy)
    return None


def _called(state: ReaderState, call: c.Call, nest: Context) -> Context | None:
    if call.function == EXCHANGE:
        return exchange(state, call, nest)
    read_call(state, call, nest)
    return None


def _repeated(state: ReaderState, item: c.For | c.While, nest: Context, pragma: Pragma | None) -> Context | None:
    """Reads a loop, with the values of the integers that it changes, unless the directive is about it."""
    loop = item if isinstance(item, c.For) else counting_loop(_unused(state, nest), item)
    if pragma is None and (once := taken_once(state, loop, nest)) is not None:
        return _plain(state, once, nest, None)
    if pragma is None and is_geometric(loop) and (trips := _trips(state, loop, nest)) is not None:
        return left(state, nest, read_statements(state, trips, nest))
    return _loop(state, loop, forgotten(state, nest, loop.body), pragma, None if pragma else nest)


def _has_no_effect(state: ReaderState, item: c.Statement) -> bool:
    """Returns True for `(void)x;`, and for the declaration of a function that the file defines."""
    match item:
        case c.Evaluate(c.Cast(type_, c.Name() | c.Literal() | c.String())):
            return is_void(type_)
        case c.Function(name=name):
            return name in state.functions.defined
    return False


def _trips(state: ReaderState, item: c.For, nest: Context) -> Statements | None:
    """Returns the iterations of a loop whose iterator is multiplied or divided between numbers; None for others."""

    def number_of(value: c.Expression) -> int | None:
        try:
            return known_number(state, nest, value)
        except Rejected:
            return None

    types = {name: c.scalar(known.type) for name, known in nest.names.items() if isinstance(known, Undefined)}
    return unrolled(with_numbers(item, number_of, types))


def _sections(state: ReaderState, item: c.Statement, nest: Context, pragma: Pragma) -> None:
    """Reads `omp sections`: statements each executed by one thread, unordered."""
    is_region = "parallel" in pragma.words
    is_open = not nest.region if is_region else nest.is_every_thread
    is_open = is_open and nest.mutex is None and not (pragma.nowait and nest.depth > nest.region_depth)
    parts = None
    if isinstance(item, c.Block) and "sections" in pragma.words:
        parts = sections_of(c.Omp("sections", (), item.body))
    if parts is None or not is_open:
        remedy = "write one block after each `omp section`, directly inside the parallel region"
        raise outside(pragma.span, "this form of `omp sections` is not supported", remedy)
    if pragma.reductions or ((pragma.private or pragma.copied) and not is_region):
        message = "private and reduction variables of `omp sections` are not supported"
        raise outside(pragma.span, message, "declare the variables inside the blocks")
    if is_region:
        nest = _private(state, pragma, nest.in_parallel_region())
    for position, section in enumerate(parts):
        part = nest.at(position)
        read_statements(state, section, replace(part, working=len(part.date)))


def _region(state: ReaderState, item: c.Statement, nest: Context) -> Context:
    """Reads the body of a parallel region."""
    team = ParallelRegion(nest, len(state.statements))
    state.team = team
    end = read_statements(state, item.body if isinstance(item, c.Block) else (item,), nest)
    state.team = None
    end_team(state, team)
    return left(state, nest, end)


def _directed(state: ReaderState, item: c.Statement, nest: Context, pragma: Pragma) -> tuple[Context, Pragma | None]:
    """Applies a directive to the statement after it; returns its remainder for a loop."""
    words = pragma.words
    if "parallel" in words and nest.is_every_thread:
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
        _check_alone(state, pragma, nest, item)
        return _parted(state, pragma, _private(state, pragma, nest.in_parallel_region())), None
    if pragma.private or pragma.copied:
        message = f"private and reduction variables of `omp {pragma.directive}` are not supported"
        raise outside(pragma.span, message, "declare the variables inside its block")
    if pragma.directive in ("critical", "atomic"):
        lock = Lock(f"{pragma.directive} {pragma.name}".strip(), len(nest.date))
        return replace(nest, mutex=lock), None
    return replace(nest, working=len(nest.date)), None


def _rows(
    state: ReaderState, item: c.For, nest: Context, pragma: Pragma | None, before: Context | None
) -> Context | None:
    """Reads a loop over all elements of an object with rows as loops over these; returns None for other loops."""
    factors = factors_of_end(item)
    if factors is None or not isinstance(item.test, c.Binary) or (pragma is not None and pragma.collapse > 1):
        return None
    known, is_for = nest.names.get(factors[0]), pragma is not None and "for" in pragma.words
    if not item.iterator and (not isinstance(known, Undefined) or (known.is_shared and not is_for)):
        return None
    asides = Existentials()
    try:
        ends = [index(state, nest, factor, asides) for factor in factors[1]]
        index(state, nest, item.test.right, asides)
        below = reduce(either, (comparison("<", end, constant_polynomial(0)) for end in ends))
    except (NoIndex, NotAffineCondition):
        return None
    if asides.iterators or sum(number(end) is None for end in ends) < 2:
        return None
    if not domain_of(state, nest.where(below)).is_empty():
        return None
    collapsed = None if pragma is None else replace(pragma, collapse=len(ends))
    declared = item.start[0]
    type_ = declared.type if isinstance(declared, c.Declare) else None
    if type_ is None and isinstance(known, Undefined):
        type_ = c.scalar(known.type)
    return None if type_ is None else _loop(state, nested(item, *factors, type_), nest, collapsed, before)


def _loop(
    state: ReaderState, item: c.For, nest: Context, pragma: Pragma | None, before: Context | None = None
) -> Context:
    """Reads a loop; returns the context after it. `before` has the values of the integers that it changes, if they are
    followed."""
    if (behind := _rows(state, item, nest, pragma, before)) is not None:
        return behind
    head = loop_head(state, nest, item, before)
    known = nest.names.get(head.name)
    is_for = pragma is not None and "for" in pragma.words
    if isinstance(known, Undefined) and known.is_shared and head.is_outer and not is_for:
        remedy = f"declare it in the head of the loop, or use `private({head.name})`"
        if is_executed_at_once(state, nest):
            raise race(state.span(item), f"the iterator `{head.name}` is shared by all threads", remedy)
        raise outside(
            state.span(item), f"the iterator `{head.name}` is shared by all threads or lanes: data race", remedy
        )
    kind = LoopKind.PARALLEL if is_for else LoopKind.SEQUENTIAL if pragma is None else LoopKind.SIMD
    loop = KernelLoop(head.iterator, head.step, kind, state.span(item), stride=head.stride)
    inside = _iterations(head, nest, loop, is_for)
    if not domain_of(state, inside).is_bounded():
        raise outside(loop.span, "this loop may never end: its condition does not bound the iterator")
    if pragma is not None:
        _check_clauses(state, pragma, nest, item, head.name)
        is_begun = not pragma.is_inner and (pragma.words & {"parallel", "simd"} or not nest.region)
        inside = _clauses(state, pragma, inside.with_shared_names() if is_begun else inside, loop, head.name)
    if pragma is not None and pragma.collapse > 1:
        _collapsed(state, item, replace(inside, working=nest.working), pragma, head.name)
        return nest
    if is_for and nest.is_every_thread and pragma is not None and "simd" not in pragma.words:
        inside = _of_this_thread(state, inside, len(item.body))
    _iteration(state, item, inside)
    behind = after_loop(state, nest, head)
    if not isinstance(known, Undefined) or not head.is_outer:
        return behind
    return behind.with_names({head.name: replace(known, ended=(item, nest) if pragma is None else None)})


def _unused(state: ReaderState, nest: Context) -> str:
    """Returns the name of an iterator that the text does not have."""
    name = "trip"
    while name in nest.names or name in state.changed:
        name += "_"
    return name


def _collapsed(state: ReaderState, item: c.For, inside: Context, pragma: Pragma, iterator: str) -> None:
    """Reads the inner loops of a collapsed one. The innermost has the private variables of its iterations."""
    inner, inner_loops = item.body[0] if len(item.body) == 1 else None, pragma.collapse - 1
    if not isinstance(inner, c.For):
        raise outside(pragma.span, "`collapse` needs perfectly nested loops")
    private = tuple(name for name in pragma.private if name != iterator)
    rest = replace(pragma, collapse=inner_loops, private=private, reductions=(), nowait=False, is_inner=True)
    _loop(state, inner, inside, rest)


def _iteration(state: ReaderState, item: c.For, inside: Context) -> None:
    """Reads the body of a loop."""
    team = state.team
    if team is not None:
        team.rounds += inside.is_every_thread
    read_statements(state, item.body, inside)
    if team is not None:
        team.rounds -= inside.is_every_thread


def _iterations(head: LoopHead, nest: Context, loop: KernelLoop, is_for: bool) -> Context:
    inside = head.asides.added(nest).inside(loop, *head.conditions)
    iterator = NamedInteger(polynomial_of(head.iterator), head.type)
    is_shared_out = is_for and nest.working is None
    return replace(
        inside.with_names({**head.known, head.name: iterator}),
        working=len(nest.date) if is_shared_out else nest.working,
    )


def _of_this_thread(state: ReaderState, inside: Context, end: int) -> Context:
    """Marks thread-private objects of a region as unknown at the start of an iteration."""
    names = dict(inside.names)
    owned: dict[str, KernelArray] = {}
    for name, meaning in names.items():
        if isinstance(meaning, PointerView) and (array := meaning.array).name in state.per_thread:
            if array.name not in owned:
                own = replace(array, name=array_name(state, array.label), prefix=inside.iterators, is_stale=True)
                state.arrays[own.name] = owned[array.name] = own
            names[name] = replace(meaning, array=owned[array.name])
    if state.team is not None:
        state.team.loops.append(SharedUpdate(inside, end, owned, state.team.rounds > 0))
    return replace(inside, names=names)


def _clauses(state: ReaderState, pragma: Pragma, inside: Context, loop: KernelLoop, iterator: str) -> Context:
    """Gives each iteration its private variables, without a value."""
    inside = inside if pragma.collapse > 1 else _private(state, pragma, inside, iterator)
    reductions = list(inside.reductions)
    parted = {name: value for name, value in inside.names.items() if isinstance(value, PartialSum)}
    if "for" in pragma.words and not pragma.is_inner:
        reductions += [(partial.whole.array, partial.operator, (loop,)) for partial in parted.values()]
        inside = inside.with_names({name: partial.whole for name, partial in parted.items()})
    if pragma.is_inner:
        before = [component for component in inside.date if isinstance(component, KernelLoop)][-2]
        reductions = [(a, o, (*loops, loop) if before in loops else loops) for a, o, loops in reductions]
    for name, operator in pragma.reductions:
        meaning = accumulator(name, inside)
        if meaning is None:
            raise outside(pragma.span, f"the reduction variable `{name}` must be a scalar or a whole array")
        reductions.append((meaning.array, _combined_by(state, operator, meaning.array.type, pragma.span), (loop,)))
    return replace(inside, reductions=tuple(reductions))


def _check_clauses(state: ReaderState, pragma: Pragma, nest: Context, loop: c.For, iterator: str) -> None:
    """Raises Rejected if bounds use a private variable, which has no value, and for other names of an accumulator
    of a clause."""
    asked = (names_in((*loop.start, *loop.steps)) | names_in(loop.test)) - {iterator}
    for name in sorted(asked & {*pragma.private}):
        message = f"the bounds of this loop use `{name}`, which is private and has no value"
        raise outside(pragma.span, message, "remove it from `private`")
    _check_alone(state, pragma, nest, loop.body)


def _check_alone(state: ReaderState, pragma: Pragma, nest: Context, body: Trees) -> None:
    """Raises Rejected if an accumulator of a clause has another name, or functions use it: these mean the shared
    object."""
    called = [state.functions.called(node) for node in nodes(body, c.Call)]
    there = {name for function in called if function is not None for name in used_names(state.functions, function)}
    for name in (reduced.partition("[")[0].strip() for reduced, _ in pragma.reductions):
        others = _names_of(nest.names, name) & names_in(body)
        around = {**state.around, name: nest.names.get(name)}
        of_file = _names_of(around, name) | ({name} & state.around.keys())
        for other in sorted(others | of_file & there):
            message = f"but `{name}` is private to each thread in the reduction"
            raise outside(pragma.span, f"`{other}` refers to the shared variable, {message}")


def _parted(state: ReaderState, pragma: Pragma, inside: Context) -> Context:
    """Returns the context with the scalars that a region combines at its end."""
    parted = {}
    for name, operator in pragma.reductions:
        whole = accumulator(name, inside)
        if whole is None or whole.extents:
            message = f"the reduction of `{name}` over a whole `omp parallel` region is not supported"
            raise outside(pragma.span, message, "move the clause to the `omp for` loops of the region")
        parted[name] = PartialSum(whole, _combined_by(state, operator, whole.array.type, pragma.span))
    return inside.with_names(parted)


def _private(state: ReaderState, pragma: Pragma, inside: Context, iterator: str | None = None) -> Context:
    """Returns the context with the private variables of each thread or iteration. A `firstprivate` variable that
    never changes is treated as shared."""
    names = dict(inside.names)
    for name in (private for private in pragma.private if private != iterator):
        match names.get(name):
            case NamedInteger() | Undefined() as number:
                names[name] = Undefined(number.type)
            case InlinedValue(_, type_):
                names[name] = own_local(state, name, type_, (), inside, pragma.span)
            case PointerView(array) as pointer if _is_array(pointer):
                names[name] = own_local(state, name, array.type, array.extents, inside, array.span)
            case None:
                raise outside(pragma.span, f"`{name}` is not declared here")
            case _:
                message = f"`private({name})` is not supported: expected a scalar or a whole array"
                raise outside(pragma.span, message)
    for name in pragma.copied:
        known = names.get(name)
        if isinstance(known, NamedInteger | Undefined):
            names[name] = replace(known, is_shared=False)
        is_of_file = known is not None and known is state.around.get(name)
        if isinstance(known, PointerView) and (known.extents or name in state.changed or is_of_file):
            raise outside(pragma.span, f"`firstprivate({name})` is supported only for variables that never change")
    return replace(inside, names=names)


def _combined_by(state: ReaderState, operator: str, type_: ScalarType, span: Span) -> str:
    """Returns the operator of programs with which threads combine their values."""
    declared, of = state.combiners.get(operator, (operator, type_))
    if declared not in _COMBINED or of != type_:
        raise outside(span, f"the reduction `{operator}` is not supported for type {type_.name}")
    return declared


def _branch(state: ReaderState, item: c.If, nest: Context) -> Context | None:
    """Reads `if`: an affine condition restricts the statements inside; one on data chooses between values of one cell.
    Returns the context after it."""
    if (around := with_ended(state, nest, item)) is not nest:
        return None if _branch(state, item, around) is None else nest
    asides, otherwise = Existentials(), FALSE
    try:
        then = condition(state, nest, item.condition, asides)
        if item.otherwise:
            otherwise = condition(state, nest, item.condition, Existentials(), is_wanted=False)
    except NoIndex as problem:
        return _branch_on_data(state, item, nest, problem)
    around, other, released = asides.added(nest), nest, {*state.released}
    if then == FALSE and not asides.iterators:
        return left(state, nest, read_statements(state, item.otherwise, nest.at(1)))
    if item.otherwise and asides.iterators:
        otherwise = condition(state, nest, item.condition, (more := Existentials()), is_wanted=False)
        other = read_statements(state, item.otherwise, more.added(nest).where(otherwise).at(1))
    elif item.otherwise and otherwise != FALSE:
        other = read_statements(state, item.otherwise, around.where(otherwise).at(1))
    # What one branch releases, the other may use.
    state.released, there = released, state.released
    one = left(state, nest, read_statements(state, item.then, around.where(then).at(0)))
    state.released |= there
    return one if then == TRUE else joined(state, one, left(state, nest, other))


def _branch_on_data(state: ReaderState, item: c.If, nest: Context, problem: NoIndex) -> Context | None:
    match item:
        case c.If(c.Binary("&&", one, other), then, ()):
            return _branch(state, c.If(one, (c.If(other, then, at=item.at),), at=item.at), nest)
    check_not_followed(state, nest, item)
    if state.reads_masks and (updates := atomic_masks(item)) and _are_apart(nest, item):
        read_statements(state, updates, nest)
        return None
    branch = _masked(state, item, nest) or merge_branches(item)
    if branch is None and (parts := separated(item)) is not None and _are_apart(nest, item):
        for position, part in enumerate(parts):
            _branch_on_data(state, part, nest.at(position), problem)
        return None
    if branch is None:
        message = "is supported only if both branches assign the same cell"
        raise outside(problem.span, f"a condition on data ({problem.why}) {message}")
    target, value = branch
    pointer = _target(state, target, nest, asides := Existentials())
    if isinstance(value, c.Ternary) and not have_one_type(state, asides.added(nest), choices(value)):
        merged = merge_branches(item, c.scalar(pointer.array.type))
        value = value if merged is None else merged[1]
    assign(state, pointer, value, asides.added(nest), state.span(item))
    return None


def _returned(state: ReaderState, statements: Sequence[c.Statement], nest: Context) -> c.Expression | None:
    """Returns the data that the end of a function returns as one value, if its statements only choose it."""
    value, result = returned(statements), nest.names.get(RESULT)
    if value is None or not isinstance(result, PointerView) or have_one_type(state, nest, choices(value)):
        return value
    return returned(statements, c.scalar(result.array.type))


def _are_apart(nest: Context, item: c.If) -> bool:
    """Returns True if different names of pointers in a branch mean different arrays."""
    known = [nest.names.get(name) for name in sorted(names_in(item))]
    arrays = [meaning.array.name for meaning in known if isinstance(meaning, PointerView)]
    return len(arrays) == len({*arrays})


def _masked(state: ReaderState, item: c.If, nest: Context) -> tuple[c.Expression, c.Expression] | None:
    """Returns the cell and the value of a statement that adds where a condition on data holds, if such are read."""
    branch = masked(item) if state.reads_masks else None
    if branch is None:
        return None
    added = branch[1].right if isinstance(branch[1], c.Binary) else branch[1]
    zero = c.Literal("0")
    terms = [term for term in choices(added) if term != zero]
    if len(targets(item)) > 1 and not have_one_type(state, nest, terms):
        return None
    pointer = _target(state, branch[0], nest, Existentials())
    if pointer.array.type.is_float and len(terms) < len(choices(added)):
        state.loose.append((state.span(item), "where the condition fails, 0 is added: the sign of a zero may differ"))
        state.assume("a sum keeps its value if 0 is added: the sign of a zero may differ")
    return branch


def _assignment(state: ReaderState, item: c.Assign, nest: Context) -> Context | None:
    """Reads an assignment; returns the context after it if it gives an integer a value."""
    span, target, value = state.span(item), item.target, item.value
    if isinstance(value, c.Set):
        _assignment(state, c.Assign(value.target, value.value, value.operator, at=value.at), nest.at(0))
        value, nest = value.target, nest.at(1)
    if item.operator != "=":
        value = c.Binary(item.operator[:-1], target, value, at=item.at)
    elif store_entry(state, target, value, nest, span):
        return None
    name = target.name if isinstance(target, c.Name) else ""
    known = nest.names.get(name)
    if name in state.followed and isinstance(known, NamedInteger | Undefined):
        return assign_integer(state, name, value, nest, item)
    if isinstance(known, ReturnStatus) and returns_status_code(state.functions, value):
        succeed(state, value, nest)
        return None
    if isinstance(known, NamedInteger | Undefined | ReturnStatus):
        message = "is modified outside the head of a loop, so its value is unknown"
        raise outside(span, f"the integer `{name}` {message}")
    nest = called_before(state, value, nest)
    pointer = _target(state, target, nest, asides := Existentials())
    if pointer.is_pointer:
        message = "this pointer is reassigned other than by one step per loop iteration, or a swap"
        raise outside(span, message, "write `p[i]`")
    assign_lanes(state, pointer, value, asides.added(nest), span)
    return None


def _target(state: ReaderState, node: c.Expression, nest: Context, asides: Existentials) -> PointerView:
    pointer = view(state, nest, node, asides)
    if pointer is None:
        named_ = next(iter(nodes(node, c.Name)), None)
        if named_ is not None and named_.name not in nest.names:
            message = f"`{named_.name}` is neither an argument nor a local variable"
            raise outside(state.span(node), message, "pass it as an argument")
        if changes(node):
            raise outside(state.span(node), *INSIDE)
        message = "cannot assign to this expression: expected a scalar or an element of an array"
        raise outside(state.span(node), message)
    return pointer
