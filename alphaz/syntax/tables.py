"""The parse tables as plain values: from the cache, or else made from the texts of `grammar/`.

The cache has lists, dictionaries, texts and numbers, never objects: loading it executes no code."""

import marshal
import sys
from typing import Any, TypedDict

from alphaz.cache import cache_name, keep, recall
from alphaz.lazy import lazy_import
from alphaz.resources import resource

# Version of the cache: increase it when `Tables` changes.
_FORMAT = "2"


class Tables(TypedDict):
    """Parse tables. `words` is one pattern, a group for each terminal; `reserved` has, by such a group, the words that
    are other terminals.

    A rule: its symbol, the method that builds it, the number of its parts, those that are lists of parts, and whether a
    single part replaces it. `starts` has the first and the last state of each start symbol; `states` the action of a
    state at each symbol: a number from 0 is the next state, `-1 - n` reduces by rule n."""

    words: str
    reserved: dict[str, dict[str, str]]
    ignored: list[str]
    rules: list[tuple[str, str, int, list[int], bool]]
    starts: dict[str, tuple[int, int]]
    states: dict[int, dict[str, int]]


def kept_tables(name: str) -> Tables:
    """Returns the tables of `grammar/<name>.lark`; makes and caches them if there are none."""
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
