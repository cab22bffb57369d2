"""States sets of obligations on C from the inventory of a certificate, where they depend on no order: bounds (C0), that
no item is added twice to a sum (R1), and that no sum is started twice (R4).

Dividends are not in the inventory, and the extents of some arrays are limits that it does not define: these sets are
not derived.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from .cases import Json, Names, Sum, all_equal, at_least_zero, case, renamed, values_of, words
from .checker import NotConfirmed, elements, integer, members, plus, refuse
from .order import OperationOrder
from .stated_sets import KEY, StatedObligation, item, only

ARRAY = "name type prefix extents writers"
STATEMENT = "name names domain accesses value lock reductions place"
ACCESS = "array subscripts"
CLAIM = "role statement key point case domain shares needs"
SHARE = "item body"


def is_stated(inventory: object, key: object) -> bool:
    """Returns True if the set of an obligation on C is derived, or the inventory is malformed."""
    try:
        fields = members(key, KEY)
        families = members(fields["families"])
        if fields["kind"] == "C0" and "access" in families:
            return _has_bounds(members(inventory), families)
        return fields["kind"] == "R4" or (fields["kind"] == "R1" and "share" in families)
    except NotConfirmed:
        return True


def derived_of_c(inventory: object, key: object) -> tuple[Json, list[list[Json]]]:
    """Returns the violations of an obligation, with their parts."""
    fields, families = members(inventory), members(members(key, KEY)["families"])
    if not is_stated(inventory, key):
        refuse("the inventory does not define this set")
    words(fields.get("parameters"))
    statement = StatedObligation(fields, OperationOrder([]))
    try:
        (_outside if members(key)["kind"] == "C0" else _twice)(statement, families)
    except KeyError as error:
        refuse(f"the key or the inventory lacks {error}")
    return statement.violations()


# --- bounds -----------------------------------------------------------------------------------------------------------


def _has_bounds(inventory: Json, families: Json) -> bool:
    _, access, array = _accessed(inventory, families)
    names = (name for extent in elements(array["extents"]) for name in members(members(extent).get("terms")))
    count = integer(array["prefix"], 0) + len(elements(array["extents"]))
    return count == len(elements(access["subscripts"])) and {*names} <= {*words(inventory.get("parameters"))}


def _accessed(inventory: Json, families: Json) -> tuple[Json, Json, Json]:
    """Returns the statement, the access and the array of an obligation."""
    statement = item(inventory.get("statements"), families.get("statement"), STATEMENT)
    access = item(statement["accesses"], families.get("access"), ACCESS)
    arrays = (members(array, ARRAY) for array in elements(inventory.get("arrays")))
    return statement, access, only(array for array in arrays if array["name"] == access["array"])


def _outside(statement: StatedObligation, families: Json) -> None:
    """Adds the instances that access a cell outside of its array: a case for each side of each dimension."""
    place, access, array = _accessed(statement.inventory, families)
    names = statement.bound(place["names"], statement.fresh(place["names"], "at"))
    subscripts = values_of(access["subscripts"], names)[integer(array["prefix"], 0) :]
    far = list[Json]()
    for subscript, extent in zip(subscripts, values_of(array["extents"], statement.parameters), strict=True):
        below = plus(({}, -1), -1, subscript)
        far += [case(at_least_zero(below)), case(at_least_zero(plus(subscript, -1, extent)))]
    statement.parts += [renamed(place["domain"], names), far]


# --- sums -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ClaimedInstance:
    """An instance of a statement that contributes to a sum, in a cell of an array; `names` are its indices."""

    claim: Json
    instance: list[Sum]
    names: Names
    array: object
    cell: list[Sum]

    @staticmethod
    def added(statement: StatedObligation, number: object, prefix: str) -> "ClaimedInstance":
        claim = item(statement.inventory["claims"], number, CLAIM)
        place = item(statement.inventory["statements"], claim["statement"], STATEMENT)
        access = item(place["accesses"], 0, ACCESS)
        instance = statement.fresh(place["names"], prefix)
        names = statement.bound(place["names"], instance)
        statement.parts.append(renamed(claim["domain"], names))
        cell = values_of(access["subscripts"], names)
        return ClaimedInstance(claim=claim, instance=instance, names=names, array=access["array"], cell=cell)

    def share(self, number: object) -> Json:
        return item(self.claim["shares"], number, SHARE)


def _twice(statement: StatedObligation, families: Json) -> None:
    """Adds the pairs of instances that add one item to one sum, or start it: not one instance and itself."""
    a, b = (ClaimedInstance.added(statement, families[role], role) for role in ("source", "other"))
    if (a.claim["key"], a.array) != (b.claim["key"], b.array):
        refuse("the claims are about two sums")
    points = [values_of(one.claim["point"], one.names) for one in (a, b)]
    statement.parts += [all_equal(*points), all_equal(a.cell, b.cell)]
    is_same = a.claim["statement"] == b.claim["statement"]
    if "share" in families:
        shares = a.share(families["share"]), b.share(families["other share"])
        statement.parts.append(all_equal(*_bodies(shares, (a, b))))
        is_same = (families["source"], families["share"]) == (families["other"], families["other share"])
    if is_same:
        statement.without += all_equal(a.instance, b.instance)


def _bodies(shares: Sequence[Json], sides: Sequence[ClaimedInstance]) -> list[list[Sum]]:
    if shares[0]["item"] != shares[1]["item"]:
        refuse("the shares are of two items")
    return [values_of(share["body"], side.names) for share, side in zip(shares, sides, strict=True)]
