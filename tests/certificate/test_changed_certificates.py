"""Certificates of C with one field changed: each change that alters what the proof says is refused.

A change that is still confirmed belongs to a class of `HARMLESS` changes: the certificate is then still one of the same
claim, for the reason that is stated there.
"""

import copy
import json
from collections.abc import Callable, Iterator
from functools import cache
from random import Random

import pytest

from alphaz.certificate.c_inventory import CRecord
from alphaz.certificate.document import Certificate, Unusable, read, write
from alphaz.certificate.mapping_inventory import PROVED
from alphaz.certificate.recheck import RecheckOutcome, recheck
from alphaz.proof import isl_engine
from tests.certificate.test_tampering import remembering
from tests.certificate.typed_proofs import LOOPS, proofs
from tests.thinning import thinned

pytestmark = pytest.mark.slow

Json = dict[str, "Json"] | list["Json"] | str | int | bool | None
Path = tuple[str | int, ...]
Change = tuple[Path, Json]

TYPES = (
    "bool", "char", "unsigned char", "short", "unsigned short", "int", "unsigned int", "long", "unsigned long", "float",
    "double",
)  # fmt: skip
OPERATORS = ("+", "-", "*", "/", "min", "<", "==", "and", "neg", "if", "as int", "as float", "call f")
NAMES = (*LOOPS, "vectors", "threads", "textbook")
INVENTORY: Path = ("programs", 0, "inventory")
_MOST = 8


@cache
def document(name: str) -> dict[str, Json]:
    results: dict[str, Json] = json.loads(write(Certificate({}, (), (), (proofs()[name],))))
    return results


def at(document: Json, path: Path) -> Json:
    for step in path:
        document = document[step]  # type: ignore[index]
    return document


def leaves(value: Json, path: Path = ()) -> Iterator[tuple[Path, Json]]:
    """The texts and numbers in a document, with their places."""
    if isinstance(value, dict | list):
        inner = value.items() if isinstance(value, dict) else enumerate(value)
        for key, element in inner:
            yield from leaves(element, (*path, key))
    else:
        yield path, value


def changed(name: str, change: Change) -> dict[str, Json]:
    path, value = change
    result = copy.deepcopy(document(name))
    at(result, path[:-1])[path[-1]] = value  # type: ignore[index]
    return result


def is_confirmed(document: dict[str, Json]) -> bool:
    """Whether `alphaz recheck` would end with 0."""
    try:
        (record,) = read(json.dumps(document))[0].programs
    except Unusable:
        return False
    checks = recheck(record, remembering(isl_engine.engine))
    return all(check.outcome is RecheckOutcome.AGREES for check in checks)


def inside(name: str) -> list[tuple[Path, Json]]:
    return [((*INVENTORY, *path), value) for path, value in leaves(at(document(name), INVENTORY))]


def types(name: str) -> Iterator[Change]:
    for path, value in inside(name):
        if path[-1] == "type" and value:
            yield from ((path, type_) for type_ in TYPES if type_ != value)


def expressions(name: str) -> Iterator[Change]:
    """Operators, literals, signs, and the operands that they read."""
    for path, value in inside(name):
        term = at(document(name), path[:-1])
        operator = term.get("operator") if isinstance(term, dict) else None
        if path[-1] == "operator" and value not in ("read", "value", "index", "number", ""):
            yield from ((path, other) for other in OPERATORS if other != value)
        elif path[-1] == "name" and operator == "number":
            yield from ((path, other) for other in ("0", "1", "-1", "7", "5/2") if other != value)
        elif path[-1] == "sign" and isinstance(value, int):
            yield path, -value
        elif path[-1] in ("access", "item") and isinstance(value, int):
            yield from ((path, value + by) for by in (-1, 1))


def _term(name: str, path: Path) -> dict[str, Json]:
    term = at(document(name), path[:-1])
    assert isinstance(term, dict)
    return term


def _is_literal(name: str, change: Change) -> bool:
    """A literal of another type is the same number, where all types around it are the same."""
    return change[0][-1] == "type" and _term(name, change[0]).get("operator") == "number"


def _is_index(name: str, change: Change) -> bool:
    """An index is the same number in each type that holds it: those of 32 bits hold all that are tried, and whether
    there are others is read off the C."""
    return change[0][-1] == "type" and _term(name, change[0]).get("operator") == "index"


def _is_comparison(name: str, change: Change) -> bool:
    """A comparison of integers is the same in each type that holds them."""
    path, value = change
    return path[-1] == "type" and _term(name, path).get("operator") in ("<", "<=", "==", "!=") and value != "float"


def _is_lesser_truth(name: str, change: Change) -> bool:
    """The lesser of two truth values is true if both are."""
    path, value = change
    return path[-1] == "operator" and (_term(name, path).get("operator"), value) == ("and", "min")


def _is_of_no_claim(name: str, change: Change) -> bool:
    """A part of the equations to which no claim leads: the term of a sum, or the sum of a term, which is proved in its
    other form. It is read off the program."""
    path, _ = change
    if "values" not in path or "definitions" not in path:
        return False
    definition = path[: path.index("definitions") + 2]
    form = path[len(definition)]
    if form == "domain":
        return False
    other: Json = None if form == "term" else []
    return is_confirmed(changed(name, ((*definition, "items" if form in ("items", "operator") else "term"), other)))


def _is_of_no_access(name: str, change: Change) -> bool:
    """An array that no statement accesses has no obligation."""
    path, _ = change
    array = at(document(name), path[:-1])
    accesses = [value for place, value in inside(name) if place[-1] == "array" and "accesses" in place]
    return "arrays" in path and isinstance(array, dict) and array["name"] not in accesses


HARMLESS: tuple[Callable[[str, Change], bool], ...] = (
    _is_literal,
    _is_index,
    _is_comparison,
    _is_lesser_truth,
    _is_of_no_claim,
    _is_of_no_access,
)


@pytest.mark.parametrize("name", thinned(NAMES, 4))
def test_it_is_confirmed_as_it_is(name: str) -> None:
    assert proofs()[name].verdict == PROVED
    assert is_confirmed(document(name))


@pytest.mark.parametrize("changes", [types, expressions], ids=lambda changes: changes.__name__)
@pytest.mark.parametrize("name", thinned(NAMES, 8))
def test_a_changed_field_is_refused(name: str, changes: Callable[[str], Iterator[Change]]) -> None:
    results = list(changes(name))
    tried = Random(name).sample(results, min(_MOST, len(results)))
    confirmed = [change for change in tried if is_confirmed(changed(name, change))]
    holes = [(change, at(document(name), change[0])) for change in confirmed if not _is_harmless(name, change)]
    assert not holes


def _is_harmless(name: str, change: Change) -> bool:
    return any(is_one(name, change) for is_one in HARMLESS)


def cell_of_a_temporary(record: CRecord) -> str:
    assert record.inventory is not None
    (cell,) = {array.name for array in record.inventory.arrays} - {"A", "B", "D"}
    return cell


@pytest.mark.parametrize("type_", ["int", "short", "unsigned long", "double"])
def test_a_temporary_of_another_type_is_named(type_: str) -> None:
    """The cell alone, and the cell with all its reads."""
    name = "a temporary of a long"
    cell = cell_of_a_temporary(proofs()[name])
    result = copy.deepcopy(document(name))
    inventory = at(result, INVENTORY)
    assert isinstance(inventory, dict)
    for path, value in list(leaves(inventory)):
        holder = at(inventory, path[:-1])
        if path[-1] == "name" and value == cell and isinstance(holder, dict) and "extents" in holder:
            holder["type"] = type_
    assert not is_confirmed(result)
    for path, value in list(leaves(inventory)):
        holder = at(inventory, path[:-1])
        if path[-1] == "operator" and value == "read" and isinstance(holder, dict):
            statement = at(inventory, path[: path.index("value")])
            assert isinstance(statement, dict)
            access = at(statement, ("accesses", holder["access"], "array"))  # type: ignore[arg-type]
            holder["type"] = type_ if access == cell else holder["type"]
    assert not is_confirmed(result)
