"""Structures, and numbers behind pointers, as arguments of an executed function: C that builds them of their members,
and reads these back."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Protocol

from alphaz.c import tree as c
from alphaz.c.printer import type_text
from alphaz.c.tree import MemberOf


class Passed(Protocol):
    """An argument that holds these variables, if it is an array or a number of the equations."""

    @property
    def member(self) -> MemberOf | None: ...
    @property
    def variables(self) -> tuple[str, ...]: ...
    @property
    def by_value(self) -> bool: ...


@dataclass(frozen=True, slots=True)
class PassedStructures:
    """The arguments of a call, as expressions, and the lines before and after it."""

    values: tuple[str, ...]
    before: tuple[str, ...]
    after: tuple[str, ...]


def passed_structures(arguments: Sequence[Passed], codes: Sequence[str], counts: Sequence[str]) -> PassedStructures:
    """Returns the arguments of the text for those of its members. `codes` are the expressions of these, `counts` the
    numbers of elements of arrays."""
    values: list[str] = []
    before: list[str] = []
    after: list[str] = []
    every = [*zip(arguments, codes, counts, strict=True)]
    for number, (structure, group) in enumerate(groupby(every, lambda one: _structure(one[0]))):
        if structure is None:
            values += [code for _, code, _ in group]
            continue
        members = [
            (a.member, bool(a.variables) and not a.by_value, code, count) for a, code, count in group if a.member
        ]
        name, type_ = f"structure{number}__", structure.type
        inside = type_.to if isinstance(type_, c.Pointer) else type_.of if isinstance(type_, c.Array) else type_
        word = type_text(inside).removeprefix("const ")
        if members[0][0].is_each:
            count = _greatest(sorted({one for _, _, _, one in members}))
            values.append(name)
            before += [
                f"    {word} *{name} = __builtin_malloc(({count}) * sizeof({word}));",
                f"    __builtin_memset((void *){name}, 0x5A, ({count}) * sizeof({word}));",
            ]
            before += [_each(name, member, code, own, is_in=True) for member, _, code, own in members]
            after += [_each(name, member, code, own, is_in=False) for member, _, code, own in members]
            after.append(f"    __builtin_free((void *){name});")
            continue
        values.append(name if inside is type_ else f"&{name}")
        before.append(f"    {word} {name} = {{0}};")
        for member, is_array, code, _ in members:
            place = ".".join((name, *member.path))
            copied, back = _copies(place, code, is_array=is_array, is_pointer=member.is_pointer)
            before.append(copied)
            after += back
    return PassedStructures(tuple(values), tuple(before), tuple(after))


def _structure(argument: Passed) -> c.Parameter | None:
    return None if argument.member is None else argument.member.structure


def _copies(place: str, code: str, *, is_array: bool, is_pointer: bool) -> tuple[str, list[str]]:
    """Returns the line that sets a member, and those that read it back. What holds an array is a pointer, or has the
    elements itself."""
    if not is_array:
        value = f"__typeof__({place}) value__ = {code};"
        return f"    {{ {value} __builtin_memcpy((void *)&{place}, (void *)&value__, sizeof(value__)); }}", []
    if is_pointer:
        return f"    *(void **)&{place} = {code};", []
    size = f"sizeof({place})"
    return (
        f"    __builtin_memcpy((void *)&{place}, {code}, {size});",
        [f"    __builtin_memcpy({code}, (void *)&{place}, {size});"],
    )


def _greatest(counts: Sequence[str]) -> str:
    """Returns the greatest of some numbers, as an expression."""
    first, *rest = counts
    return f"({first}) > ({_greatest(rest)}) ? ({first}) : ({_greatest(rest)})" if rest else first


def _each(name: str, member: MemberOf, code: str, count: str, *, is_in: bool) -> str:
    """Returns the loop that copies a member of all structures."""
    inside = f"(void *)&{name}[at].{'.'.join(member.path)}"
    size = f"sizeof({name}[at].{'.'.join(member.path)})"
    other = f"(char *){code} + at * {size}"
    to, source = (inside, other) if is_in else (other, inside)
    return f"    for (long at = 0; at < {count}; at++) __builtin_memcpy({to}, {source}, {size});"
