"""The JSON document of a certificate, format `alphaz-certificate` version 15; docs/certificates.md."""

import dataclasses
import hashlib
import json
import types
import typing
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from alphaz.certificate.c_inventory import CInventory, CRecord
from alphaz.certificate.mapping_inventory import FORMAT, PROVED, READABLE, VERSION, ObligationRecord, Record, Separation
from alphaz.certificate.violation_sets import Absent, ViolationCase, Violations


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A verified text, and the SHA-256 of its UTF-8 bytes."""

    name: str
    sha256: str


@dataclass(frozen=True, slots=True)
class Certificate:
    """A certificate. `versions` of all components, by name. `systems` are about mappings, `programs` about C."""

    versions: Mapping[str, str]
    files: tuple[SourceFile, ...]
    systems: tuple[Record, ...]
    programs: tuple[CRecord, ...] = ()


S = typing.TypeVar("S", Separation, ObligationRecord)
V = typing.TypeVar("V", Violations, Absent)
Table = tuple[tuple[ViolationCase, ...], ...]

EMPTY = "empty"
# The entries of a record, each with a set.
_LISTS = ("separations", "obligations")
WIDTH = 120


class Unusable(Exception):
    """A text is no certificate of this version: the mistake, and its place in the document."""


def write(certificate: Certificate) -> str:
    """Returns the document, with a line end; the same certificate gives the same bytes."""
    document = {"format": FORMAT, "version": VERSION, **_value(certificate)}
    return _pretty({**document, "digest": _digest(document)}, "") + "\n"


def read(text: str) -> tuple[Certificate, bool]:
    """Returns the certificate, and whether its digest is right. Raises Unusable."""
    try:
        document = json.loads(text)
    except ValueError as error:
        raise Unusable(f"it is no JSON: {error}") from None
    except RecursionError:
        raise Unusable("it is nested too deeply") from None
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise Unusable(f'it is no certificate: it has no "format": "{FORMAT}"')
    version = document.get("version")
    if version not in READABLE:
        versions = " and ".join(map(str, READABLE))
        raise Unusable(f"it has version {version!r}; this alphaz reads versions {versions}")
    digest = document.pop("digest", None)
    intact = digest == _digest(document)
    plain = {key: value for key, value in document.items() if key not in ("format", "version")}
    try:
        certificate: Certificate = _read(Certificate, _newer(plain, version), None)
    except RecursionError:
        raise Unusable("it is nested too deeply") from None
    return certificate, intact


def _newer(plain: dict[str, Any], version: int) -> dict[str, Any]:
    """Returns an older document in the form of this version, as far as it has the form of a document."""
    if version == 5:
        plain = _with_absent(plain)
    for record in _list(plain, "programs"):
        if isinstance(record.get("inventory"), dict):
            record["inventory"].setdefault("barriers", 0 if version < 14 else [])
    if version < 9:
        plain = _without_order(plain)
    if version < 10:
        plain = _without_tiles(plain)
    if version < 11:
        plain = _without_ranks(plain)
    if version < 12:
        plain = _with_numbers(plain)
    if version < 13:
        plain = _without_private_memory(plain)
    if version < 14:
        plain = _without_scans(_without_cells_of_callers(plain))
    return _with_parts_of_domains(plain) if version < VERSION else plain


def _with_parts_of_domains(plain: dict[str, Any]) -> dict[str, Any]:
    """Upgrades a document in which domains of C are a list of cases."""
    for inventory in (record.get("inventory") for record in _list(plain, "programs")):
        if isinstance(inventory, dict):
            for entry in (e for name in ("statements", "claims", "readers") for e in _list(inventory, name)):
                entry["domain"] = [entry.get("domain")]
    return plain


def _without_scans(plain: dict[str, Any]) -> dict[str, Any]:
    """Upgrades a document in which no ranks have scans."""
    for inventory in (record.get("inventory") for record in _list(plain, "systems")):
        if isinstance(inventory, dict) and isinstance(inventory.get("ranks"), dict):
            inventory["ranks"].setdefault("scans", [])
    return plain


def _without_cells_of_callers(plain: dict[str, Any]) -> dict[str, Any]:
    """Upgrades a document in which C has no cells of the caller's values, no dividends and no domains of parts. The
    kernel does not read it.
    """
    for record in _list(plain, "programs"):
        inventory = record.get("inventory")
        if not isinstance(inventory, dict):
            continue
        for array in _list(inventory, "arrays"):
            array.update(limit=None, subscripts=[], held=None)
        claims = _list(inventory, "claims")
        for held in (*_list(inventory, "inputs"), *_list(inventory, "outputs")):
            held.update(names=[], domain=[], cell=[])
        for sum_ in _list(inventory, "sums"):
            sum_["definitions"] = []
        for part in _list(inventory, "parts"):
            part["names"] = []
            for item in _list(part, "items"):
                item.update(names=[], domain=[])
        for reader in _list(inventory, "readers"):
            number = reader.get("claim")
            of_claim = claims[number : number + 1] if isinstance(number, int) and number >= 0 else []
            reader["statement"] = of_claim[0].get("statement") if of_claim else None
        dividend = {"names": [], "domain": [], "value": {"terms": {}, "constant": 0}}
        barrier: dict[str, Any] = {"names": [], "domain": [], "members": [], "threads": []}
        for name, entry in ("dividends", dividend), ("barriers", barrier):
            # Each has an obligation: a larger number is refused, as it is no array.
            if type(count := inventory.get(name)) is int and 0 <= count <= len(_list(record, "obligations")):
                inventory[name] = [entry] * count
    return plain


def _without_private_memory(plain: dict[str, Any]) -> dict[str, Any]:
    """Upgrades a document that has no private memory, no kept instances, and no overlap of messages."""
    for record in _list(plain, "systems"):
        inventory = record.get("inventory")
        if isinstance(inventory, dict):
            inventory.setdefault("kept", [])
            ranks = inventory["ranks"] if isinstance(inventory.get("ranks"), dict) else {}
            ranks.setdefault("border", None)
            for cell in (*_list(inventory, "cells"), *_list(ranks, "ghosts")):
                cell.setdefault("outer", 0)
    return plain


def _with_numbers(plain: dict[str, Any]) -> dict[str, Any]:
    """Upgrades a document in which only the parts of a set itself have numbers, not those of absent sets, nor the cases
    of `without`.
    """
    for record in (*_list(plain, "systems"), *_list(plain, "programs")):
        table = record.get("parts")
        for entry in (*_list(record, "separations"), *_list(record, "obligations")):
            if isinstance(entry.get("violations"), dict) and isinstance(table, list):
                _number_parts(entry["violations"], table, is_absent=False)
    return plain


def _number_parts(stated: dict[str, Any], table: list[Any], *, is_absent: bool) -> None:
    """Moves the parts of a set into a table, and the cases of its `without`, as one part."""
    parts = {"parts": stated.get("parts")} if is_absent else {}
    without = stated.get("without")
    lists = {**parts, "without": [without] if without else without}
    for name, values in lists.items():
        if isinstance(values, list):
            stated[name] = list(range(len(table), len(table) + len(values)))
            table += values
    for absent in _list(stated, "absent"):
        _number_parts(absent, table, is_absent=True)


def _without_ranks(plain: dict[str, Any]) -> dict[str, Any]:
    """Upgrades a document that has no distributed mappings."""
    for record in _list(plain, "systems"):
        if isinstance(record.get("inventory"), dict):
            record["inventory"].setdefault("ranks", None)
    return plain


def _without_tiles(plain: dict[str, Any]) -> dict[str, Any]:
    """Upgrades a document that has no sizes of tiles: the kernel does not read it."""
    for record in (*_list(plain, "systems"), *_list(plain, "programs")):
        inventory = record.get("inventory")
        if isinstance(inventory, dict) and "bands" in inventory:
            inventory["in_place"] = []
            for band in _list(inventory, "bands"):
                band.update(ordering=[], registers=False, sizes=[], wavefront=[], recursive=[])
        for key in (entry.get("key") for entry in _list(record, "obligations")):
            if isinstance(key, dict):
                key["sized"] = False
    return plain


def _without_order(plain: dict[str, Any]) -> dict[str, Any]:
    """Upgrades a document of version 6, which has no types, 7, which has no expressions, or 8, which has dates and no
    order. No proof of C in it is confirmed."""
    for record in _list(plain, "programs"):
        inventory = record.get("inventory")
        if isinstance(inventory, dict):
            inventory.update(values=[], order=None)
            for item in (*_list(inventory, "statements"), *_list(inventory, "claims")):
                item.pop("operations", None)
            for item in _list(inventory, "statements"):
                item["value"] = None
                item.pop("date", None)
            for item in (*_list(inventory, "arrays"), *_list(inventory, "sums")):
                item.setdefault("type", "")
    return plain


def _list(value: dict[str, Any], name: str) -> list[dict[str, Any]]:
    """Returns the objects of a list, if it is one."""
    elements = value.get(name)
    return [element for element in elements if isinstance(element, dict)] if isinstance(elements, list) else []


def _with_absent(plain: dict[str, Any]) -> dict[str, Any]:
    """Upgrades a document of version 5, which has no C and no absent sets."""
    systems = plain.get("systems")
    for record in systems if isinstance(systems, list) else ():
        for name in ("separations", "obligations") if isinstance(record, dict) else ():
            for entry in record[name] if isinstance(record.get(name), list) else ():
                if isinstance(entry, dict) and isinstance(entry.get("violations"), dict):
                    entry["violations"]["absent"] = []
    return {**plain, "programs": []}


def _digest(document: Mapping[str, object]) -> str:
    compact = json.dumps(document, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(compact.encode("utf-8", "surrogatepass")).hexdigest()


_encoded = json.JSONEncoder(ensure_ascii=False).encode


def _pretty(value: Any, lead: str) -> str:
    """Returns the value with short parts on one line: a document of formulas is unreadable with every number on its own
    line.
    """
    # Most values are numbers; an encoder for each would take most of the time.
    if type(value) is int:
        return str(value)
    if not isinstance(value, (dict, list)) or not value:
        return _encoded(value)
    deeper = lead + " "
    if isinstance(value, dict):
        parts = [f"{_encoded(key)}: {_pretty(element, deeper)}" for key, element in value.items()]
    else:
        parts = [_pretty(element, deeper) for element in value]
    first, last = "{}" if isinstance(value, dict) else "[]"
    if sum(map(len, parts)) + 2 * len(parts) + len(lead) <= WIDTH and not any("\n" in part for part in parts):
        return f"{first}{', '.join(parts)}{last}"
    return f"{first}\n{deeper}" + f",\n{deeper}".join(parts) + f"\n{lead}{last}"


def plain(inventory: CInventory) -> dict[str, Any]:
    """Returns an inventory as in a document."""
    fields: dict[str, Any] = _value(inventory)
    return fields


def violations_of(stated: dict[str, Any], table: list[Any]) -> Violations:
    """Returns a set as in a document, whose parts are numbers in the table."""
    read_: Violations = _read(Violations, stated, None)
    return _of_parts(read_, _read(Table, table, None), None)


# --- values from dataclasses ------------------------------------------------------------------------------------------


def _value(value: Any) -> Any:
    if type(value) in (int, str):
        return value
    if isinstance(value, (Record, CRecord)):
        return _with_table(value)
    if dataclasses.is_dataclass(value):
        fields = {name: _value(getattr(value, name)) for name in _hints(value.__class__)}
        if isinstance(value, ObligationRecord) and value.verdict == PROVED and value.witness is None:
            fields["witness"] = EMPTY
        if isinstance(value, CInventory) and not value.barriers:
            del fields["barriers"]
        return fields
    if isinstance(value, tuple):
        return [_value(element) for element in value]
    return dict(value) if isinstance(value, Mapping) else value


def _with_table(record: Any) -> dict[str, Any]:
    """Moves parts of sets into a table: a part (the domain of a reader, an order) occurs in many obligations and absent
    sets, which have its number.
    """
    numbers: dict[str, int] = {}
    values = {
        name: [_stated_value(entry, numbers) for entry in getattr(record, name)]
        if name in _LISTS
        else _value(getattr(record, name))
        for name in _hints(record.__class__)
    }
    return {**values, "parts": list(map(json.loads, numbers))}


def _stated_value(entry: Separation | ObligationRecord, numbers: dict[str, int]) -> dict[str, Any]:
    """Returns the value of an entry, with numbers instead of parts; `numbers` has those of all parts until now."""
    fields: dict[str, Any] = _value(entry)
    _take_parts(fields["violations"], numbers)
    return fields


def _take_parts(stated: dict[str, Any], numbers: dict[str, int]) -> None:
    """Replaces parts by their numbers; a case of `without` is a part of its own."""
    for name, parts in (("parts", stated["parts"]), ("without", [[case] for case in stated["without"]])):
        stated[name] = [numbers.setdefault(json.dumps(part), len(numbers)) for part in parts]
    for absent in stated["absent"]:
        _take_parts(absent, numbers)


# --- and back ---------------------------------------------------------------------------------------------------------

# Where a value stands: the place around it, and its key or its number there.
Path = tuple["Path", str | int] | None


def _read(type_: Any, value: Any, path: Path) -> Any:
    """Returns the value of the expected type. `path` leads to it, for the message."""
    if type_ is Record or type_ is CRecord:
        return _record(type_, _checked(dict, value, path), path)
    origin, arguments = typing.get_origin(type_), typing.get_args(type_)
    if origin is types.UnionType:
        return None if value is None else _read(next(a for a in arguments if a is not type(None)), value, path)
    if origin is tuple:
        return _tuple(arguments, _checked(list, value, path), path)
    if origin is not None:
        return {key: _read(arguments[1], element, (path, key)) for key, element in _checked(dict, value, path).items()}
    if dataclasses.is_dataclass(type_):
        return _instance(type_, _checked(dict, value, path), path)
    return _checked(type_, value, path)


_WORDS = {list: "an array", dict: "an object", str: "a text", int: "an integer", bool: "true or false"}


def _checked(type_: Any, value: Any, path: Path) -> Any:
    if type(value) is not type_:
        raise Unusable(f"{_text(path)} should be {_WORDS[type_]}")
    return value


def _text(path: Path) -> str:
    """Returns `systems[0].verdict`; the document itself has no path."""
    steps: list[str] = []
    while path is not None:
        path, step = path
        steps.append(f"[{step}]" if isinstance(step, int) else f".{step}")
    return "".join(reversed(steps)).removeprefix(".") or "the document"


def _tuple(arguments: tuple[Any, ...], value: list[Any], path: Path) -> tuple[Any, ...]:
    if arguments[-1] is Ellipsis:
        return tuple(_read(arguments[0], element, (path, at)) for at, element in enumerate(value))
    if len(value) != len(arguments):
        raise Unusable(f"{_text(path)} should have {len(arguments)} elements")
    return tuple(_read(a, element, (path, at)) for at, (a, element) in enumerate(zip(arguments, value, strict=True)))


def _record(type_: Any, value: dict[str, Any], path: Path) -> Any:
    """Returns the record with the numbers of parts of sets replaced by the parts."""
    if "parts" not in value:
        raise Unusable(f"{_text(path)} lacks `parts`")
    table = _read(Table, value["parts"], (path, "parts"))
    record = _instance(type_, {key: element for key, element in value.items() if key != "parts"}, path)
    lists = [list_ for list_ in _LISTS if list_ in _hints(type_)]
    lists_ = {list_: tuple(_with_parts(getattr(record, list_), table, (path, list_))) for list_ in lists}
    return dataclasses.replace(record, **lists_)


def _with_parts(stated: tuple[S, ...], table: Table, path: Path) -> Iterator[S]:
    for at, entry in enumerate(stated):
        violations = _of_parts(entry.violations, table, ((path, at), "violations"))
        yield dataclasses.replace(entry, violations=violations)


def _of_parts(stated: V, table: Table, path: Path) -> V:
    """Returns a set with the parts of which it has the numbers."""
    parts, without = (
        tuple(_numbered(number, table, (path, name)) for number in typing.cast(tuple[int, ...], getattr(stated, name)))
        for name in ("parts", "without")
    )
    absent = tuple(_of_parts(inner, table, ((path, "absent"), at)) for at, inner in enumerate(stated.absent))
    return dataclasses.replace(
        stated, parts=parts, without=tuple(case for part in without for case in part), absent=absent
    )


def _numbered(number: int, table: Table, path: Path) -> tuple[ViolationCase, ...]:
    if not 0 <= number < len(table):
        raise Unusable(f"{_text(path)}: there is no part {number}")
    return table[number]


def _instance(type_: Any, value: dict[str, Any], path: Path) -> Any:
    hints = _hints(type_)
    wrong = sorted({*hints} ^ {*value})
    if wrong:
        what = "lacks" if wrong[0] in hints else "has an unknown key"
        raise Unusable(f"{_text(path)} {what} `{wrong[0]}`")
    if type_ is ObligationRecord and value["witness"] == EMPTY:
        value = {**value, "witness": None}
    return type_(**{name: _read(hint, value[name], (path, name)) for name, hint in hints.items()})


@cache
def _hints(type_: Any) -> dict[str, Any]:
    """Returns the fields of a dataclass with their types in the document: a set has the numbers of its parts."""
    hints = typing.get_type_hints(type_)
    numbers = tuple[int, ...]
    return {**hints, "parts": numbers, "without": numbers} if type_ in (Violations, Absent) else hints
