"""Steps inside expressions as statements, and pointers and arguments that change as integers of their own.

c[n++] = x;                            c[n] = x; n++;
double v = *p++;                       double v = *(p + p_at); p_at++;     with `long p_at = 0;` after p's declaration
while (n-- > 0) BODY                   while (n > 0) { n--; BODY } n--;
double v = y[0] = x;                   y[0] = x; double v = y[0];
void f(int n) { .. n -= 2; .. }        void f(int n) { int n_now = n; .. n_now -= 2; .. }

All forms keep the meaning of the text. `scop.recurrences` gives the integers their values.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from alphaz.c import tree as c
from alphaz.c.walk import Part, children, nodes, rebuilt, with_blocks, with_name
from alphaz.scop.idioms import as_statement, is_behind_directive
from alphaz.scop.substitution import count, exchanged, is_steady, mentioned, names_in
from alphaz.scop.tree_queries import (
    Statements,
    addressed,
    assigned,
    changes,
    declarations,
    is_wide_integer,
    names_among,
    names_declared,
    scalar_type,
    stepped_name,
    targets,
    words_of_directives,
)


def with_plain_steps(function: c.Function) -> c.Function:
    """Returns the function in this form; the function itself if it has nothing of the kind."""
    if function.body is None:
        return function
    plain = replace(function, body=_hoisted(function.body))
    arguments = frozenset(parameter.name for parameter in function.parameters)
    plain = replace(plain, body=_without_last_steps(plain.body or (), arguments))
    plain = _with_offsets(plain)
    plain = _with_own_integers(plain)
    return function if plain.body == function.body else plain


# --- steps inside expressions -----------------------------------------------------------------------------------------


def _hoisted(statements: Statements) -> Statements:
    block: list[c.Statement] = []
    for position, item in enumerate(statements):
        inside = with_blocks(item, _hoisted)
        block += (inside,) if is_behind_directive(statements, position) else _plain(inside)
    return tuple(block)


def _plain(item: c.Statement) -> Statements:
    """Returns a statement as statements without steps in expressions."""
    match item:
        case c.Declare(value=c.Set("=", target, value)) if not nodes(target, (c.Step, c.Set, c.Call)):
            first = c.Assign(target, value, at=item.at)
            return *_plain(first), replace(item, value=target)
        case c.Assign() | c.Declare():
            return _without_steps(item, item)
        case c.Evaluate(expression) if not isinstance(expression, c.Step):
            return _without_steps(item, item)
        case c.While(test, body):
            return _loop(item, test, body)
        case c.For(start, test, steps, body) if test is not None and not nodes(body, c.Continue):
            if nodes(test, c.Step) and not names_in(steps) & names_declared(body):
                behind = map(as_statement, steps)
                return (c.Block((*start, *_loop(item, test, (*body, *behind))), at=item.at),)
            if len(start) > 1 or len(steps) > 1:
                return (_of_one_iterator(item, test),)
    return (item,)


def _of_one_iterator(loop: c.For, test: c.Expression) -> c.Statement:
    """Returns a loop with several iterators as one with the first that its condition compares; the others become
    variables around it."""
    stepped = [stepped_name(step) for step in loop.steps]
    own = next((name for name in stepped if name in names_in(test)), None)
    starts = [item for item in loop.start if own in (_begun(item), None)]
    if own is None or stepped.count(own) != 1 or len(starts) > 1 or None in stepped:
        return loop
    others = tuple(item for item in loop.start if item not in starts)
    if names_in(others) & {own} or names_in(starts) & {_begun(item) for item in others}:
        return loop
    steps = tuple(step for step in loop.steps if stepped_name(step) == own)
    behind = tuple(as_statement(step) for step in loop.steps if stepped_name(step) != own)
    # The names in the steps mean the variables outside of the body; the iterator takes its step before or after.
    if names_in(behind) & names_declared(loop.body) or own in names_in(behind):
        return loop
    if names_in(steps) - {own} & {name for name in stepped if name is not None}:
        return loop
    inner = replace(loop, start=tuple(starts), steps=steps, body=(*loop.body, *behind))
    return c.Block((*others, inner), at=loop.at) if others else inner


def _begun(item: c.Statement) -> str | None:
    match item:
        case c.Declare(name=name) | c.Assign(c.Name(name)):
            return name
    return None


def _without_steps(item: c.Statement, part: Part) -> Statements:
    """Returns a statement with the steps of one of its parts before and after it."""
    before: list[c.Statement] = []
    behind: list[c.Statement] = []
    for step in _certain_steps(part):
        assert isinstance(step.operand, c.Name)
        if count(item, step.operand.name) == 1:
            item = exchanged(item, step, step.operand)
            (before if step.prefix else behind).append(c.Evaluate(replace(step, prefix=False), at=step.at))
    return *before, item, *behind


def _certain_steps(part: Part) -> Iterator[c.Step]:
    """Yields the steps of variables that happen whenever the part is evaluated."""
    match part:
        case c.Step(operand=c.Name()):
            yield part
        case c.Ternary(condition):
            yield from _certain_steps(condition)
        case c.Binary("&&" | "||", left):
            yield from _certain_steps(left)
        case c.SizeOf() | c.Comma():
            return
        case _:
            for child in children(part):
                yield from _certain_steps(child)


def _loop(loop: c.While | c.For, test: c.Expression, body: Statements) -> Statements:
    """Returns a `while` loop with a step in its condition as one with the step in its body."""
    plain = c.While(test, body, at=loop.at)
    steps = [*_certain_steps(test)]
    if len(steps) != 1 or len(nodes(test, (c.Step, c.Set))) != 1:
        return (loop,)
    (step,) = steps
    assert isinstance(step.operand, c.Name)
    if count(test, step.operand.name) != 1 or step.operand.name in names_declared(body):
        return (loop,)
    changed = c.Evaluate(replace(step, prefix=False), at=step.at)
    condition = exchanged(test, step, step.operand)
    if isinstance(condition, c.Name):
        condition = c.Binary("!=", condition, c.Literal("0", at=step.at), at=step.at)
    if step.prefix and not nodes(body, c.Continue):
        return changed, replace(plain, condition=condition, body=(*body, changed))
    if not step.prefix and not nodes(body, c.Break):
        return replace(plain, condition=condition, body=(changed, *body)), changed
    return (loop,)


def _without_last_steps(body: Statements, arguments: frozenset[str] = frozenset()) -> Statements:
    """Returns a block without steps of its variables that are not used afterwards; these have a value."""
    body = tuple(with_blocks(item, _without_last_steps) for item in body)
    declared = arguments | {item.name for item in body if isinstance(item, c.Declare) and not item.storage}
    initialised = arguments | {item.name for item in body if isinstance(item, c.Declare) and item.value is not None}
    starts = (start for item in body if isinstance(item, c.For) for start in item.start)
    initialised |= names_among([item.target for item in (*body, *starts) if isinstance(item, c.Assign)])
    used = {node.name for node in nodes(body, c.Declare)} - declared | names_among(addressed(body))
    used |= {name for name in names_in(body) if name not in declared}
    remaining: list[c.Statement] = []
    for position, item in reversed([*enumerate(body)]):
        match item:
            case c.Evaluate(c.Step(operand=c.Name(name))) if name not in used and name in initialised:
                if not is_behind_directive(body, position):
                    continue
        # Before its declaration, a name is that of another variable.
        used |= mentioned(item)
        remaining.append(item)
    return tuple(reversed(remaining))


# --- pointers ---------------------------------------------------------------------------------------------------------


def _with_offsets(function: c.Function) -> c.Function:
    """Returns the function with pointers that only move as fixed pointers and integers."""
    for name in sorted(_moving_pointers(function)):
        function = _with_offset(function, name)
    return function


def _moving_pointers(function: c.Function) -> set[str]:
    body = function.body or ()
    changed = targets(body)
    declared = [node for node in nodes(body, c.Declare) if isinstance(node.type, c.Pointer)]
    names = [node.name for node in declared if node.value is not None and not node.storage]
    names += [parameter.name for parameter in function.parameters if isinstance(parameter.type, c.Pointer | c.Array)]
    every = [node.name for node in declarations(function)]
    free = {name for name in names if every.count(name) == 1}
    free -= names_among(addressed(body)) | words_of_directives(body)
    return {name for name in free if 0 < len(_moves(body, name)) == changed.count(c.Name(name))}


def _moves(body: Statements, name: str) -> list[Part]:
    """Returns the steps of a pointer."""
    steps: list[Part] = [*nodes(body, (c.Step, c.Set)), *nodes(body, c.Assign)]
    return [step for step in steps if _is_move(step, name)]


def _is_move(node: Part, name: str) -> bool:
    match node:
        case c.Step(operand=c.Name(own)) | c.Set("+=" | "-=", c.Name(own)):
            return own == name
        case c.Assign(c.Name(own), value, "+=" | "-="):
            return own == name and count(value, name) == 0
        case c.Assign(c.Name(own), c.Binary("+" | "-", c.Name(left), right), "="):
            return own == left == name and count(right, name) == 0
    return False


def _by_offset(moves: set[int], name: str, offset: c.Name, part: Part) -> Part | None:
    """Returns a step of a pointer as one of its integer, and the pointer as its start and the integer; else None."""
    if id(part) in moves:
        match part:
            case c.Step():
                return replace(part, operand=offset)
            case c.Set() | c.Assign(operator="+=" | "-="):
                return replace(part, target=offset)
            case c.Assign(value=c.Binary() as moved):
                return replace(part, target=offset, value=replace(moved, left=offset))
    if isinstance(part, c.Name) and part.name == name:
        return c.Binary("+", part, offset, at=part.at)
    return None


def _with_offset(function: c.Function, name: str) -> c.Function:
    body = function.body or ()
    at = _unused(function, f"{name}_at")
    offset = c.Name(at)
    moves = {id(node) for node in _moves(body, name)}
    change = partial(_by_offset, moves, name, offset)

    def moved(statements: Statements) -> Statements:
        """Returns the statements after the declaration of the pointer; before the first move it stays itself."""
        first = next((place for place, item in enumerate(statements) if _moves((item,), name)), 0)
        declaration = c.Declare(c.Scalar("long"), at, c.Literal("0"), at=statements[first].at if statements else None)
        return *statements[:first], declaration, *(rebuilt(item, change) for item in statements[first:])

    def in_head(loop: c.For, pointer: c.Declare) -> c.Statement:
        """Returns a loop with the integer in its head, and the pointer in each iteration, or before the loop."""
        begun = c.Declare(c.Scalar("long"), at, c.Literal("0"), at=loop.at)
        inner = rebuilt(replace(loop, start=(begun, *loop.start[1:])), change)
        test = _test_of_iterations(loop, pointer, offset, function)
        if test is None:
            return c.Block((pointer, inner), at=loop.at)
        # The elements have its type.
        value = None if pointer.value is None else c.Cast(pointer.type, pointer.value, at=loop.at)
        return replace(inner, test=test, body=(replace(pointer, value=value), *inner.body))

    def around(statements: Statements) -> Statements:
        block: list[c.Statement] = []
        for place, item in enumerate(statements):
            match item:
                case c.Declare(name=own) if own == name:
                    return *block, item, *moved(statements[place + 1 :])
                case c.For(start=(c.Declare(name=own) as pointer, *_)) if own == name:
                    block.append(in_head(item, pointer))
                    continue
            block.append(with_blocks(item, around))
        return tuple(block)

    is_parameter = any(parameter.name == name for parameter in function.parameters)
    return _with_lengths(replace(function, body=(moved if is_parameter else around)(body)), name, at)


def _test_of_iterations(loop: c.For, pointer: c.Declare, offset: c.Name, function: c.Function) -> c.Expression | None:
    """Returns the condition of a loop over a pointer by the number of steps, if each iteration can begin with the
    pointer's first value; else None."""
    name, start = pointer.name, pointer.value
    match loop.test:
        case c.Binary("<" | "!=" as operator, c.Name(tested), end) if tested == name and len(loop.start) == 1:
            length = None if start is None else distance(start, end, function)
        case _:
            return None
    used = names_in(start)
    own = {item.name for item in declarations(function)} - names_among(addressed(function.body))
    is_fixed = used <= own and is_steady({name, *used}, loop.body) and count(loop.steps, name) == 1
    if length is None or start is None or changes(start) or not is_fixed:
        return None
    return c.Binary(operator, offset, length, at=loop.at)


def _with_lengths(function: c.Function, name: str, at: str) -> c.Function:
    """Returns the function with comparisons of the moving pointer and its end as comparisons of the integer."""
    declared = [node.value for node in nodes(function.body, c.Declare) if node.name == name]
    starts = [c.Name(name), *(value for value in declared if value is not None and is_invariant(value, function))]

    def change(part: Part) -> Part | None:
        match part:
            case c.Binary("<" | "!=" as operator, c.Binary("+", c.Name(own), c.Name(moved)), end) if (own, moved) == (
                name,
                at,
            ):
                far = next((far for start in starts if (far := distance(start, end, function)) is not None), None)
                return None if far is None else c.Binary(operator, c.Name(at, at=part.at), far, at=part.at)
        return None

    return replace(function, body=tuple(rebuilt(item, change) for item in function.body or ()))


def distance(start: c.Expression, end: c.Expression, definition: c.Function) -> c.Expression | None:
    """Returns the distance of two pointers: n of `a` and `a + n`, or of a name for `a + n` that never changes."""
    match end:
        case c.Binary("+", left, right) if left == start:
            return right
        case c.Binary("+", left, right) if isinstance(start, c.Binary) and start.operator == "+" and start.left == left:
            return c.Binary("-", right, start.right, at=end.at)
        case c.Unary("&", c.Index(array, right)) if array == start:
            return right
        case c.Name() if is_invariant(end, definition):
            declared = (node for node in nodes(definition.body, c.Declare) if node.name == end.name)
            one = next((node.value for node in declared if isinstance(node.type, c.Pointer) and not node.storage), None)
            # Its operands do not change before the loop, and are no others there.
            if one is not None and is_invariant(one, definition) and not isinstance(one, c.Name):
                return distance(start, one, definition)
    return None


def is_invariant(value: c.Expression, definition: c.Function) -> bool:
    """Returns True if an expression has one value everywhere in a function: its names mean one variable each, which
    nothing changes."""
    declared = [node.name for node in declarations(definition)]
    names = names_in(value)
    changed = names_among(targets(definition.body)) | names_among(addressed(definition.body))
    return not names & changed and all(declared.count(name) <= 1 for name in names) and not nodes(value, c.Call)


# --- arguments --------------------------------------------------------------------------------------------------------


def _with_own_integers(function: c.Function) -> c.Function:
    """Returns the function with integers of its own for integer arguments that it changes."""
    body = function.body or ()
    changed = names_among(targets(body)) - names_among(addressed(body)) - words_of_directives(body)
    for parameter in function.parameters:
        type_ = scalar_type(parameter.type)
        if parameter.name not in changed or not is_wide_integer(type_):
            continue
        if any(node.name == parameter.name for node in nodes(body, c.Declare)):
            continue
        own = _unused(function, f"{parameter.name}_now")
        value = c.Declare(parameter.type, own, c.Name(parameter.name, at=parameter.at), at=parameter.at)
        body = (value, *with_name(body, parameter.name, own))
        function = replace(function, body=body)
    return function


def _unused(function: c.Function, name: str) -> str:
    taken = mentioned(function) | {parameter.name for parameter in function.parameters}
    while name in taken:
        name += "_"
    return name


# --- loops whose variable also changes elsewhere ----------------------------------------------------------------------


def with_while_loops(body: Statements) -> Statements:
    """Returns the statements with `for` loops whose variable changes outside of heads, too, as `while` loops."""
    return _as_while(body, assigned(body))


def _as_while(statements: Sequence[c.Statement], changed: frozenset[str]) -> Statements:
    block: list[c.Statement] = []
    for position, item in enumerate(statements):
        if isinstance(item, c.Omp):
            block.append(item)
            continue
        inside = with_blocks(item, lambda body: _as_while(body, changed))
        block += (inside,) if is_behind_directive(statements, position) else _plain_while(inside, changed)
    return tuple(block)


def _plain_while(item: c.Statement, changed: frozenset[str]) -> Statements:
    match item:
        case c.For(start, test, (step,), body) if test is not None and len(start) <= 1:
            is_outside = not names_in(step) & names_declared(body)
            if stepped_name(step) in changed and is_outside and not nodes(body, c.Continue):
                loop = c.While(test, (*body, as_statement(step)), at=item.at)
                is_own = start and isinstance(start[0], c.Declare)
                return (c.Block((*start, loop), at=item.at),) if is_own else (*start, loop)
    return (item,)
