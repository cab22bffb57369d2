"""States sets of obligations on C from the inventory of a certificate: bounds (C0), races (C6) and sums; `c_readers.py`
states those on values that are read."""

from collections.abc import Callable, Iterator, Sequence

from .c_instances import SHARE, CInstance, ClaimedValue, CObligation
from .c_order import UNORDERED, OrderedPairs
from .c_readers import ARRAY, missing, overwritten, too_early, unwritten
from .cases import Json, Sum, all_equal, at_least_zero, case, less, renamed, smaller, values_of, words
from .checker import elements, form_of, integer, members, plus, refuse
from .order import OperationOrder
from .stated_sets import KEY, item, only

LIMIT = "name cases"
DIVIDEND = "names domain value"
BARRIER = "names domain members threads"
LOCK = "name depth"
PART = "key statement names items"
PART_ITEM = "definition item names domain"


def derived_of_c(inventory: object, key: object) -> tuple[Json, list[list[Json]]]:
    """Returns the violations of an obligation, with their parts."""
    fields, families = members(inventory), members(members(key, KEY)["families"])
    state = STATED.get(_kind(str(members(key)["kind"]), families))
    if state is None:
        refuse("there is no such kind of obligation on C")
    words(fields.get("parameters"))
    stated = CObligation(fields, OperationOrder([]))
    try:
        state(stated, families)
    except KeyError as error:
        refuse(f"the key or the inventory lacks {error}")
    return stated.violations()


def _kind(kind: str, families: Json) -> str:
    role = {"C0": "dividend", "R1": "reader"}.get(kind)
    return f"{kind} {role}" if role in families else kind


# --- accesses and barriers -------------------------------------------------------------------------------------------


def _outside(stated: CObligation, families: Json) -> None:
    """Adds the instances that access a cell outside of its array, or one that is not held: a case for each side."""
    instance = stated.executed(families["statement"], "instance")
    name, cell = stated.access(instance, families["access"])
    arrays = (members(array, ARRAY) for array in elements(stated.inventory["arrays"]))
    array = only(array for array in arrays if array["name"] == name)
    names, subscripts = dict(instance.names), cell[integer(array["prefix"], 0) :]
    limits = [members(array["limit"], LIMIT)] if array["limit"] is not None else []
    for limit in limits:
        (name_,) = words([limit["name"]])
        names[name_] = (
            stated.fresh([name_], "limit", stated.auxiliary)[0] if name_ not in names else refuse("a name stands twice")
        )
    if array["held"] is not None:
        stated.without += renamed([array["held"]], stated.bound(array["subscripts"], subscripts))
    else:
        extents = values_of(array["extents"], names)
        if len(subscripts) != len(extents):
            refuse("an array has other extents than subscripts")
        sides = zip(subscripts, extents, strict=True)
        beyond = ((less(x, ({}, 0)), at_least_zero(plus(x, -1, extent))) for x, extent in sides)
        stated.parts.append([case(row) for rows in beyond for row in rows])
    stated.parts += [renamed(limit["cases"], names) for limit in limits]


def _negative(stated: CObligation, families: Json) -> None:
    dividend = item(stated.inventory["dividends"], families["dividend"], DIVIDEND)
    names = stated.bound(dividend["names"], stated.fresh(dividend["names"], "instance"))
    below = less(form_of(names, dividend["value"]), ({}, 0))
    stated.parts += [renamed(dividend["domain"], names), [case(below)]]


def _not_reached(stated: CObligation, families: Json) -> None:
    """Adds the arrivals of a thread at a barrier, with another thread of its block that does not arrive."""
    barrier = item(stated.inventory["barriers"], families["barrier"], BARRIER)
    names = stated.bound(barrier["names"], stated.fresh(barrier["names"], "thread"))
    threads = words(barrier["threads"], words(barrier["names"]))
    others = {**names, **dict(zip(threads, stated.fresh(threads, "other"), strict=True))}
    stated.parts += [renamed(barrier["domain"], names), renamed(barrier["members"], others)]
    stated.without += renamed(barrier["domain"], others)


def _race(stated: CObligation, families: Json) -> None:
    numbers = families["access"], families["other access"]
    one, other = (stated.executed(families[role], role) for role in ("one", "other"))
    (array, cell), (other_array, other_cell) = (
        stated.access(instance, number) for instance, number in zip((one, other), numbers, strict=True)
    )
    if array != other_array:
        refuse("the accesses are to two arrays")
    open_ = [pair for pair in stated.pairs(one, other) if pair.order == UNORDERED]
    cases = [case(*pair.rows) for pair in open_ if not _is_shielded(stated, (one, other), numbers, pair)]
    stated.parts += [all_equal(cell, other_cell), cases]


def _is_shielded(
    stated: CObligation, sides: Sequence[CInstance], numbers: Sequence[object], pair: OrderedPairs
) -> bool:
    """Returns True if a lock that both hold, or private cells of threads, separate the accesses."""
    one, other = (stated.statement(side.number) for side in sides)
    if one["lock"] is not None and other["lock"] is not None:
        locks = [members(statement["lock"], LOCK) for statement in (one, other)]
        is_inside = all(pair.depth < integer(lock["depth"]) for lock in locks)
        if locks[0]["name"] == locks[1]["name"] and is_inside:
            return locks[0]["name"] != "atomic" or all(
                stated.access(side, number) == stated.access(side, 0)
                for side, number in zip(sides, numbers, strict=True)
            )
    return all(pair.loop is not None and pair.loop in elements(statement["reductions"]) for statement in (one, other))


# --- sums -------------------------------------------------------------------------------------------------------------


def _two(stated: CObligation, families: Json) -> tuple[ClaimedValue, ClaimedValue]:
    """Returns two claims with instances that work on one sum in one cell."""
    one, other = (stated.claimed(families[role], role) for role in ("source", "other"))
    stated.parts += [*one.domain, *other.domain, [one.value.meets(other.value)]]
    return one, other


def _shares(families: Json, *claims: ClaimedValue) -> Iterator[tuple[object, list[Sum]]]:
    """Yields the item that each claim adds, and its point."""
    for claimed, number in zip(claims, (families["share"], families["other share"]), strict=True):
        share = item(claimed.claim["shares"], number, SHARE)
        yield share["item"], values_of(share["body"], claimed.value.instance.names)


def _twice(stated: CObligation, families: Json) -> None:
    """Adds the pairs of instances that start one sum: not one instance and itself."""
    a, b = _two(stated, families)
    stated.without += a.value.instance.is_same(b.value.instance)


def _added_twice(stated: CObligation, families: Json) -> None:
    """Adds the pairs of instances that add one item to one sum: not one instance and itself."""
    a, b = _two(stated, families)
    (item_, body), (other_item, other_body) = _shares(families, a, b)
    if item_ != other_item:
        refuse("the shares are of two items")
    stated.parts.append(all_equal(body, other_body))
    if (families["source"], families["share"]) == (families["other"], families["other share"]):
        stated.without += a.value.instance.is_same(b.value.instance)


def _added_before(stated: CObligation, families: Json) -> None:
    """Adds the pairs of an instance that starts a sum, and one that may have added to it before."""
    start, other = _two(stated, families)
    stated.parts.append(stated.before(start.value.instance, other.value.instance, is_it=False))


def _disordered(stated: CObligation, families: Json) -> None:
    """Adds the pairs of instances of which the first adds what is earlier in a sum, and may be executed later."""
    a, b = _two(stated, families)
    (_, body), (_, other_body) = _shares(families, a, b)
    stated.parts.append(smaller(body, other_body))
    one, other = a.value.instance, b.value.instance
    reductions = [elements(stated.statement(instance.number)["reductions"]) for instance in (one, other)]
    stated.parts.append([case()] if any(reductions) else stated.before(one, other, is_it=False))
    if families["source"] == families["other"] and integer(families["share"]) < integer(families["other share"]):
        stated.without += one.is_same(other)


def _in_two_parts(stated: CObligation, families: Json) -> None:
    """Adds the pairs of parts of a sum that have a point of an item in common."""
    parts = [item(stated.inventory["parts"], families[role], PART) for role in ("part", "other part")]
    points = [stated.fresh(part["names"], role) for part, role in zip(parts, ("part", "other"), strict=True)]
    items = [_item(part, [families["definition"], families["item"]]) for part in parts]
    body = stated.fresh(items[0]["names"], "item")
    for part, member, point in zip(parts, items, points, strict=True):
        names = stated.bound([*words(part["names"]), *words(member["names"])], [*point, *body])
        stated.parts.append(renamed(member["domain"], names))
    if families["part"] == families["other part"]:
        stated.without += all_equal(*points)


def _item(part: Json, numbers: list[object]) -> Json:
    """Returns the item of a part with these numbers of its definition, and in it."""
    entries = (members(entry, PART_ITEM) for entry in elements(part["items"]))
    return only(entry for entry in entries if [entry["definition"], entry["item"]] == numbers)


STATED: dict[str, Callable[[CObligation, Json], None]] = {
    "C0": _outside,
    "C0 dividend": _negative,
    "C1": unwritten,
    "C4": overwritten,
    "C6": _race,
    "C7": _not_reached,
    "R1": _added_twice,
    "R1 reader": missing,
    "R2": _added_before,
    "R3": too_early,
    "R4": _twice,
    "R5": _in_two_parts,
    "R6": _disordered,
}
