"""Ranges of iterations by the number of a thread as shared loops.

#pragma omp parallel                              #pragma omp parallel
{                                                 {
    int t = omp_get_thread_num();                     #pragma omp for nowait
    int nt = omp_get_num_threads();                   for (i = 0; i < n; i++)
    for (i = t * n / nt;                                  y[i] = x[i];
         i < (t + 1) * n / nt; i++)               }
        y[i] = x[i];
}

The ranges are one of the assignments of iterations to threads for which a shared loop is proved.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from alphaz.c import tree as c
from alphaz.c.walk import nodes, with_blocks
from alphaz.poly.plain.polynomial import Polynomial
from alphaz.scop.substitution import as_declared, count, names_in, touched
from alphaz.scop.tree_queries import (
    Statements,
    addressed,
    assigned,
    body_of,
    changed_in_head,
    declarations,
    integer,
    is_index_type,
    is_integer,
    is_wide_integer,
    names_among,
    scalar_type,
)

NUMBERS = NUMBER, COUNT, MOST = "omp_get_thread_num", "omp_get_num_threads", "omp_get_max_threads"
USED_OTHERWISE = (
    "is supported for ranges that together are all iterations, such as `t * n / count` to `(t + 1) * n / count`, and"
    " for elements `part[t]` that are 0 before the region, one for each thread that it may have, and added up after it"
)


def atom(text: str) -> Polynomial:
    """Returns the polynomial that is the integer of this name."""
    return Polynomial.of([(((text, 1),), 1)])


# The clauses of a region in which its variables have the values that they have before it.
_WITH_OUTER_VALUES = frozenset({"shared", "firstprivate", "num_threads", "if"})
THREAD, THREADS, _ONE = atom(NUMBER), atom(COUNT), Polynomial.constant(1)


def without_thread_numbers(function: c.Function) -> c.Function:
    """Returns the function in this form, as far as its regions allow it."""
    numbers = numbers_of(function)
    return function if numbers is None else replace(function, body=_block(body_of(function), numbers))


def numbers_of(function: c.Function) -> "ThreadNumbers | None":
    """Returns the integers at the begin of a function; None if it uses no numbers of threads."""
    if not any(call.function == NUMBER for call in nodes(function.body, c.Call)):
        return None
    names = [node.name for node in declarations(function)]
    others = {node.name for node in declarations(function) if not is_wide_integer(scalar_type(node.type))}
    integers = {*names} - others - names_among(addressed(function.body))
    stable = {name for name in integers if names.count(name) == 1} - _changed(body_of(function))
    once = frozenset(name for name in names if names.count(name) == 1)
    types = {node.name: scalar_type(node.type) for node in declarations(function)}
    unsigned = frozenset(name for name, type_ in types.items() if type_ is not None and not type_.signed)
    return ThreadNumbers(
        known={}, declared={}, fixed=frozenset(integers), stable=frozenset(stable), own=once, unsigned=unsigned
    )


def _changed(statements: Statements) -> set[str]:
    """Returns the names that statements change after their declaration, iterators among them."""
    heads = {name for loop in nodes(statements, c.For) for name in changed_in_head(loop)}
    return {*assigned(statements)} | heads


@dataclass(frozen=True, slots=True)
class ThreadNumbers:
    """Integers that are known as polynomials of thread numbers and other integers, with their declarations. `fixed` are
    the integers with one value for all threads of the region, `stable` those that keep the value of their declaration.
    `own` are the names with one declaration, in a region those of which each thread has its own, `unsigned` the
    unsigned integers; `is_inside`: in a region."""

    known: Mapping[str, Polynomial]
    declared: Mapping[str, c.Declare]
    fixed: frozenset[str]
    stable: frozenset[str]
    own: frozenset[str]
    unsigned: frozenset[str]
    is_inside: bool = False

    def inside(self, region: c.Omp) -> "ThreadNumbers":
        """Returns the integers of a region: those that it declares or changes, or that are private, may differ between
        its threads."""
        body = region.body or ()
        clauses = [clause for clause in region.clauses if clause.name not in _WITH_OUTER_VALUES]
        other = touched(body) | {name for clause in clauses for name in names_in(clause.arguments)}
        own = [declared.name for declared in nodes(body, c.Declare)]
        return ThreadNumbers(
            known={name: number for name, number in self.known.items() if name not in other},
            declared={name: declared for name, declared in self.declared.items() if name not in other},
            fixed=self.fixed - other,
            stable=frozenset(name for name in own if own.count(name) == 1) - _changed(body),
            own=self.own.intersection(own) | _private(region),
            unsigned=self.unsigned,
            is_inside=True,
        )

    def declaring(self, statement: c.Statement) -> "ThreadNumbers":
        """Returns the integers behind a statement."""
        match statement:
            case c.Declare(type=type_, name=name, value=value, storage="") if (
                value is not None and is_wide_integer(scalar_type(type_)) and name in self.stable
            ):
                number = self.of(value)
                if number is not None:
                    declared = {**self.declared, name: statement}
                    return replace(self, known={**self.known, name: number}, declared=declared)
        return self

    def of(self, value: c.Expression) -> Polynomial | None:
        """Returns an integer as a polynomial; None for other expressions, and for what may change."""
        match value:
            case c.Literal() if is_integer(value):
                number = integer(value)
                return None if number is None else Polynomial.constant(number)
            case c.Name(name):
                is_fixed = name in (self.fixed if self.is_inside else self.stable)
                return self.known.get(name, atom(name) if is_fixed else None)
            case c.Call(str(name), ()) if name == MOST or (self.is_inside and name in (NUMBER, COUNT)):
                return None if name == MOST and self.is_inside else atom(name)
            case c.Cast(type_, operand) if is_index_type(scalar_type(type_)):
                return self.of(operand)
            case c.Ternary(test, then, otherwise):
                return self._choice(test, then, otherwise)
            case c.Binary(operator, left, right):
                one, other = self.of(left), self.of(right)
                combined = None if one is None or other is None else _combined(operator, one, other)
                if combined is None or operator != "-" or not names_in(value) & self.unsigned:
                    return combined
                return combined if not _is_of_threads(combined) or _is_never_negative(combined) else None
        return None

    def _choice(self, test: c.Expression, then: c.Expression, otherwise: c.Expression) -> Polynomial | None:
        one, other = self.of(then), self.of(otherwise)
        if not isinstance(test, c.Binary) or one is None or other is None:
            return None
        left, right = self.of(test.left), self.of(test.right)
        if left is None or right is None:
            return None
        if (test.operator in ("<", "<=") and (left, right) == (one, other)) or (
            test.operator in (">", ">=") and (left, right) == (other, one)
        ):
            return _least(one, other)
        if test.operator == "<" and (one, other) == (_ONE, Polynomial()):
            return _less(left, right)
        return _chosen(left, right, one, other) if test.operator == "==" else None


def _combined(operator: str, one: Polynomial, other: Polynomial) -> Polynomial | None:
    match operator:
        case "+":
            return one + other
        case "-":
            return one - other
        case "*":
            return one * other
        case "/" | "%":
            return _divided(one, other, operator)
        case "<":
            return _less(one, other)
    return None


def _divided(one: Polynomial, other: Polynomial, operator: str = "/") -> Polynomial:
    return atom(f"({one} {operator} {other})")


def _least(one: Polynomial, other: Polynomial) -> Polynomial:
    return atom(f"min{sorted((str(one), str(other)))}")


def _less(one: Polynomial, other: Polynomial) -> Polynomial:
    return atom(f"({one} < {other})")


def _chosen(left: Polynomial, right: Polynomial, one: Polynomial, other: Polynomial) -> Polynomial:
    """Returns `left == right ? one : other`."""
    return atom(f"{sorted((str(left - right), str(right - left)))} ? {one} : {other}")


def _is_never_negative(number: Polynomial) -> bool:
    """Returns True for `nt - 1`, and for sums of it and terms with positive factors."""
    return all(factor > 0 for _, factor in (number - THREADS + _ONE).terms)


def _private(region: c.Omp) -> frozenset[str]:
    return frozenset(
        name for clause in region.clauses if clause.name == "private" for name in names_in(clause.arguments)
    )


def _is_of_threads(number: Polynomial) -> bool:
    return NUMBER in str(number) or COUNT in str(number)


# --- regions ----------------------------------------------------------------------------------------------------------


def _block(statements: Statements, numbers: ThreadNumbers) -> Statements:
    """Returns the statements of a block with its regions in this form."""
    block: list[c.Statement] = []
    for statement in statements:
        if isinstance(statement, c.Omp) and statement.directive == "parallel" and statement.body is not None:
            inside = numbers.inside(statement)
            block.append(replace(statement, body=without_unused(_shared_out(statement.body, inside), inside)))
        elif isinstance(statement, c.Omp):
            block.append(statement)
        else:
            block.append(with_blocks(statement, lambda body, around=numbers: _block(body, around)))  # type: ignore[misc]
        numbers = numbers.declaring(statement)
    return tuple(block)


def without_unused(statements: Statements, numbers: ThreadNumbers) -> Statements:
    """Returns the statements without integers that are made of numbers of threads, and are not used any more."""
    for statement in statements:
        numbers = numbers.declaring(statement)
    for declaration in [*numbers.declared.values()][::-1]:
        is_made = any(word in str(numbers.known[declaration.name]) for word in (NUMBER, COUNT, MOST))
        if is_made and declaration in statements and count(statements, declaration.name) == 0:
            statements = tuple(statement for statement in statements if statement is not declaration)
    return statements


# --- ranges -----------------------------------------------------------------------------------------------------------


def _shared_out(statements: Statements, numbers: ThreadNumbers) -> Statements:
    """Returns the statements that every thread executes, with its loops over ranges of its own as shared loops."""
    block: list[c.Statement] = []
    for position, statement in enumerate(statements):
        shared = None
        is_hinted = position > 0 and isinstance(statements[position - 1], c.Pragma)
        if isinstance(statement, c.For) and not is_hinted:
            shared = _shared_loop(statement, numbers)
        if shared is not None:
            block.append(c.Omp("for", (c.Clause("nowait"),), (shared,), at=statement.at))
        elif isinstance(statement, c.For | c.Block):
            block.append(with_blocks(statement, lambda body, around=numbers: _shared_out(body, around)))  # type: ignore[misc]
        else:
            block.append(statement)
        numbers = numbers.declaring(statement)
    return tuple(block)


def _shared_loop(loop: c.For, numbers: ThreadNumbers) -> c.For | None:
    """Returns a loop over the part of a range that a thread has as one over the whole range; None for other loops."""
    match loop.start, loop.test:
        case (c.Declare(name=name, value=first) | c.Assign(c.Name(name), first, "=") as start,), c.Binary(
            "<" | "<=" as operator, c.Name(own), last
        ) if own == name and first is not None and (isinstance(start, c.Declare) or name in numbers.own):
            pass
        case _:
            return None
    begin, end = numbers.of(first), numbers.of(last)
    if begin is None or end is None or not _is_of_threads(begin):
        return None
    used = (first, last, *_definitions((first, last), numbers))
    base: c.Expression = c.ZERO
    match loop.steps:
        case (c.Step("++"),):
            interval = _range(begin, end + _ONE if operator == "<=" else end, used, numbers)
            if interval is None:
                return None
            base, length = interval
            held = _held(length, used, numbers)
            bound: c.Expression = (
                held if base == c.ZERO else c.Binary("+", _held(base, used, numbers), held, at=loop.at)
            )
            test = c.Binary("<", c.Name(name, at=loop.at), _held(bound, used, numbers), at=loop.at)
        case (c.Set("+=", c.Name(stepped), by),) if stepped == name:
            if numbers.of(by) != THREADS or _is_of_threads(end):
                return None
            begins = [value for value in (c.ZERO, *_parts(used)) if numbers.of(value) == begin - THREAD]
            if not begins:
                return None
            base, test = begins[0], loop.test
        case _:
            return None
    begun = _held(base, used, numbers)
    starts = tuple(replace(one, value=begun) for one in loop.start if isinstance(one, c.Declare | c.Assign))
    return replace(loop, start=starts, test=test, steps=(c.Step("++", False, c.Name(name, at=loop.at), at=loop.at),))


def _definitions(values: Sequence[c.Expression], numbers: ThreadNumbers) -> Iterator[c.Expression]:
    """Yields the values of the integers in expressions, and of the integers in these."""
    for name in sorted(names_in(values) & numbers.declared.keys()):
        value = numbers.declared[name].value
        if value is not None:
            yield value
            yield from _definitions((value,), numbers)


def _parts(values: Sequence[c.Expression]) -> list[c.Name | c.Literal | c.Binary]:
    """Returns the parts of expressions that may be the length or the begin of a range."""
    return [*nodes(values, c.Literal), *nodes(values, (c.Name, c.Binary))]


def _range(
    begin: Polynomial, end: Polynomial, used: Sequence[c.Expression], numbers: ThreadNumbers
) -> tuple[c.Expression, c.Expression] | None:
    """Returns the begin and the length of the range of which each thread has the part from `begin` to `end`."""
    parts = [(value, numbers.of(value)) for value in (c.ZERO, *_parts(used))]
    known = {number: value for value, number in reversed(parts) if number is not None and not _is_of_threads(number)}
    for base, start in known.items():
        for length, value in known.items():
            if any((begin - base, end - base) == part for part in _shares(length)):
                return start, value
    return None


def _shares(n: Polynomial) -> Iterator[tuple[Polynomial, Polynomial]]:
    """Yields the ranges of a thread that, over all threads, are the numbers from 0 to n - 1, each once; they are empty
    for all threads if n is not positive."""
    t, threads = THREAD, THREADS
    yield _divided(t * n, threads), _divided((t + _ONE) * n, threads)
    upwards = _divided(n + threads - _ONE, threads)
    yield t * upwards, _least(t * upwards + upwards, n)
    yield _least(t * upwards, n), _least(t * upwards + upwards, n)
    share, rest = _divided(n, threads), _divided(n, threads, "%")
    yield t * share, _chosen(t, threads - _ONE, n, t * share + share)
    begin = t * share + _least(t, rest)
    yield begin, begin + share + _less(t, rest)
    yield begin, (t + _ONE) * share + _least(t + _ONE, rest)


def _held(value: c.Expression, used: Sequence[c.Expression], numbers: ThreadNumbers) -> c.Expression:
    """Returns a value as the integers in these expressions hold it."""
    types = {numbers.declared[name].type for name in names_in(used) & numbers.declared.keys()}
    for type_ in sorted(types, key=str):
        value = as_declared(type_, value)
    return value
