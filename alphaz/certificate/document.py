"""The JSON document of a certificate, format `alphaz-certificate` version 7; docs/certificate.md."""

import dataclasses
import hashlib
import json
import types
import typing
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from alphaz.certificate.c_program import CRecord
from alphaz.certificate.certificate import FORMAT, PROVED, READABLE, VERSION, ObligationRecord, Record, Separation
from alphaz.certificate.violations import ViolationCase, Violations


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

EMPTY = "empty"
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
        known = " and ".join(map(str, READABLE))
        raise Unusable(f"it has version {version!r}; this alphaz reads versions {known}")
    digest = document.pop("digest", None)
    intact = digest == _digest(document)
    plain = {key: value for key, value in document.items() if key not in ("format", "version")}
    certificate: Certificate = _read(Certificate, _newer(plain, version), None)
    return certificate, intact


def _newer(plain: dict[str, Any], version: int) -> dict[str, Any]:
    """Returns an older document in the form of this version, as far as it has the form of a document."""
    if version == 5:
        plain = _with_absent(plain)
    return _with_types(plain) if version < VERSION else plain


def _with_types(plain: dict[str, Any]) -> dict[str, Any]:
    """Upgrades a document of version 6, which has no types."""
    for record in _list(plain, "programs"):
        inventory = record.get("inventory")
        if isinstance(inventory, dict):
            for each in (*_list(inventory, "statements"), *_list(inventory, "claims")):
                each["operations"] = []
            for each in (*_list(inventory, "arrays"), *_list(inventory, "sums")):
                each["type"] = ""
    return plain


def _list(value: dict[str, Any], name: str) -> list[dict[str, Any]]:
    """Returns the objects of a list, if it is one."""
    found = value.get(name)
    return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []


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


def _pretty(value: Any, lead: str) -> str:
    """Returns the value with short parts on one line: a document of formulas is unreadable with every number on its own
    line.
    """
    if not isinstance(value, dict | list) or not value:
        return json.dumps(value, ensure_ascii=False)
    deeper = lead + " "
    if isinstance(value, dict):
        parts = [f"{json.dumps(key, ensure_ascii=False)}: {_pretty(each, deeper)}" for key, each in value.items()]
    else:
        parts = [_pretty(each, deeper) for each in value]
    first, last = "{}" if isinstance(value, dict) else "[]"
    if sum(map(len, parts)) + 2 * len(parts) + len(lead) <= WIDTH and not any("\n" in part for part in parts):
        return f"{first}{', '.join(parts)}{last}"
    return f"{first}\n{deeper}" + f",\n{deeper}".join(parts) + f"\n{lead}{last}"


# --- values from dataclasses ------------------------------------------------------------------------------------------


def _value(given: Any) -> Any:
    if isinstance(given, Record | CRecord):
        return _with_table(given)
    if dataclasses.is_dataclass(given):
        fields = {name: _value(getattr(given, name)) for name in _hints(given.__class__)}
        if isinstance(given, ObligationRecord) and given.verdict == PROVED and given.witness is None:
            fields["witness"] = EMPTY
        return fields
    if isinstance(given, tuple):
        return [_value(each) for each in given]
    return dict(given) if isinstance(given, Mapping) else given


def _with_table(record: Any) -> dict[str, Any]:
    """Moves parts of sets into a table: a part (the domain of a reader, an order) occurs in many obligations, which
    have its number.
    """
    value = {name: _value(getattr(record, name)) for name in _hints(record.__class__)}
    numbers: dict[str, int] = {}
    for entry in (*value.get("separations", ()), *value["obligations"]):
        texts = [json.dumps(part) for part in entry["violations"]["parts"]]
        entry["violations"]["parts"] = [numbers.setdefault(text, len(numbers)) for text in texts]
    return {**value, "parts": list(map(json.loads, numbers))}


# --- and back ---------------------------------------------------------------------------------------------------------

# Where a value stands: the place around it, and its key or its number there.
Path = tuple["Path", str | int] | None


def _read(wanted: Any, value: Any, path: Path) -> Any:
    """Returns the value of the expected type. `path` leads to it, for the message."""
    if wanted is Record or wanted is CRecord:
        return _record(wanted, _checked(dict, value, path), path)
    origin, arguments = typing.get_origin(wanted), typing.get_args(wanted)
    if origin is types.UnionType:
        return None if value is None else _read(next(a for a in arguments if a is not type(None)), value, path)
    if origin is tuple:
        return _tuple(arguments, _checked(list, value, path), path)
    if origin is not None:
        return {key: _read(arguments[1], each, (path, key)) for key, each in _checked(dict, value, path).items()}
    if dataclasses.is_dataclass(wanted):
        return _instance(wanted, _checked(dict, value, path), path)
    return _checked(wanted, value, path)


_WORDS = {list: "an array", dict: "an object", str: "a text", int: "an integer", bool: "true or false"}


def _checked(wanted: Any, value: Any, path: Path) -> Any:
    if type(value) is not wanted:
        raise Unusable(f"{_text(path)} should be {_WORDS[wanted]}")
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
        return tuple(_read(arguments[0], each, (path, at)) for at, each in enumerate(value))
    if len(value) != len(arguments):
        raise Unusable(f"{_text(path)} should have {len(arguments)} elements")
    return tuple(_read(a, each, (path, at)) for at, (a, each) in enumerate(zip(arguments, value, strict=True)))


def _record(wanted: Any, value: dict[str, Any], path: Path) -> Any:
    """Returns the record with the numbers of parts of sets replaced by the parts."""
    if "parts" not in value:
        raise Unusable(f"{_text(path)} lacks `parts`")
    table = _read(tuple[tuple[ViolationCase, ...], ...], value["parts"], (path, "parts"))
    record = _instance(wanted, {key: each for key, each in value.items() if key != "parts"}, path)
    lists = [each for each in ("separations", "obligations") if each in _hints(wanted)]
    found = {list_: tuple(_with_parts(getattr(record, list_), table, (path, list_))) for list_ in lists}
    return dataclasses.replace(record, **found)


def _with_parts(stated: tuple[S, ...], table: tuple[tuple[ViolationCase, ...], ...], path: Path) -> Iterator[S]:
    for at, each in enumerate(stated):
        numbers = typing.cast(tuple[int, ...], each.violations.parts)
        unknown = next((number for number in numbers if not 0 <= number < len(table)), None)
        if unknown is not None:
            raise Unusable(f"{_text((path, at))}.violations.parts: there is no part {unknown}")
        violations = dataclasses.replace(each.violations, parts=tuple(table[number] for number in numbers))
        yield dataclasses.replace(each, violations=violations)


def _instance(wanted: Any, value: dict[str, Any], path: Path) -> Any:
    hints = _hints(wanted)
    wrong = sorted({*hints} ^ {*value})
    if wrong:
        what = "lacks" if wrong[0] in hints else "has an unknown key"
        raise Unusable(f"{_text(path)} {what} `{wrong[0]}`")
    if wanted is ObligationRecord and value["witness"] == EMPTY:
        value = {**value, "witness": None}
    return wanted(**{name: _read(hint, value[name], (path, name)) for name, hint in hints.items()})


@cache
def _hints(wanted: Any) -> dict[str, Any]:
    """Returns the fields of a dataclass with their types in the document: a set has the numbers of its parts."""
    hints = typing.get_type_hints(wanted)
    return {**hints, "parts": tuple[int, ...]} if wanted is Violations else hints
