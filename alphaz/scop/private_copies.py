"""Private variables of a region, or of a parallel loop, as variables that its block declares.

double g;                               double g;
#pragma omp parallel private(g)         #pragma omp parallel
{                                       {
    g = f * f;                              double g__0;
    .. g ..                                 g__0 = f * f;
}                                           .. g__0 ..
                                        }

The copy of each thread has no value at first. A pointer of a loop gets its value in each iteration, or has none. A
number that all threads compute alike, once, is computed in each iteration of the loops that use it instead:

#pragma omp parallel                    #pragma omp parallel
{                                       {
    double g = f * f;
    #pragma omp for                         #pragma omp for
    for (..)                                for (..) {
        .. g ..                                 double g = f * f;
}                                               .. g .. }
                                        }
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from alphaz.c import tree as c
from alphaz.c.walk import copied, nodes, with_blocks, with_name
from alphaz.scop.idioms import is_behind_directive
from alphaz.scop.substitution import count, mentioned, names_in, touched, unused_name
from alphaz.scop.tree_queries import (
    Statements,
    addressed,
    contents,
    declarations,
    is_simple,
    names_among,
    scalar_type,
    targets,
    types_by_name,
)


def with_own_declarations(function: c.Function, tree: c.File) -> c.Function:
    """Returns a function of a file whose regions declare their private variables, except integers, where they are
    used."""
    body = function.body
    if body is None or not nodes(body, c.Omp):
        return function
    types = types_by_name(function)
    is_called = function.name in {call.function for call in nodes(tree.items, c.Call)}
    known = _Names(
        types=types,
        names={*mentioned(function), *(item.name for item in declarations(function))},
        body=body,
        objects=_objects(function.parameters if not is_called else (), body, types),
        pointed=names_among(addressed(tree.items)),
    )
    after = _block(body, known)
    return replace(function, body=tuple(one for one in after if not _is_left(one, known.inside)))


def _is_left(statement: c.Statement, names: set[str]) -> bool:
    """Returns True for a declaration of a variable that only a region uses, which declares it itself."""
    return isinstance(statement, c.Declare) and statement.name in names and statement.value is None


@dataclass(frozen=True, slots=True)
class _Names:
    """The types of the variables of a function that have one meaning, all of its names, the arrays that its pointers
    point to, and the variables with an address."""

    types: dict[str, c.Type]
    names: set[str]
    body: Statements
    objects: Mapping[str, frozenset[str]]
    pointed: set[str]
    inside: set[str] = field(default_factory=set)

    def new(self, name: str, block: Statements) -> str:
        """Returns the name of a variable of a block: its own one if the function uses it there alone."""
        if count(self.body, name) == count(block, name) and any(_declares(one, name) for one in self.body):
            self.inside.add(name)
            return name
        new = unused_name(name, self.names)
        self.names.add(new)
        return new

    def are_apart(self, names: Collection[str], statements: Statements) -> bool:
        """Returns True if no element that the statements assign is one that an expression of these names may read."""
        read = frozenset[str]()
        for name in names:
            if scalar_type(self.types.get(name)) is None:
                if name not in self.objects:
                    return False
                read |= self.objects[name]
        stored = [target for target in targets(statements) if not isinstance(target, c.Name)]
        written = [self.objects.get(_base(target)) for target in stored]
        return not read or all(wholes is not None and not wholes & read for wholes in written)

    def moves(self, name: str, block: Statements, is_region: bool) -> bool:
        """Returns True for a pointer, and in a region for a number that is no integer."""
        type_ = self.types.get(name)
        if isinstance(type_, c.Pointer):
            first = next((one for one in block if name in mentioned(one)), None)
            is_begun = (
                isinstance(first, c.Assign) and first.target == c.Name(name) and name not in names_in(first.value)
            )
            return is_begun and is_simple(type_.to) and scalar_type(type_.to) is not None and not type_.const
        number = None if type_ is None else scalar_type(type_)
        return is_region and number is not None and number.kind != "int"


def _objects(
    parameters: Sequence[c.Parameter], body: Statements, types: Mapping[str, c.Type]
) -> dict[str, frozenset[str]]:
    """Returns the arrays of numbers that names point to, of those for which it is clear and never changes: arguments,
    local arrays, and pointers that begin in these."""
    steady = types.keys() - names_among((*targets(body), *addressed(body)))
    objects = {
        parameter.name: frozenset({parameter.name})
        for parameter in parameters
        if parameter.name in steady and _is_of_numbers(parameter.type)
    }
    for item in nodes(body, c.Declare):
        if item.name not in steady:
            continue
        if isinstance(item.type, c.Array) and _is_of_numbers(item.type) and not item.storage:
            objects[item.name] = frozenset({item.name})
        elif isinstance(item.type, c.Pointer) and item.value is not None:
            used = [name for name in names_in(item.value) if scalar_type(types.get(name)) is None]
            if used and all(name in objects for name in used):
                objects[item.name] = frozenset(whole for name in used for whole in objects[name])
    return objects


def _is_of_numbers(type_: c.Type) -> bool:
    """Returns True for an array, and for a pointer to numbers or to rows of them."""
    inside = type_.to if isinstance(type_, c.Pointer) else type_
    while isinstance(inside, c.Array):
        inside = inside.of
    return inside is not type_ and is_simple(inside) and scalar_type(inside) is not None


def _block(statements: Sequence[c.Statement], names: _Names) -> Statements:
    return tuple(
        _statement(with_blocks(statement, lambda inside: _block(inside, names)), names) for statement in statements
    )


def _statement(statement: c.Statement, names: _Names) -> c.Statement:
    match statement:
        case c.Omp("parallel", _, (*_, _) as body):
            inside = contents(body)
            changed, moved = _moved(statement, inside, names, is_region=True)
            moved = _in_iterations(moved, names)
            return statement if moved is inside else replace(changed, body=(c.Block(moved, at=statement.at),))
        case c.Omp("parallel sections" | "sections", _, (*_, _) as body):
            changed, inside = _moved(statement, body, names, is_region=True, is_shared=True)
            return replace(changed, body=inside) if changed is not statement else statement
        case c.Omp("parallel for" | "for", _, (c.For() as loop,)):
            changed, inside = _moved(statement, loop.body, names, is_region=False)
            return replace(changed, body=(replace(loop, body=inside),)) if changed is not statement else statement
    return statement


def _in_iterations(block: Statements, names: _Names) -> Statements:
    """Returns the statements of a region with the numbers that all threads compute alike in the iterations of its
    loops."""
    for position in range(len(block)):
        declared = _begun(block, position)
        if declared is None:
            continue
        before = tuple(one for one in block[:position] if not _declares(one, declared.name))
        rest = [_with_value(one, declared) for one in block[position + 1 :]]
        after = tuple(one for one in rest if one is not None)
        if len(after) == len(rest) and _is_alike(declared, (*before, *after), names):
            return _in_iterations((*before, *after), names)
    return block


def _declares(statement: c.Statement, name: str) -> bool:
    return isinstance(statement, c.Declare) and statement.name == name


def _begun(block: Statements, position: int) -> c.Declare | None:
    """Returns the number that a statement of a region declares with its value, or gives its only value; None for other
    statements."""
    if is_behind_directive(block, position):
        return None
    match block[position]:
        case c.Declare(value=value) as found if value is not None:
            pass
        case c.Assign(c.Name(name), value, "="):
            declared = [one for one in block[:position] if isinstance(one, c.Declare) and one.name == name]
            if len(declared) != 1 or declared[0].value is not None:
                return None
            if name in mentioned([one for one in block[:position] if one is not declared[0]]):
                return None
            found = replace(declared[0], value=value, at=block[position].at)
        case _:
            return None
    type_ = scalar_type(found.type)
    return found if type_ is not None and type_.kind != "int" and not found.storage else None


def _with_value(statement: c.Statement, declared: c.Declare) -> c.Statement | None:
    """Returns a loop of a region that begins its iterations with a declaration; other statements unchanged. None if one
    uses the variable in another way."""
    if declared.name not in mentioned(statement):
        return statement
    match statement:
        case c.Omp("for", clauses, (c.For() as loop,)) if declared.name not in names_in(replace(loop, body=())):
            if any(declared.name in names_in(clause) or clause.name == "collapse" for clause in clauses):
                return None
            own = copied(declared)
            return replace(statement, body=(replace(loop, body=(own, *loop.body)),))
    return None


def _is_alike(declared: c.Declare, others: Statements, names: _Names) -> bool:
    """Returns True if the value of a number is the same wherever the region computes it, and it has no other one."""
    value = declared.value
    assert value is not None
    changed = {name for target in targets(others) for name in _changed_names(target)} | touched(others) - {
        declared.name
    }
    is_plain = not nodes(value, (c.Call, c.Step, c.Set)) and not addressed(value)
    calls = nodes(others, c.Call)
    used = names_in(value)
    is_kept = not used & (changed | names.pointed | {declared.name}) and declared.name not in changed
    is_kept = is_kept and names.are_apart(used, others)
    return is_plain and is_kept and not calls and declared.name not in names_among(addressed(others))


def _base(target: c.Expression) -> str:
    """Returns the name of the pointer or array of an element; empty for other targets."""
    while isinstance(target, c.Index):
        target = target.base
    return target.name if isinstance(target, c.Name) else ""


def _changed_names(target: c.Expression) -> set[str]:
    """Returns the variable or the array that an assignment changes; all names of other targets."""
    while isinstance(target, c.Index):
        target = target.base
    return names_in(target)


def _moved(
    omp: c.Omp, inside: Statements, names: _Names, *, is_region: bool, is_shared: bool = False
) -> tuple[c.Omp, Statements]:
    """Returns the directive without private variables that the statements inside declare, and these. `is_shared`: the
    statements are sections."""
    private = [name for clause in omp.clauses if clause.name == "private" for name in names_in(clause)]
    moved = [name for name in private if names.moves(name, inside, is_region)]
    others = [clause for clause in omp.clauses if clause.name != "private"]
    inner = {name for node in nodes(inside, c.Omp) for clause in node.clauses for name in names_in(clause)}
    has_default = any(clause.name == "default" for clause in others)
    moved = [name for name in moved if name not in inner and private.count(name) == 1 and not has_default]
    if not moved or {*moved} & {name for clause in others for name in names_in(clause)}:
        return omp, inside
    for name in moved:
        new = names.new(name, inside)
        declared, inside = c.Declare(names.types[name], new, at=omp.at), with_name(inside, name, new)
        inside = _in_each_section(declared, inside) if is_shared else (declared, *inside)
    return replace(omp, clauses=tuple(_rest(omp, {*moved}))), inside


def _in_each_section(declared: c.Declare, statements: Statements) -> Statements:
    """Returns the sections with a variable of each."""
    blocks = (statement.body or () if isinstance(statement, c.Omp) else (statement,) for statement in statements)
    return tuple(c.Omp("section", (), (declared, *block), at=declared.at) for block in blocks)


def _rest(omp: c.Omp, moved: set[str]) -> list[c.Clause]:
    """Returns the clauses without these private variables."""
    clauses = []
    for clause in omp.clauses:
        if clause.name == "private":
            clause = replace(
                clause, arguments=tuple(argument for argument in clause.arguments if not names_in(argument) & moved)
            )
            if not clause.arguments:
                continue
        clauses.append(clause)
    return clauses
