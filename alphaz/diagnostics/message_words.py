"""Words of messages: the nearest known name for a misspelt one, lists of names, counts."""

from collections.abc import Iterable
from difflib import get_close_matches


def nearest(word: str, known: Iterable[str]) -> str | None:
    """Returns the nearest known name, or None when none is near. Differences of case weigh less than differences of
    letters.
    """
    by_lower: dict[str, str] = {}
    for name in known:
        by_lower.setdefault(name.lower(), name)
    matches = get_close_matches(word.lower(), by_lower, 1, 0.6)
    return by_lower[matches[0]] if matches else None


def did_you_mean(word: str, known: Iterable[str]) -> str | None:
    """Returns the remedy "did you mean `M`?", or None when no name is near."""
    nearest_word = nearest(word, known)
    return None if nearest_word is None else f"did you mean `{nearest_word}`?"


def listing(known: Iterable[str]) -> str:
    """Returns the names for a sentence: `A`, `B` and `C`; "none" when there are none."""
    *most, last = [f"`{name}`" for name in known] or ["none"]
    return f"{', '.join(most)} and {last}" if most else last


def count_text(number: int, noun: str) -> str:
    """Returns `1 index`, `2 indices`, `0 arguments`."""
    return f"{number} {noun if number == 1 else plural(noun)}"


def plural(noun: str) -> str:
    """Returns `indices`, `passes`, `arguments`."""
    if noun == "index":
        return "indices"
    return f"{noun}es" if noun.endswith(("s", "ch")) else f"{noun}s"
