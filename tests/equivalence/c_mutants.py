"""Small changes of C texts, at random: most make a wrong program, some change nothing."""

import re
from collections.abc import Callable, Iterator
from random import Random

Change = Callable[[str, Random], str | None]

_NUMBER = re.compile(r"(?<![\w.])\d+(?![\w.])")
_REAL = re.compile(r"(?<![\w.])\d+\.\d+(?![\w.])")
_SUBSCRIPT = re.compile(r"\[[^][]+\]")
_COMPARISON = re.compile(r"(?<=[\w)\] ])(<=|>=|<|>)(?=[ \w(])")
_OPERATOR = re.compile(r" ([-+*/]) ")
_UPDATE = re.compile(r" ([-+*/]?=) ")
_FOR = re.compile(r"^([ \t]*)for \(", re.MULTILINE)
_LINE = re.compile(r"^[ \t]+[^\n{}#]+;\n", re.MULTILINE)
_PRAGMA = re.compile(r"^#pragma[^\n]*\n", re.MULTILINE)
_NAME = re.compile(r"(?<=[\[(+\- *])[ijkt](?=[\]) +\-*;<>=])")


def _one(pattern: re.Pattern[str], new: Callable[[re.Match[str], Random], str]) -> Change:
    def change(text: str, random: Random) -> str | None:
        body = text.index("{")
        found = [each for each in pattern.finditer(text) if each.start() > body]
        if not found:
            return None
        chosen = random.choice(found)
        return text[: chosen.start()] + new(chosen, random) + text[chosen.end() :]

    return change


def _shifted(found: re.Match[str], random: Random) -> str:
    return str(max(0, int(found.group()) + random.choice((-1, 1))))


def _other(*choices: str) -> Callable[[re.Match[str], Random], str]:
    def new(found: re.Match[str], random: Random) -> str:
        old = found.group(1) if found.re.groups else found.group()
        return found.group().replace(old, random.choice([choice for choice in choices if choice != old]))

    return new


def _swapped_lines(text: str, random: Random) -> str | None:
    lines = text.splitlines(keepends=True)
    pairs = [
        at
        for at in range(len(lines) - 1)
        if all(line.rstrip().endswith(";") and "for" not in line and "(int" not in line for line in lines[at : at + 2])
        and "free" not in lines[at] + lines[at + 1] and "malloc" not in lines[at] + lines[at + 1]
    ]  # fmt: skip
    if not pairs:
        return None
    at = random.choice(pairs)
    lines[at], lines[at + 1] = lines[at + 1], lines[at]
    return "".join(lines)


CHANGES: tuple[Change, ...] = (
    _one(_NUMBER, _shifted),
    _one(_REAL, lambda found, random: str(float(found.group()) + random.choice((0.25, 1.0)))),
    _one(_SUBSCRIPT, lambda found, random: f"[{found.group()[1:-1]} {random.choice('+-')} 1]"),
    _one(_COMPARISON, _other("<", "<=", ">", ">=")),
    _one(_OPERATOR, _other("+", "-", "*", "/")),
    _one(_UPDATE, _other("=", "+=", "-=", "*=")),
    _one(_FOR, lambda found, random: f"#pragma omp {random.choice(('parallel for', 'simd'))}\n{found.group()}"),
    _one(_LINE, lambda found, random: ""),
    _one(_PRAGMA, lambda found, random: ""),
    _one(_NAME, _other("i", "j", "k", "t")),
    _swapped_lines,
)


def mutants(text: str, random: Random) -> Iterator[str]:
    """Changed once, or (every fourth) twice."""
    while True:
        found: str | None = text
        for _ in range(2 if random.random() < 0.25 else 1):
            found = random.choice(CHANGES)(found, random) if found is not None else None
        if found is not None and found != text:
            yield found
