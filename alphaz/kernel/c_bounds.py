"""States the set of an obligation on the bounds of C (C0) from the inventory of a certificate: the instances of a
statement that access a cell outside of the extents of its array.

Dividends are not in the inventory, and the extents of some arrays are limits that it does not define: these sets are
not derived.
"""

from .checker import NotConfirmed, elements, integer, members, plus, refuse
from .order import Json, Names, at_least_zero, case, renamed, values_of, words

KEY = "kind read families tiled sized"
ARRAY = "name type prefix extents writers"
STATEMENT = "name names domain accesses value lock reductions place"
ACCESS = "array subscripts"


def has_bounds(inventory: object, key: object) -> bool:
    """Returns True if the inventory defines the bounds that an obligation on C is about, or is malformed."""
    try:
        fields = members(key, KEY)
        if fields["kind"] != "C0" or "access" not in members(fields["families"]):
            return False
        _, access, array = _accessed(members(inventory), members(fields["families"]))
        names = (name for extent in elements(array["extents"]) for name in members(members(extent).get("terms")))
        count = integer(array["prefix"], 0) + len(elements(array["extents"]))
        return count == len(elements(access["subscripts"])) and {*names} <= {
            *words(members(inventory).get("parameters"))
        }
    except NotConfirmed:
        return True


def outside(inventory: object, key: object) -> tuple[Json, list[list[Json]]]:
    """Returns the violations of an obligation, with their parts: there is a case for each side of each dimension."""
    if not has_bounds(inventory, key):
        refuse("the inventory does not define these bounds")
    fields = members(inventory)
    statement, access, array = _accessed(fields, members(members(key, KEY)["families"]))
    parameters: Names = {name: ({name: 1}, 0) for name in words(fields["parameters"])}
    own = words(statement["names"])
    if len({*parameters, *own}) != len(parameters) + len(own):
        refuse("a name stands twice")
    names = {**parameters, **{name: ({name: 1}, 0) for name in own}}
    subscripts = values_of(access["subscripts"], names)[integer(array["prefix"], 0) :]
    far = list[Json]()
    for subscript, extent in zip(subscripts, values_of(array["extents"], parameters), strict=True):
        below = plus(({}, -1), -1, subscript)
        far += [case(at_least_zero(below)), case(at_least_zero(plus(subscript, -1, extent)))]
    violations: Json = {"parameters": fields["parameters"], "names": own, "auxiliary": [], "parts": [0, 1]}
    return {**violations, "without": [], "absent": []}, [renamed(statement["domain"], names), far]


def _accessed(inventory: Json, families: Json) -> tuple[Json, Json, Json]:
    """Returns the statement, the access and the array of an obligation."""
    statements, all_ = (elements(inventory.get(name)) for name in ("statements", "arrays"))
    statement = members(statements[integer(families.get("statement"), 0, len(statements))], STATEMENT)
    accesses = elements(statement["accesses"])
    access = members(accesses[integer(families.get("access"), 0, len(accesses))], ACCESS)
    arrays = [members(array, ARRAY) for array in all_]
    named = [array for array in arrays if array["name"] == access["array"]]
    return statement, access, named[0] if len(named) == 1 else refuse("the inventory has no such array, or several")
