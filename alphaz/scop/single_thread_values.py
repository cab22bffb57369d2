"""Moves values that one thread computes for all (`single`) before the parallel region.

int last;                                       int last;
                                                last = n - 1;
#pragma omp parallel                            #pragma omp parallel
{                                               {
    #pragma omp single                              #pragma omp barrier
    last = n - 1;
    .. x[last] ..                                   .. x[last] ..
}                                               }

The region does not use the variable earlier, and the value does not depend on it. `copyprivate(t)` gives the copy of
each thread the value of one: a copy that changes nowhere else is a shared variable.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from alphaz.c import tree as c
from alphaz.c.walk import nodes, with_blocks, with_name
from alphaz.scop.idioms import is_behind_directive
from alphaz.scop.substitution import mentioned, names_in, touched, unused_name
from alphaz.scop.tree_queries import (
    CLAUSES_WITHOUT_DATA,
    Statements,
    addressed,
    contents,
    is_wide_integer,
    names_among,
    scalar_type,
    targets,
    types_by_name,
)

_BARRIER = c.Omp("barrier", (), None)
_PARTS_OF_INDICES = (c.Name, c.Literal, c.Binary, c.Ternary)


def with_values_before_regions(function: c.Function) -> c.Function:
    """Returns a function whose regions begin with the integers that one of their threads assigns for all."""
    body = function.body
    if body is None or not any(omp.directive in ("single", "master", "masked") for omp in nodes(body, c.Omp)):
        return function
    pointed = names_among(addressed(body))
    steady = {
        name: type_
        for name, type_ in types_by_name(function).items()
        if scalar_type(type_) is not None and name not in pointed
    }
    return replace(function, body=_block(body, _Variables(steady, frozenset(mentioned(function)))))


@dataclass(frozen=True, slots=True)
class _Variables:
    """The scalars of a function that have one meaning and no address, with their types, and all of its names."""

    types: dict[str, c.Type]
    names: frozenset[str]

    def is_index(self, name: str) -> bool:
        """Returns True for an integer whose values may be subscripts."""
        return name in self.types and is_wide_integer(scalar_type(self.types[name]))

    def new(self, name: str) -> str:
        """Returns a name for a shared variable, which the function does not have."""
        return unused_name(name, self.names)


def _block(statements: Sequence[c.Statement], variables: _Variables) -> Statements:
    block: list[c.Statement] = []
    for position, statement in enumerate(statements):
        match statement:
            case c.Omp("parallel", _, body) if body is not None and not is_behind_directive(statements, position):
                block += _before_region(statement, variables)
            case _:
                block.append(with_blocks(statement, lambda inside: _block(inside, variables)))
    return tuple(block)


def _before_region(region: c.Omp, variables: _Variables) -> Iterator[c.Statement]:
    """Yields the assignments of integers that a region need not do, and the region."""
    body = contents(region.body or ())
    declared, region, body = _with_shared_copies(region, body, variables)
    yield from declared
    private = {name for clause in region.clauses if clause.name != "shared" for name in names_in(clause)}
    private |= {item.name for item in nodes(body, c.Declare)}
    after: list[c.Statement] = []
    for position, statement in enumerate(body):
        moved: list[c.Statement] = []
        if _is_for_all(body, position):
            assert isinstance(statement, c.Omp)
            moved, statement = _moved(statement, after, private, variables)
        yield from moved
        after.append(statement)
    yield replace(region, body=tuple(after))


def _is_for_all(body: Statements, position: int) -> bool:
    """Returns True if one thread executes a statement of a region, and all wait for it."""
    if is_behind_directive(body, position):
        return False
    match body[position]:
        case c.Omp("single", (), (_, *_)):
            return True
        case c.Omp("single", (c.Clause("nowait"),), (_, *_)) | c.Omp("master" | "masked", (), (_, *_)):
            return body[position + 1 : position + 2] == (_BARRIER,)
    return False


def _moved(
    single: c.Omp, before: Sequence[c.Statement], private: Collection[str], variables: _Variables
) -> tuple[list[c.Statement], c.Omp]:
    """Returns the assignments that may stand before a region, and the rest of the statements of the one thread, with a
    barrier behind them. `before`: the statements of the region before these."""
    body = contents(single.body or ())
    moved: list[c.Statement] = []
    rest: list[c.Statement] = []
    for statement in body:
        match statement:
            case c.Assign(c.Name(name), value, "=") if (
                variables.is_index(name)
                and name not in mentioned((*before, *rest)) | {*private}
                and not names_in(value) & (touched((*before, *rest)) | {*private})
                and name not in names_in(value)
                and _is_index(value, variables)
            ):
                moved.append(statement)
            case _:
                rest.append(statement)
    if not moved:
        return [], single
    return moved, replace(single, body=tuple(rest)) if rest else replace(_BARRIER, at=single.at)


def _is_index(value: c.Expression, variables: _Variables) -> bool:
    """Returns True for an expression of integers that is defined wherever it stands, if it does not overflow."""
    operators = {node.operator for node in nodes(value, c.Binary)}
    is_plain = all(isinstance(node, _PARTS_OF_INDICES) for node in nodes(value, c.Node)) and not operators & {"/", "%"}
    return is_plain and all(map(variables.is_index, names_in(value)))


def _with_shared_copies(
    region: c.Omp, body: Statements, variables: _Variables
) -> tuple[list[c.Statement], c.Omp, Statements]:
    """Returns declarations of shared variables, and a region in which they replace the copies that all threads get from
    one."""
    declared: list[c.Statement] = []
    for position, statement in enumerate(body):
        match statement:
            case c.Omp("single", clauses, (_, *_)) if any(clause.name == "copyprivate" for clause in clauses):
                pass
            case _:
                continue
        copied = [name for clause in clauses if clause.name == "copyprivate" for name in names_in(clause)]
        if len(clauses) != 1 or not all(_is_copy(region, body, position, name, variables) for name in copied):
            continue
        body = (*body[:position], replace(statement, clauses=()), *body[position + 1 :])
        for name in copied:
            new = variables.new(name)
            declared.append(c.Declare(_plain(variables.types[name]), new, at=region.at))
            variables.types[new] = _plain(variables.types[name])
            body = with_name((one for one in body if not _declares(one, name)), name, new)
            region = replace(region, clauses=tuple(_without(region.clauses, name)))
        return _and_more(declared, *_with_shared_copies(region, body, variables))
    return declared, region, body


def _and_more(
    declared: list[c.Statement], more: list[c.Statement], region: c.Omp, body: Statements
) -> tuple[list[c.Statement], c.Omp, Statements]:
    return [*declared, *more], region, body


def _plain(type_: c.Type) -> c.Type:
    return replace(type_, const=False)


def _declares(statement: c.Statement, name: str) -> bool:
    return isinstance(statement, c.Declare) and statement.name == name


def _without(clauses: Sequence[c.Clause], name: str) -> Iterator[c.Clause]:
    """Yields the clauses without a private variable."""
    for clause in clauses:
        rest = tuple(argument for argument in clause.arguments if argument != c.Name(name))
        if clause.name != "private" or rest:
            yield replace(clause, arguments=rest) if clause.name == "private" else clause


def _is_copy(region: c.Omp, body: Statements, position: int, name: str, variables: _Variables) -> bool:
    """Returns True for a scalar of each thread that the region assigns in this statement alone, and does not use
    earlier."""
    if name not in variables.types or any(
        clause.name not in CLAUSES_WITHOUT_DATA | {"private"} for clause in region.clauses
    ):
        return False
    named = [clause for clause in region.clauses if name in names_in(clause)]
    own = [item for item in body if isinstance(item, c.Declare) and item.name == name]
    is_private = len(named) == 1 and named[0].name == "private" and not own
    is_declared = len(own) == 1 and not named and own[0].value is None and not own[0].storage
    rest = [item for item in (*body[:position], *body[position + 1 :]) if item not in own]
    is_shareable = not any(clause.name == "default" for clause in region.clauses)
    inside = [omp for omp in nodes(rest, c.Omp) if any(name in names_in(clause) for clause in omp.clauses)]
    return (
        (is_private or is_declared)
        and is_shareable
        and not inside
        and c.Name(name) not in targets(rest)
        and name not in mentioned([item for item in body[:position] if item not in own])
    )
