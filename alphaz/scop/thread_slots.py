"""Arrays with an element for each thread of a region, added up after it, as private variables that are merged.

double part[8] = {0};                             double part_all = 0;
#pragma omp parallel num_threads(8)               #pragma omp parallel num_threads(8)
{                                                 {
    int t = omp_get_thread_num();                     double part_own = 0;
    #pragma omp for                                   #pragma omp for
    for (i = 0; i < n; i++)                           for (i = 0; i < n; i++)
        part[t] += x[i];                                  part_own += x[i];
}                                                     #pragma omp critical
for (t = 0; t < 8; t++)                               part_all += part_own;
    s += part[t];                                 }
                                                  s += part_all;

Elements without a thread hold 0. There is an element for each thread: the number of elements is that of a clause
`num_threads`, or omp_get_max_threads() where there is none.
"""

from dataclasses import dataclass, replace

from alphaz.c import tree as c
from alphaz.c.walk import Part, nodes, rebuilt
from alphaz.model.types import ScalarType
from alphaz.poly.plain.polynomial import Polynomial
from alphaz.scop.idioms import is_behind_directive
from alphaz.scop.substitution import count, mentioned, names_in, substitute_names
from alphaz.scop.thread_numbers import MOST, NUMBER, NUMBERS, ThreadNumbers, atom, numbers_of, without_unused
from alphaz.scop.tree_queries import (
    Statements,
    base,
    body_of,
    declarations,
    element_type,
    freed,
    integer,
    words_of_directives,
)

_ONE = Polynomial.constant(1)
# Functions that do not change the number of threads of later regions.
_PLAIN_CALLS = frozenset({"calloc", "malloc", "free", "memset", "memcpy", *NUMBERS})
_ZEROS = frozenset({"0", "0.0", "0.", "0.0f", "0.f"})


def without_slots(function: c.Function) -> c.Function:
    """Returns the function without such arrays of its own block."""
    numbers = numbers_of(function)
    if numbers is None:
        return function
    body = _without(function, body_of(function), numbers)
    return replace(function, body=without_unused(body, numbers))


def _without(function: c.Function, statements: Statements, numbers: ThreadNumbers) -> Statements:
    before = numbers
    for position, region in enumerate(statements):
        if isinstance(region, c.Omp) and region.directive == "parallel" and region.body is not None:
            for declaration in statements[:position]:
                if isinstance(declaration, c.Declare) and count(region.body, declaration.name):
                    slots = _Slots.of(
                        function, statements[:position], region, statements[position + 1 :], declaration, before
                    )
                    if slots is not None:
                        return _without(function, slots.merged(), numbers)
        before = before.declaring(region)
    return statements


@dataclass(frozen=True, slots=True)
class _Slots:
    """An array with an element for each thread: the statements `before` the region without it, its uses in the
    `region`, and the statements `behind`, of which number `merge` adds it to a `target`."""

    declaration: c.Declare
    before: Statements
    region: c.Omp
    behind: Statements
    merge: int
    target: c.Expression

    @staticmethod
    def of(
        function: c.Function, before: Statements, region: c.Omp, behind: Statements, declaration: c.Declare,
        numbers: ThreadNumbers,
    ) -> "_Slots | None":  # fmt: skip
        """Returns the elements of an array; None if it has other ones, or other uses."""
        name, body = declaration.name, region.body or ()
        inside = numbers.inside(region)
        for statement in body:
            inside = inside.declaring(statement)
        places = {_place(node, name, inside, NUMBER) for node in _elements(body, name)}
        position = next(iter(places)) if len(places) == 1 else None
        listed = [clause for clause in region.clauses if name in names_in(clause.arguments)]
        is_shared = all(clause.name == "shared" for clause in listed) and name not in words_of_directives(body)
        if position is None or count(body, name) != len(_elements(body, name)) or not is_shared:
            return None
        length = _length(declaration, numbers) if _is_plain(declaration, position) else None
        merged = _merge(behind, name, position, numbers)
        if merged is None or length is None or _type_of(function, merged[1]) != element_type(declaration.type):
            return None
        merge, target, slots = merged
        size = length - slots * position.step
        is_large = not size.names and size.at({}) >= 0 and 0 <= position.first < position.step.at({})
        own, all_ = f"{name}_own", f"{name}_all"
        taken = mentioned(function) | {parameter.name for parameter in function.parameters}
        calls = {call.function for call in nodes((*before, *behind[:merge]), c.Call)}
        if not calls <= _PLAIN_CALLS or _has_other_meanings(function, region, name):
            return None
        is_last = _is_released(declaration, behind[merge + 1 :])
        if not is_large or not is_last or {own, all_} & taken or not _are_enough(region, slots, numbers):
            return None
        unfilled = _unfilled(before, declaration, position, slots, numbers)
        return (
            None
            if unfilled is None
            else _Slots(
                declaration=declaration, before=unfilled, region=region, behind=behind, merge=merge, target=target
            )
        )

    def merged(self) -> Statements:
        """Returns the statements with private variables."""
        name, at = self.declaration.name, self.region.at
        own, all_ = c.Name(f"{name}_own", at=at), c.Name(f"{name}_all", at=at)
        type_ = replace(base(self.declaration.type), const=False)
        body = self.region.body or ()
        match [statement for statement in body if count(statement, name)]:
            case [c.Assign(c.Index(), value, "=") as only] if not count(value, name):
                merge = c.Omp("critical", (), (c.Assign(all_, value, "+=", at=only.at),), at=only.at)
                body = tuple(merge if statement is only else statement for statement in body)
            case _:
                private = c.Declare(type_, own.name, c.ZERO, at=at)
                merge = c.Omp("critical", (), (c.Assign(all_, own, "+=", at=at),), at=at)
                body = (private, *(_with_own(statement, name, own) for statement in body), merge)
        last = self.behind[self.merge]
        behind = (
            c.Assign(self.target, all_, "+=", at=last.at) if statement is last else statement
            for statement in self.behind
            if freed(statement) != c.Name(name)
        )
        total = c.Declare(type_, all_.name, c.ZERO, at=at)
        clauses = tuple(substitute_names(clause, {name: all_}) for clause in self.region.clauses)
        return (*self.before, total, replace(self.region, clauses=clauses, body=body), *behind)


@dataclass(frozen=True, slots=True)
class _Position:
    """The place of the element of thread t, `step * t + first`; or the first one in a row of its own."""

    step: Polynomial
    first: int = 0
    is_row: bool = False


def _elements(part: Statements | c.Statement, name: str) -> list[c.Index]:
    """Returns the elements of an array of one or two dimensions."""
    inner = {id(node.base) for node in nodes(part, c.Index)}
    return [node for node in nodes(part, c.Index) if id(node) not in inner and _root(node) == name]


def _root(node: c.Expression) -> str:
    while isinstance(node, c.Index):
        node = node.base
    return node.name if isinstance(node, c.Name) else ""


def _place(node: c.Index, name: str, numbers: ThreadNumbers, member: str) -> _Position | None:
    """Returns the place of an element by the number `member` of its thread; None if it is no such element."""
    match node:
        case c.Index(c.Index(c.Name(own), row), c.Literal("0")) if own == name and numbers.of(row) == atom(member):
            return _Position(_ONE, is_row=True)
        case c.Index(c.Name(own), index) if own == name and (number := numbers.of(index)) is not None:
            powers = number.by_powers(member)
            first, step = powers.get(0, Polynomial()), powers.get(1, Polynomial())
            if {*powers} <= {0, 1} and not first.names and not step.names and step.terms:
                return _Position(step, int(first.at({})))
    return None


def _has_other_meanings(function: c.Function, region: c.Omp, name: str) -> bool:
    """Returns True if a name is declared twice, or if numbers of threads may be those of a region in the region."""
    inner = [node for node in nodes(region.body, c.Omp) if "parallel" in node.directive.split()]
    return bool(inner) or [declaration.name for declaration in declarations(function)].count(name) != 1


def _is_released(declaration: c.Declare, behind: Statements) -> bool:
    """Returns True if the last uses of an array release it, once and only if it is allocated."""
    uses = [one for one in behind if count(one, declaration.name)]
    is_allocated = isinstance(declaration.type, c.Pointer)
    return len(uses) <= is_allocated and all(freed(use) == c.Name(declaration.name) for use in uses)


def _is_plain(declaration: c.Declare, position: _Position) -> bool:
    """Returns True for an array of numbers of its block that may be assigned, with rows for elements in rows."""
    type_, value = declaration.type, declaration.value
    of = type_.of if isinstance(type_, c.Array) else type_.to if isinstance(type_, c.Pointer) else type_
    if position.is_row and isinstance(of, c.Array):
        if not isinstance(of.extent, c.Literal) or integer(of.extent) in (None, 0):
            return False
        of = of.of
    elif position.is_row:
        return False
    if isinstance(value, c.Init) and (_excess(value) or not isinstance(type_, c.Array) or not _is_number(type_)):
        return False
    return isinstance(of, c.Scalar | c.Named) and not of.const and not of.volatile and not declaration.storage


def _excess(value: c.Init) -> bool:
    return len(value.values) > 1 or any(isinstance(one, c.Init) and _excess(one) for _, one in value.values)


def _is_number(type_: c.Array) -> bool:
    return isinstance(type_.extent, c.Literal)


def _length(declaration: c.Declare, numbers: ThreadNumbers) -> Polynomial | None:
    """Returns the first extent of an array, or the number of elements that `calloc` allocates."""
    value = declaration.value.operand if isinstance(declaration.value, c.Cast) else declaration.value
    match declaration.type, value:
        case c.Array(extent=extent), _ if extent is not None:
            return numbers.of(extent)
        case c.Pointer(), c.Call("calloc", (length, c.SizeOf(c.Unary("*", c.Name(name)) | c.Index(c.Name(name))))):
            return numbers.of(length) if name == declaration.name else None
        case c.Pointer(to), c.Call("calloc", (length, c.SizeOf(c.Scalar() | c.Named() as of))):
            return numbers.of(length) if replace(of, const=False) == replace(to, const=False) else None
    return None


def _merge(
    behind: Statements, name: str, position: _Position, numbers: ThreadNumbers
) -> tuple[int, c.Expression, Polynomial] | None:
    """Returns the number of the statement that adds up all elements, its target, and the number of elements."""
    at = next((index for index, statement in enumerate(behind) if count(statement, name)), len(behind))
    if at == len(behind) or is_behind_directive(behind, at):
        return None
    match _loop(behind[at], numbers):
        case (slots, iterator, c.Assign(target, c.Index() as element, "+=")):
            pass
        case (slots, iterator, c.Assign(target, c.Binary("+", own, c.Index() as element), "=")) if own == target:
            pass
        case _:
            return None
    inside = replace(numbers, stable=numbers.stable | {iterator})
    is_all = _place(element, name, inside, iterator) == position
    return (at, target, slots) if is_all and not count(target, iterator) and not count(target, name) else None


def _loop(statement: c.Statement, numbers: ThreadNumbers) -> tuple[Polynomial, str, c.Statement] | None:
    """Returns the number of iterations, the iterator and the only statement of a loop from 0 upwards."""
    match statement:
        case c.For(
            (c.Declare(name=name, value=c.Literal("0")) | c.Assign(c.Name(name), c.Literal("0"), "="),),
            c.Binary("<", c.Name(tested), end), (c.Step("++", _, c.Name(stepped)),), (only,),
        ) if name == tested == stepped and (slots := numbers.of(end)) is not None:  # fmt: skip
            return slots, name, only
    return None


def _type_of(function: c.Function, target: c.Expression) -> ScalarType | None:
    """Returns the type of a variable, or of an element."""
    while isinstance(target, c.Index | c.Unary):
        target = target.base if isinstance(target, c.Index) else target.operand
    named = [node for node in declarations(function) if isinstance(target, c.Name) and node.name == target.name]
    return element_type(named[0].type) if len(named) == 1 else None


def _are_enough(region: c.Omp, slots: Polynomial, numbers: ThreadNumbers) -> bool:
    """Returns True if a region has at most so many threads."""
    stated = [clause.arguments for clause in region.clauses if clause.name == "num_threads"]
    if not stated:
        return slots == atom(MOST)
    most = numbers.of(stated[0][0]) if len(stated[0]) == 1 else None
    rest = None if most is None else slots - most
    return rest is not None and not rest.names and rest.at({}) >= 0


def _unfilled(
    before: Statements, declaration: c.Declare, position: _Position, slots: Polynomial, numbers: ThreadNumbers
) -> Statements | None:
    """Returns the statements before a region without the array, whose elements they set to 0; None if they do not."""
    name, is_filled = declaration.name, _is_zero(declaration.value)
    remaining: list[c.Statement] = []
    for index, statement in enumerate(before):
        if statement is declaration:
            continue
        if not count(statement, name):
            remaining.append(statement)
            continue
        match _loop(statement, numbers):
            case (filled, iterator, c.Assign(c.Index() as element, c.Literal(text), "=")) if text in _ZEROS:
                inside = replace(numbers, stable=numbers.stable | {iterator})
                place = _place(element, name, inside, iterator)
                is_every = place == _Position(_ONE) and filled == slots * position.step and not position.is_row
                if is_behind_directive(before, index) or not (is_every or (place == position and filled == slots)):
                    return None
                is_filled = True
            case _:
                return None
    return tuple(remaining) if is_filled else None


def _is_zero(value: c.Expression | None) -> bool:
    """Returns True for an initial value that makes all elements 0."""
    match value:
        case c.Cast(operand=operand):
            return _is_zero(operand)
        case c.Call("calloc"):
            return True
        case c.Init(values):
            return all(
                not marks and (_is_zero(one) if isinstance(one, c.Init) else _is_number_0(one)) for marks, one in values
            )
    return False


def _is_number_0(value: c.Expression) -> bool:
    return isinstance(value, c.Literal) and value.text in _ZEROS


def _with_own(statement: c.Statement, name: str, own: c.Name) -> c.Statement:
    def change(part: Part) -> Part | None:
        return own if isinstance(part, c.Index) and _root(part) == name else None

    return rebuilt(statement, change)
