"""States what no obligation on C says: a set of points for each claim, need and output, that the rest of the inventory
does not cover.

A claim is about instances of its statement. The readers of a need, or of an output, are all instances that need it, or
all its points: there they read the value that is required, or one of which it is a copy, in the required cell.
"""

from collections.abc import Callable, Iterator
from functools import partial

from .c_instances import CLAIM, HELD, READER, CObligation
from .c_readers import DEFINITION, VALUE
from .cases import Json, Sum, all_equal, renamed, renamed_parts, values_of
from .checker import elements, integer, members, refuse
from .order import OperationOrder
from .stated_sets import AbsentSet

NEED = "access key point"
TERM = "operator type operands access name at"
# The most copies of copies that are followed.
MOST_COPIES = 20

StatedSet = Callable[[], tuple[Json, list[list[Json]]]]  # returns violations with their parts
Required = tuple[object, list[Sum], object, list[Sum]]
"""An array and a cell, the key of a value and its point."""


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
        for way in _copies(stated, key, at, reader["key"], own, MOST_COPIES):
            here = all_equal(cell, values_of(reader["cell"], names))
            stated.absent.append(AbsentSet([], [*domain, here, *way]))


def _copies(
    stated: CObligation, key: object, point: list[Sum], origin: object, there: list[Sum], depth: int
) -> Iterator[list[list[Json]]]:
    """Yields the conditions, for each way of copies, that a value is the value `origin` at the point `there`."""
    if key == origin:
        yield [all_equal(point, there)]
    values = [members(value, VALUE) for value in elements(stated.inventory["values"])]
    for value in (value for value in values if value["key"] == key and depth):
        names = stated.bound(value["indices"], point)
        for definition in (members(entry, DEFINITION) for entry in elements(value["definitions"])):
            domain = renamed(definition["domain"], names)
            if definition["term"] is None or elements(definition["items"]):
                continue
            term = members(definition["term"], TERM)
            if term["operator"] == "number" and _is_number(values, origin, term):
                yield [domain]
            types = [entry["type"] for entry in values if entry["key"] in (key, term["name"])]
            if term["operator"] == "value" and len({*types}) == 1:
                at = values_of(term["at"], names)
                for way in _copies(stated, term["name"], at, origin, there, depth - 1):
                    yield [domain, *way]


def _is_number(values: list[Json], key: object, term: Json) -> bool:
    """Returns True if a value is a number of the equations everywhere."""
    own = [definition for value in values if value["key"] == key for definition in elements(value["definitions"])]
    return [members(definition, DEFINITION)["term"] for definition in own] == [term]
