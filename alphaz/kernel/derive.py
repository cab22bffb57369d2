"""States the sets of obligations on mappings from the inventory of a certificate, without its `violations`.

docs/verifier.md defines the kinds; `order.py` states the order of operations, `ranks.py` the sets of distributed
mappings.
"""

from collections.abc import Iterator
from dataclasses import replace

from .cases import Json, Sum, all_equal, case, different, equal, renamed, smaller, values_of
from .checker import boolean, elements, integer, members, refuse
from .order import OperationOrder, TileBand, loops_of
from .ranks import OF_RANKS, at_once
from .stated_sets import KEY, OPERATION, READ, AbsentSet, StatedObligation, Statement, item, only

INVENTORY = "parameters context operations reads cells lifetimes before bands copies buffers in_place kept ranks"
LIFETIME = "argument allocation users free names instance"
COPY = "variable names domain source index text"
BUFFER = "reads leading sides"
IN_PLACE = "writer domain"
KEPT = "variable names domain indices instances target"


def derived(inventory: object, key: object) -> tuple[Json, list[list[Json]]]:
    """Returns the violations of an obligation, with their parts."""
    fields, inventory_fields = members(key, KEY), members(inventory, INVENTORY)
    state = STATED.get(str(fields["kind"])) or refuse("there is no such kind of obligation")
    statement = StatedObligation(
        inventory_fields, order_of(inventory_fields, boolean(fields["tiled"]), boolean(fields["sized"]))
    )
    statement.parts.append(renamed(inventory_fields["context"], statement.parameters))
    try:
        state(statement, fields["read"], members(fields["families"]))
    except KeyError as error:
        refuse(f"the key lacks {error}")
    return statement.violations()


def order_of(inventory: Json, is_tiled: bool, is_sized: bool) -> OperationOrder:
    """Returns the order of operations: with tiles of all sizes, or of those in the inventory."""
    before, bands = elements(inventory["before"]), tuple(map(TileBand.of, elements(inventory["bands"])))
    if is_sized and is_tiled:
        dates = (elements(members(family, OPERATION)["date"]) for family in elements(inventory["operations"]))
        return OperationOrder(before, loops=loops_of(bands, max(map(len, dates), default=0)))
    return OperationOrder(before, bands if is_tiled else ())


def _one_date_each(statement: StatedObligation, _: object, families: Json) -> None:
    a, b = (statement.occurrence(families["operation"], prefix=prefix) for prefix in ("one", "other"))
    statement.parts += [all_equal(a.date, b.date), smaller(a.point, b.point)]


def _accumulation(statement: StatedObligation, _: object, families: Json) -> None:
    a, b = (statement.occurrence(families["operation"], prefix=prefix) for prefix in ("one", "other"))
    statement.parts += [all_equal(a.target, b.target), smaller(a.point, b.point)]
    order = replace(statement.order, private=True)
    statement.parts += [order.failures(a, b), order.failures(b, a)]


def _causality(statement: StatedObligation, number: object, families: Json) -> None:
    used = statement.value(number, families["producer"])
    statement.parts.append(statement.order.failures(used.producer, used.consumer))


def _overwrite(statement: StatedObligation, number: object, families: Json) -> None:
    read, reader, index = statement.read(number)
    writer = statement.occurrence(families["writer"], prefix="writer")
    first = statement.occurrence(families["first"], prefix="first")
    statement.parts.append(all_equal(first.target, index))
    statement.in_one_cell(statement.written(writer), statement.cell(read["variable"], index))
    if writer.family["variable"] == read["variable"]:
        statement.parts.append(different(writer.target, index))
    if writer.whole == reader.whole and not (boolean(read["direct"]) and boolean(writer.family["direct"])):
        statement.parts.append(different(writer.own, reader.own))
    statement.parts += [statement.order.failures(writer, first), statement.order.failures(reader, writer)]
    if boolean(read["running"]) and first.family["moment"] == "start":
        statement.parts.append([])  # nothing is accumulated into what is there from the start


def _race(statement: StatedObligation, _: object, families: Json) -> None:
    a, b = (statement.occurrence(families[role], prefix=role) for role in ("writer", "other"))
    statement.in_one_cell(statement.written(a), statement.written(b))
    statement.parts += [statement.order.failures(a, b), statement.order.failures(b, a)]
    if families["writer"] == families["other"]:
        statement.parts.append(smaller(a.point, b.point))
    is_direct = boolean(a.family["direct"]) and boolean(b.family["direct"])
    if a.family["whole"] is not None and a.whole == b.whole and not is_direct:
        statement.parts.append(different(a.own, b.own))
    if a.family["variable"] == b.family["variable"]:
        statement.parts.append(different(a.target, b.target))


def _lifetime(statement: StatedObligation, _: object, families: Json) -> None:
    first, then = ("allocation", "user") if "allocation" in families else ("user", "free")
    early = statement.occurrence(families[first], prefix="call")
    statement.parts.append(statement.order.failures(early, statement.occurrence(families[then], early.point)))


def _freed_once(statement: StatedObligation, _: object, families: Json) -> None:
    lifetimes = (members(value, LIFETIME) for value in elements(statement.inventory["lifetimes"]))
    life = only(lifetime for lifetime in lifetimes if lifetime["free"] == families["free"])
    a, b = (statement.occurrence(families["free"], prefix=prefix) for prefix in ("one", "other"))
    arrays = (values_of(life["instance"], statement.bound(life["names"], occurrence.point)) for occurrence in (a, b))
    statement.parts += [all_equal(*arrays), smaller(a.point, b.point), different(a.date, b.date)]


def _packing(statement: StatedObligation, number: object, families: Json) -> None:
    buffers = (members(value, BUFFER) for value in elements(statement.inventory["buffers"]))
    buffer = only(entry for entry in buffers if number in elements(entry["reads"]))
    read, reader, index = statement.read(number)
    writer = statement.occurrence(families["writer"], prefix="writer")
    statement.in_one_cell(statement.written(writer), statement.cell(read["variable"], index))
    leading = integer(buffer["leading"], 0, min(len(reader.date), len(writer.date)) + 1)
    statement.parts.append(all_equal(reader.date[:leading], writer.date[:leading]))
    for side in (members(value, "dimension size") for value in elements(buffer["sides"])):
        at, size = integer(side["dimension"], 0, len(reader.date)), integer(side["size"], 1)
        one, other = (statement.quotient(date[at], size) for date in (reader.date, writer.date))
        statement.parts.append([case(equal(one, other))])


def _dropped_copy(statement: StatedObligation, _: object, families: Json) -> None:
    copy = item(statement.inventory["copies"], families["copy"], COPY)
    point = statement.fresh(copy["names"], "point")
    names = statement.bound(copy["names"], point)
    statement.parts.append(renamed(copy["domain"], names))
    space, here, _ = statement.cell(copy["variable"], point)
    other_space, there, _ = statement.cell(copy["source"], values_of(copy["index"], names))
    if space == other_space:
        statement.parts.append(different(here, there))


def _in_place(statement: StatedObligation, _: object, families: Json) -> None:
    outputs = (members(value, IN_PLACE) for value in elements(statement.inventory["in_place"]))
    output = only(entry for entry in outputs if entry["writer"] == families["writer"])
    family = item(statement.inventory["operations"], families["writer"], OPERATION)
    names = statement.bound(family["names"], statement.fresh(family["names"], "point"))
    statement.parts.append(renamed(output["domain"], names))
    statement.without += renamed(family["domain"], names)


def _kept_once(statement: StatedObligation, _: object, families: Json) -> None:
    number = families["value" if "value" in families else "instance"]
    kept = item(statement.inventory["kept"], number, KEPT)
    for family in (members(value, OPERATION) for value in elements(statement.inventory["operations"])):
        own = [family[key] for key in ("names", "domain", "target")]
        is_body = family["variable"] == kept["variable"] and family["role"] in ("body", "contribution")
        if is_body and own != [kept[key] for key in ("indices", "instances", "target")]:
            refuse("the instances are not those that are computed")
    if "value" in families:
        point, names = statement.fresh(kept["names"], "point"), list[str]()
        values = renamed(kept["domain"], statement.bound(kept["names"], point))
        statement.parts.append([*values, *_reads_of(statement, kept["variable"], point)])
        domain, target = _instance(statement, kept, statement.fresh(kept["indices"], "instance", names))
        statement.absent.append(AbsentSet(names, [domain, all_equal(target, point)]))
    else:
        points = [statement.fresh(kept["indices"], prefix) for prefix in ("one", "other")]
        (one, target), (other, same) = (_instance(statement, kept, point) for point in points)
        statement.parts += [one, other, all_equal(target, same), smaller(*points)]


def _instance(statement: StatedObligation, kept: Json, point: list[Sum]) -> tuple[list[Json], list[Sum]]:
    """Returns the cases where a point is an instance of a kept variable, and the point whose value it has."""
    names = statement.bound(kept["indices"], point)
    return renamed(kept["instances"], names), values_of(kept["target"], names)


def _reads_of(statement: StatedObligation, variable: object, point: list[Sum]) -> Iterator[Json]:
    """Yields the cases where some operation reads a value; a running value has an instance."""
    for number, read in enumerate(members(value, READ) for value in elements(statement.inventory["reads"])):
        if read["variable"] == variable and not boolean(read["running"]):
            own = statement.fresh(read["names"], f"read {number}", statement.auxiliary)
            names = statement.bound(read["names"], own)
            (same,) = all_equal(values_of(read["index"], names), point)
            for piece in renamed(read["domain"], names):
                yield {**piece, "rows": [*elements(piece["rows"]), *elements(same["rows"])]}


def _private(statement: StatedObligation, number: object, families: Json) -> None:
    used = statement.value(number, families["producer"])
    outer = statement.outer(used.variable)
    _, place, _ = statement.cell(used.variable, used.index)
    around = [band for band in map(TileBand.of, elements(statement.inventory["bands"])) if band.has(used.producer.raw)]
    if any(band.first < outer <= band.last for band in around) or statement.inventory["ranks"] is not None:
        refuse("iterations that have memory of their own are not executed as a whole")
    if used.consumer.family["moment"] == used.producer.family["moment"] == "dated":
        now, then = used.consumer.raw[:outer], used.producer.raw[:outer]
        if not len(now) == len(then) == outer:
            refuse("an operation is in no iteration that has memory of its own")
        statement.parts.append([*different(now, then), *different(place[:outer], then)])


STATED: dict[str, Statement] = {
    "S1": _one_date_each,
    "S2": _causality,
    "S3": _accumulation,
    "M": _overwrite,
    "M4": _race,
    "C": _lifetime,
    "C1": _freed_once,
    "P": _packing,
    "I": _in_place,
    "D": _dropped_copy,
    "S4": _kept_once,
    "M5": _private,
    **OF_RANKS,
}
STATED |= {f"D12.{kind}": at_once(STATED[kind]) for kind in ("S2", "S3", "M", "M4")}
