"""States the sets of points that claims and readers of a C function leave uncovered; no obligation is about them.

A claim is about instances of its statement. The readers of a need, or of an output, are all instances that need it, or
all its points: there they read the value that is required, or one of which it is a copy, in the required cell.
"""

from collections.abc import Callable, Iterator
from functools import partial

from .c_instances import CLAIM, HELD, READER, CObligation
from .c_readers import DEFINITION, VALUE
from .cases import Json, Sum, all_equal, renamed, renamed_parts, values_of
from .checker import elements, integer, members, plus, refuse
from .order import OperationOrder
from .stated_sets import AbsentSet, item

NEED = "access key point"
TERM = "operator type operands access name at"
# The most copies of copies that are followed; those along one vector count as one.
MOST_COPIES = 8

StatedSet = Callable[[], tuple[Json, list[list[Json]]]]  # returns violations with their parts
Required = tuple[object, list[Sum], object, list[Sum]]
"""An array and a cell, the key of a value and its point."""
Copied = tuple[object, int, int]
"""A value that is a copy, with the numbers of its definition and case."""


def coverage(inventory: object) -> Iterator[tuple[str, StatedSet]]:
    """Yields the place in an inventory of each claim, need and output, and the function that states its set."""
    fields = members(inventory)
    for number, claim in enumerate(members(value, CLAIM) for value in elements(fields["claims"])):
        yield f"claims[{number}]", partial(_stated, fields, partial(_of_no_statement, claim))
        for at, need in enumerate(members(value, NEED) for value in elements(claim["needs"])):
            about = number, at, integer(claim["statement"])
            yield f"claims[{number}].needs[{at}]", partial(_stated, fields, partial(_not_read, claim, need, about))
    if not elements(fields["outputs"]):
        yield "outputs", partial(refuse, "there is none")
    for number, output in enumerate(members(value, HELD) for value in elements(fields["outputs"])):
        yield f"outputs[{number}]", partial(_stated, fields, partial(_not_output, output))


def _stated(inventory: Json, state: Callable[[CObligation], None]) -> tuple[Json, list[list[Json]]]:
    stated = CObligation(inventory, OperationOrder([]))
    state(stated)
    return stated.violations()


def _of_no_statement(claim: Json, stated: CObligation) -> None:
    """Adds the instances of a claim that its statement does not execute."""
    instance = stated.instance(claim["statement"], "claim")
    stated.parts += renamed_parts(claim["domain"], instance.names)
    executed = renamed_parts(stated.statement(claim["statement"])["domain"], instance.names)
    stated.absent.append(AbsentSet([], executed))


def _not_read(claim: Json, need: Json, about: tuple[int, int, int], stated: CObligation) -> None:
    """Adds the instances of a claim that no reader of a need is about."""
    instance = stated.instance(claim["statement"], "claim")
    stated.parts += renamed_parts(claim["domain"], instance.names)
    array, cell = stated.access(instance, need["access"])
    readers = _readers(stated, lambda reader: (reader["claim"], reader["need"], reader["statement"]) == about)
    _add_unread(stated, readers, instance.point, (array, cell, need["key"], values_of(need["point"], instance.names)))


def _not_output(output: Json, stated: CObligation) -> None:
    """Adds the points of an output that the caller does not read at the end."""
    if not elements(output["domain"]):
        refuse("the output has no points")
    point = stated.fresh(output["names"], "output")
    names = stated.bound(output["names"], point)
    stated.parts.append(renamed(output["domain"], names))
    about = None, None, f"output {output['variable']}"
    readers = _readers(stated, lambda reader: (reader["claim"], reader["statement"], reader["text"]) == about)
    _add_unread(stated, readers, point, (output["array"], values_of(output["cell"], names), output["variable"], point))


def _readers(stated: CObligation, is_about: Callable[[Json], bool]) -> list[Json]:
    return [*filter(is_about, (members(value, READER) for value in elements(stated.inventory["readers"])))]


def _add_unread(stated: CObligation, readers: list[Json], point: list[Sum], required: Required) -> None:
    """Adds that no reader at a point reads what is required."""
    array, cell, key, at = required
    for reader in (reader for reader in readers if reader["array"] == array):
        names = stated.bound(reader["names"], point)
        domain, own = renamed_parts(reader["domain"], names), values_of(reader["point"], names)
        for way in _copies(stated, key, at, reader["key"], own):
            here = all_equal(cell, values_of(reader["cell"], names))
            stated.absent.append(AbsentSet(way.names, [*domain, here, *way.parts]))


def _copies(
    stated: CObligation, key: object, point: list[Sum], origin: object, there: list[Sum], made: tuple[Copied, ...] = ()
) -> Iterator[AbsentSet]:
    """Yields the set, for each way of copies, that a value is the value `origin` at the point `there`."""
    if key == origin and not _differ(point, there):
        yield AbsentSet([], [all_equal(point, there)])
    values = [members(value, VALUE) for value in elements(stated.inventory["values"])]
    for value in (value for value in values if value["key"] == key and len(made) < MOST_COPIES):
        for number, definition in enumerate(members(entry, DEFINITION) for entry in elements(value["definitions"])):
            if definition["term"] is None or elements(definition["items"]):
                continue
            term = members(definition["term"], TERM)
            if term["operator"] == "number" and _is_number(values, origin, term):
                yield AbsentSet([], [renamed(definition["domain"], stated.bound(value["indices"], point))])
            types = [entry["type"] for entry in values if entry["key"] in (key, term["name"])]
            if term["operator"] == "value" and len({*types}) == 1:
                for copied, first, at in _made(stated, value, number, point, made):
                    for way in _copies(stated, term["name"], at, origin, there, (*made, copied)):
                        yield AbsentSet([*first.names, *way.names], [*first.parts, *way.parts])


def _made(
    stated: CObligation, value: Json, number: int, point: list[Sum], made: tuple[Copied, ...]
) -> Iterator[tuple[Copied, AbsentSet, list[Sum]]]:
    """Yields the copies that a definition makes, their conditions, and the point of the value that is copied: one copy,
    or any number of them along one vector, either way: all are in a case without divisions if the first and the last
    one are.
    """
    definition = item(value["definitions"], number, DEFINITION)
    names, term = stated.bound(value["indices"], point), members(definition["term"], TERM)
    at, cases = (
        values_of(term["at"], names),
        [members(piece, "rows divisions") for piece in elements(definition["domain"])],
    )
    steps = [plus(then, -1, now) for then, now in zip(at, point, strict=True)] if term["name"] == value["key"] else []
    if not steps or any(terms for terms, _ in steps) or any(piece["divisions"] for piece in cases):
        yield (value["key"], number, -1), AbsentSet([], [renamed(cases, names)]), at
        return
    for position, piece in enumerate(cases):
        copied = value["key"], number, position
        if copied not in made:
            own = list[str]()
            (more,) = stated.fresh([f"{len(made)}"], "copies", own)
            last = [plus(now, step, more) for now, (_, step) in zip(point, steps, strict=True)]
            there = stated.bound(value["indices"], last)
            parts = [renamed([piece], names), renamed([piece], there)]
            yield copied, AbsentSet(own, parts), [plus(now, 1, step) for now, step in zip(last, steps, strict=True)]


def _differ(one: list[Sum], other: list[Sum]) -> bool:
    """Returns True if two points have a component that differs by a number: copies along an index lead to many."""
    return any(x[0] == y[0] and x[1] != y[1] for x, y in zip(one, other, strict=False))


def _is_number(values: list[Json], key: object, term: Json) -> bool:
    """Returns True if a value is a number of the equations everywhere."""
    own = [definition for value in values if value["key"] == key for definition in elements(value["definitions"])]
    return [members(definition, DEFINITION)["term"] for definition in own] == [term]
