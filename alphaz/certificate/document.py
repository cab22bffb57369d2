"""The JSON document of a certificate, format `alphaz-certificate` version 1; docs/certificates.md describes it.

Keys are the fields of the dataclasses; a tuple is an array, a missing value null, except that the witness of a proved
obligation reads "empty". `digest` is the SHA-256 of the document without it, as compact JSON with sorted keys: it shows
accidents, not forgers.
"""

import dataclasses
import hashlib
import json
import types
import typing
from collections.abc import Mapping
from typing import Any

from alphaz.certificate.certificate import FORMAT, PROVED, VERSION, Certificate, Entry

EMPTY = "empty"
WIDTH = 120


class Unusable(Exception):
    """A text that is no certificate of this version: what is wrong, and where in the document."""


def write(certificate: Certificate) -> str:
    """The document, with a line end; the same certificate gives the same bytes."""
    document = {"format": FORMAT, "version": VERSION, **_value(certificate)}
    return _pretty({**document, "digest": _digest(document)}, "") + "\n"


def read(text: str) -> tuple[Certificate, bool]:
    """The certificate, and whether its digest is right. Raises Unusable."""
    try:
        document = json.loads(text)
    except ValueError as error:
        raise Unusable(f"it is no JSON: {error}") from None
    except RecursionError:
        raise Unusable("it is nested too deeply") from None
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise Unusable(f'it is no certificate: it has no "format": "{FORMAT}"')
    if document.get("version") != VERSION:
        raise Unusable(f"it has version {document.get('version')!r}; this alphaz reads version {VERSION}")
    digest = document.pop("digest", None)
    intact = digest == _digest(document)
    plain = {key: value for key, value in document.items() if key not in ("format", "version")}
    certificate: Certificate = _read(Certificate, plain, "")
    return certificate, intact


def _digest(document: Mapping[str, object]) -> str:
    compact = json.dumps(document, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(compact.encode("utf-8", "surrogatepass")).hexdigest()


def _pretty(value: Any, lead: str) -> str:
    """On one line what fits there: a document of formulas is unreadable with every number on its own."""
    compact = json.dumps(value, ensure_ascii=False)
    if len(compact) <= WIDTH - len(lead) or not isinstance(value, dict | list) or not value:
        return compact
    deeper = lead + " "
    if isinstance(value, dict):
        lines = [f"{json.dumps(key)}: {_pretty(each, deeper)}" for key, each in value.items()]
    else:
        lines = [_pretty(each, deeper) for each in value]
    first, last = "{}" if isinstance(value, dict) else "[]"
    return f"{first}\n{deeper}" + f",\n{deeper}".join(lines) + f"\n{lead}{last}"


# --- values from dataclasses ------------------------------------------------------------------------------------------


def _value(given: Any) -> Any:
    if dataclasses.is_dataclass(given):
        fields = {f.name: _value(getattr(given, f.name)) for f in dataclasses.fields(given)}
        if isinstance(given, Entry) and given.verdict == PROVED and given.witness is None:
            fields["witness"] = EMPTY
        return fields
    if isinstance(given, tuple):
        return [_value(each) for each in given]
    return dict(given) if isinstance(given, Mapping) else given


# --- and back ---------------------------------------------------------------------------------------------------------


def _read(wanted: Any, value: Any, path: str) -> Any:
    """The value as the type says it should be. `path` leads to it, for the message."""
    origin, arguments = typing.get_origin(wanted), typing.get_args(wanted)
    if origin is types.UnionType:
        return None if value is None else _read(next(a for a in arguments if a is not type(None)), value, path)
    if origin is tuple:
        return _tuple(arguments, _checked(list, value, path), path)
    if origin is not None:
        return {key: _read(arguments[1], each, f"{path}.{key}") for key, each in _checked(dict, value, path).items()}
    if dataclasses.is_dataclass(wanted):
        return _instance(wanted, _checked(dict, value, path), path)
    return _checked(wanted, value, path)


_WORDS = {list: "an array", dict: "an object", str: "a text", int: "an integer", bool: "true or false"}


def _checked(wanted: Any, value: Any, path: str) -> Any:
    if type(value) is not wanted:
        raise Unusable(f"{path.removeprefix('.') or 'the document'} should be {_WORDS[wanted]}")
    return value


def _tuple(arguments: tuple[Any, ...], value: list[Any], path: str) -> tuple[Any, ...]:
    if arguments[-1] is Ellipsis:
        return tuple(_read(arguments[0], each, f"{path}[{at}]") for at, each in enumerate(value))
    if len(value) != len(arguments):
        raise Unusable(f"{path.removeprefix('.')} should have {len(arguments)} elements")
    return tuple(_read(a, each, f"{path}[{at}]") for at, (a, each) in enumerate(zip(arguments, value, strict=True)))


def _instance(wanted: Any, value: dict[str, Any], path: str) -> Any:
    hints = typing.get_type_hints(wanted)
    wrong = sorted({*hints} ^ {*value})
    if wrong:
        what = "lacks" if wrong[0] in hints else "has an unknown key"
        raise Unusable(f"{path.removeprefix('.') or 'the document'} {what} `{wrong[0]}`")
    if wanted is Entry and value["witness"] == EMPTY:
        value = {**value, "witness": None}
    return wanted(**{name: _read(hint, value[name], f"{path}.{name}") for name, hint in hints.items()})
