"""The tables of the grammars as plain values: kept from the last run, or else made from the texts of `grammar/`.

They are kept as lists, dictionaries, texts and numbers, never as objects: reading them executes nothing.
"""

import marshal
import sys
from typing import Any, TypedDict

from alphaz.cache import cache_name, keep, recall
from alphaz.lazy import lazy_import
from alphaz.resources import resource

# To be changed with what `Tables` holds.
_FORMAT = "2"


class Tables(TypedDict):
    """`words` is one pattern, a group a terminal; `reserved` has, by such a group, the words that are others.

    A rule: what it makes, the method that builds it, how many parts it has, which of them are lists of parts, and
    whether a single part stands for it. `starts` has the first and the last state of each start; `states` what a
    state does at each symbol: a number from 0 is the state that follows, `-1 - n` says that rule n is whole.
    """

    words: str
    reserved: dict[str, dict[str, str]]
    ignored: list[str]
    rules: list[tuple[str, str, int, list[int], bool]]
    starts: dict[str, tuple[int, int]]
    states: dict[int, dict[str, int]]


def kept_tables(name: str) -> Tables:
    """Those of `grammar/<name>.lark`; they are made where no run has kept them."""
    place = _place(name)
    kept = recall(place)
    if kept is not None:
        found: Tables = marshal.loads(kept)
        return found
    making: Any = lazy_import("alphaz.syntax.making")
    made: Tables = making.plain_tables(name)
    keep(place, marshal.dumps(dict(made)))
    return made


def _place(name: str) -> str:
    texts = [resource("grammar", file) for file in (f"{name}.lark", "affine.lark")]
    return cache_name(f"{name}.tables", [name, _FORMAT, sys.version, *texts])
