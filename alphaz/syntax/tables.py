"""Lark's tables of a grammar: made from its text, which takes a quarter of a second, and kept for the next run.

They are kept as plain values (lists, dictionaries, texts, numbers), never as objects: reading them executes nothing.
"""

import marshal
import sys
from typing import Any

from lark import Lark
from lark import __version__ as lark_version
from lark.grammar import Rule
from lark.lexer import TerminalDef

from alphaz.cache import cache_name, keep, recall
from alphaz.resources import resource, resource_folder


def tables(name: str, **options: Any) -> Lark:
    """Lark's own object for `grammar/<name>.lark`, made anew."""
    path = resource_folder("grammar") / f"{name}.lark"
    text = resource("grammar", path.name)
    return Lark(text, source_path=str(path), import_paths=[str(path.parent)], **options)


def kept_tables(name: str, transformer: object, postlex: object, **options: Any) -> Lark:
    """The same, from the last run where its tables are kept.

    `transformer` and `postlex` are objects of this run; all else is part of what the tables depend on.
    """
    place = _place(name, options)
    kept = recall(place)
    if kept is not None:
        lark: Lark = Lark.__new__(Lark)
        return lark._load(marshal.loads(kept), transformer=transformer, postlex=postlex)
    made = tables(name, transformer=transformer, postlex=postlex, **options)
    data, memo = made.memo_serialize([TerminalDef, Rule])
    data["options"] = {key: value for key, value in data["options"].items() if key in options}
    keep(place, marshal.dumps(_plain({"data": data, "memo": memo})))
    return made


def _plain(value: Any) -> Any:
    """Lark's tokens are texts that know their place; here they are texts."""
    match value:
        case str():
            return str(value)
        case dict():
            return {_plain(key): _plain(each) for key, each in value.items()}
        case list() | tuple() | set() | frozenset():
            return type(value)(map(_plain, value))
        case _:
            return value


def _place(name: str, options: dict[str, Any]) -> str:
    texts = [resource("grammar", file) for file in (f"{name}.lark", "affine.lark")]
    return cache_name(f"{name}.tables", [name, repr(sorted(options.items())), lark_version, sys.version, *texts])
