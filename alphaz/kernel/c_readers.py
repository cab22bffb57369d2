"""States sets of obligations on values that C reads: written before (C1), not overwritten (C4); of sums also complete
(R1), and not read too early (R3).
"""

from collections.abc import Iterator, Sequence

from .c_instances import HELD, SHARE, START, CInstance, CObligation, ValueInCell
from .cases import Json, all_equal, conjunctions, renamed, renamed_parts, values_of
from .checker import boolean, elements, integer, members, refuse
from .stated_sets import AbsentSet, item, only

ARRAY = "name type prefix extents limit subscripts held writers"
SUM = "key array operator type in_order items definitions"
VALUE = "key type indices definitions"
DEFINITION = "domain term operator items"
ITEM = "sign names domain projection term"


def unwritten(stated: CObligation, families: Json) -> None:
    """Adds the readers of a value that nothing has written before."""
    fields, reader = stated.reader(families["reader"])
    stated.absent += [stated_set for _, _, stated_set in _sources(stated, reader, boolean(fields["is_sum"]))]


def overwritten(stated: CObligation, families: Json) -> None:
    """Adds the readers of a value that nothing has written, or after which another value may be written."""
    fields, reader = stated.reader(families["reader"])
    is_sum = boolean(fields["is_sum"])
    arrays = (members(array, ARRAY) for array in elements(stated.inventory["arrays"]))
    writers = elements(only(array for array in arrays if array["name"] == reader.array)["writers"])
    for role, source, written in _sources(stated, reader, is_sum):
        same = [claim for claim in stated.claims_of(reader).values() if (claim["role"] == "value") is (role != "start")]
        between = [_between(stated, reader, source, number, same) for number in writers]
        stated.absent.append(AbsentSet(written.names, written.parts, absent=between))


def _sources(stated: CObligation, reader: ValueInCell, is_sum: bool) -> Iterator[tuple[object, CInstance, AbsentSet]]:
    """Yields the role of each writer of a value, its instance, and the set of those that have written before."""
    for held in (members(value, HELD) for value in elements(stated.inventory["inputs"])):
        if (held["array"], held["variable"]) == (reader.array, reader.key):
            names = list[str]()
            point = stated.fresh(held["names"], "writer", names)
            caller = CInstance(None, point, stated.bound(held["names"], point), START)
            cell = values_of(held["cell"], caller.names)
            value = ValueInCell(instance=caller, array=reader.array, cell=cell, key=reader.key, point=point)
            order, domain = stated.before(caller, reader.instance), renamed(held["domain"], caller.names)
            yield "value", caller, AbsentSet(names, [domain, [value.meets(reader)], order])
    for number, claim in stated.claims_of(reader).items():
        if claim["role"] == "value" or (is_sum and claim["role"] == "start"):
            names = list[str]()
            writer = stated.claimed(number, "writer", names)
            order = stated.before(writer.value.instance, reader.instance)
            parts = [*writer.domain, [writer.value.meets(reader)], order]
            yield claim["role"], writer.value.instance, AbsentSet(names, parts)


def _between(
    stated: CObligation, reader: ValueInCell, source: CInstance, number: object, same: Sequence[Json]
) -> AbsentSet:
    """Returns the set of instances of a statement that may write another value into the cell between the two."""
    names = list[str]()
    writer = stated.instance(number, "between", names)
    array, cell = stated.access(writer, 0)
    if array != reader.array:
        refuse("the inventory does not list the writers of an array")
    late, early = stated.before(reader.instance, writer, is_it=False), stated.before(writer, source, is_it=False)
    domain = elements(stated.statement(number)["domain"])
    without = [*writer.is_same(reader.instance), *writer.is_same(source)]
    for claim in (claim for claim in same if claim["statement"] == number):
        part_of = [part for part in elements(claim["domain"]) if part not in domain]
        is_it = all_equal(values_of(claim["point"], writer.names), reader.point)
        without += conjunctions(*(renamed(part, writer.names) for part in part_of), is_it)
    parts = [*renamed_parts(domain, writer.names), all_equal(cell, reader.cell), late, early]
    return AbsentSet(names, parts, without)


# --- sums -------------------------------------------------------------------------------------------------------------


def missing(stated: CObligation, families: Json) -> None:
    """Adds the readers of a sum that was started, with a point of an item that no share has added."""
    _, reader = stated.reader(families["reader"])
    sums = (members(value, SUM) for value in elements(stated.inventory["sums"]))
    sum_ = only(entry for entry in sums if (entry["key"], entry["array"]) == (reader.key, reader.array))
    case_number, number = _numbered(sum_, integer(families["item"], 0))
    values = (members(value, VALUE) for value in elements(stated.inventory["values"]))
    value = only(entry for entry in values if entry["key"] == reader.key)
    definitions = elements(sum_["definitions"], len(elements(sum_["items"])))
    fields = item(item(value["definitions"], definitions[case_number], DEFINITION)["items"], number, ITEM)
    body = stated.fresh(fields["names"], "item")
    names = stated.bound(fields["names"], body)
    claims = {at: claim for at, claim in stated.claims_of(reader).items() if claim["role"] != "value"}
    starts = (at for at, claim in claims.items() if claim["role"] == "start")
    started = [piece for at in starts for piece in _started(stated, reader, at)]
    belongs = all_equal(values_of(fields["projection"], names), reader.point)
    stated.parts += [started, renamed(fields["domain"], names), belongs]
    for at in (at for at, claim in claims.items() if claim["case"] == case_number):
        for share in (members(share, SHARE) for share in elements(claims[at]["shares"])):
            if share["item"] == number:
                own = list[str]()
                writer = stated.claimed(at, "share", own)
                is_it = all_equal(body, values_of(share["body"], writer.value.instance.names))
                here = conjunctions([writer.value.meets(reader)], is_it)
                stated.absent.append(AbsentSet(own, [*writer.domain, here]))


def _numbered(sum_: Json, number: int) -> tuple[int, int]:
    """Returns the case of a sum, and the number of an item there, of one that is numbered through all cases."""
    for at, count in enumerate(integer(value, 0) for value in elements(sum_["items"])):
        if number < count:
            return at, number
        number -= count
    return refuse("the sum has no such item")


def _started(stated: CObligation, reader: ValueInCell, number: int) -> Iterator[Json]:
    """Yields the cases where an instance, over auxiliary names, has started the sum before it is read."""
    names = list[str]()
    start = stated.claimed(number, "start", names)
    stated.auxiliary += [name for name in names if name not in stated.auxiliary]
    order = stated.before(start.value.instance, reader.instance)
    yield from conjunctions(*start.domain, [start.value.meets(reader)], order)


def too_early(stated: CObligation, families: Json) -> None:
    """Adds the readers of a sum to which an instance may add later."""
    _, reader = stated.reader(families["reader"])
    writer = stated.claimed(families["source"], "source")
    order = stated.before(writer.value.instance, reader.instance, is_it=False)
    stated.parts += [*writer.domain, [writer.value.meets(reader)], order]
