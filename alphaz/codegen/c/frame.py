"""The frame of a generated C file: includes, helpers, checks, allocation, and two entry points.

Status codes: 0 success, 1 parameters outside the context, 2 a size too large, 3 out of memory, 4 a value that depends
on itself, 5 an integer divided by zero, 6 a float that does not fit into an integer type, 7 calls of systems that nest
too deeply, 8 a tile size that is not positive.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from hashlib import sha256

from alphaz.c import tree as c
from alphaz.c.alphaz_header import INCLUSION, RUNTIME, runtime_functions
from alphaz.c.printer import comment_lines, file_text
from alphaz.codegen.c.arrays import FlatArray, allocate
from alphaz.codegen.c.helpers import is_clash, with_functions
from alphaz.codegen.c.integers import bound, integer
from alphaz.codegen.c.names import identifier
from alphaz.codegen.sources import EXTERNALS
from alphaz.codegen.toolchain import C
from alphaz.model.program import Program, System
from alphaz.poly import Affine, Domain
from alphaz.poly.algorithms.bounds import guard
from alphaz.poly.plain.integer_expression import IntegerConstant

_LONGEST_STEM = 160
"""File systems take names of 255 bytes; files have the stem and an ending, and builds add their own."""


def file_stem(name: str) -> str:
    """Returns the name of a system as the name of its files; of a long one its beginning, with a digest.
    `alphaz.h` is another file."""
    stem = name if re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9_-]*", name) else identifier(name)
    if len(stem) <= _LONGEST_STEM and stem.lower() != RUNTIME.removesuffix(".h"):
        return stem
    return f"{stem[: _LONGEST_STEM - 17]}-{sha256(name.encode()).hexdigest()[:16]}"


def any_of(tests: Sequence[c.Expression]) -> c.Expression | None:
    """Returns the disjunction; None of none."""
    result: c.Expression | None = None
    for test in tests:
        result = test if result is None else c.Binary("||", result, test)
    return result


def _refuse(test: c.Expression | None, status: int) -> list[c.Statement]:
    return [] if test is None else [c.If(test, (c.Return(c.Literal(str(status))),))]


def checks(
    system: System, callers: Sequence[FlatArray], names: Mapping[str, Affine], sizes: Sequence[str] = (), limit: int = 0
) -> tuple[c.Statement, ...]:
    """Returns the guards at the beginning of `<system>_status`: index arithmetic is exact after them.

    `sizes` are the tile sizes that are parameters; no parameter may be beyond the limit (0: there is none).
    """
    huge = any_of([c.Call("too_large", (c.Name(identifier(p)),)) for p in (*system.parameters, *sizes)])
    beyond = any_of(_beyond(system, limit))
    no_size = any_of([c.Binary("<", c.Name(size), c.Literal("1")) for size in sizes])
    outside = outside_context(system, names)
    bytes_ = [_bytes(a) for a in callers if not all(isinstance(e, IntegerConstant) for e in a.extents)]
    oversized = any_of([c.Binary("<", size, c.ZERO) for size in bytes_])
    used = c.names_used([c.Evaluate(size) for size in bytes_])
    constants = [d for a in callers for d in a.constants if d.name in used]
    return (
        *_refuse(huge, 2),
        *_refuse(outside, 1),
        *_refuse(beyond, 2),
        *_refuse(no_size, 8),
        *constants,
        *_refuse(oversized, 2),
    )


def _beyond(system: System, limit: int) -> list[c.Expression]:
    """Returns the tests of parameters that are too large for the polynomials of storage formats."""
    if not limit:
        return []
    return [c.Call("beyond_limit", (c.Name(identifier(p)), c.Literal(str(limit)))) for p in system.parameters]


def outside_context(system: System, names: Mapping[str, Affine]) -> c.Expression | None:
    """Returns the test that the parameters are not valid; None when all values are."""
    context = guard(system.context, Domain.universe(system.context.space))
    return None if context is None else _negated(integer(bound(context, names)))


_OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "&&": "||", "||": "&&"}


def _negated(test: c.Expression) -> c.Expression:
    match test:
        case c.Binary("&&" | "||" as operator, left, right):
            return c.Binary(_OPPOSITE[operator], _negated(left), _negated(right))
        case c.Binary(operator, left, right) if operator in _OPPOSITE:
            return c.Binary(_OPPOSITE[operator], left, right)
    return c.Unary("!", test)


def _bytes(array: FlatArray) -> c.Expression:
    return c.Call("bytes_of", (_element_size(array), c.Literal(str(array.rank)), array.extents_code))


def _element_size(array: FlatArray) -> c.Expression:
    return c.SizeOf(c.Unary("*", c.Name(array.name)))


def allocation(array: FlatArray, function: str = "allocate") -> c.Declare:
    """Returns `T *A = allocate(&status, sizeof(*A), 2, (const int64_t[]){N, N});`."""
    status = c.Unary("&", c.Name("status"))
    return c.Declare(c.pointer(array.type), array.name, allocate(array, status, _element_size(array), function))


def interface(system: System, callers: Sequence[FlatArray], sizes: Sequence[str] = ()) -> tuple[c.Parameter, ...]:
    """Returns the parameters of the entry points: the system's parameters, tile sizes, inputs, outputs."""
    numbers = tuple(c.Parameter(c.INT64, identifier(p)) for p in (*system.parameters, *sizes))
    return (*numbers, *(array.parameter for array in callers))


def as_arguments(parameters: Sequence[c.Parameter]) -> tuple[c.Expression, ...]:
    """Returns the parameters of a function as the arguments of another."""
    return tuple(c.Name(p.name) for p in parameters)


def reporting(name: str, parameters: tuple[c.Parameter, ...]) -> c.Function:
    """Returns `void <name>(...)`, which calls `<name>_status` and reports errors."""
    call = c.Call("report", (c.String(f'"{name}"'), c.Call(f"{name}_status", as_arguments(parameters))))
    return c.Function(c.VOID, name, parameters, (c.Evaluate(call),))


def _unrestricted(type_: c.Type) -> c.Type:
    return replace(type_, restrict=False) if isinstance(type_, c.Pointer) else type_


def header_file(name: str, comment: str, parameters: tuple[c.Parameter, ...]) -> str:
    """Returns `<name>.h`, the declarations for callers, also in C++, which has no `restrict`."""
    guard_name = f"{name.upper()}_H"
    seen = tuple(replace(p, type=_unrestricted(p.type)) for p in parameters)
    opening = c.Opaque(
        "\n".join(comment_lines(comment))
        + f"\n#ifndef {guard_name}\n#define {guard_name}\n\n#include <stdbool.h>\n#include <stdint.h>"
        + '\n\n#ifdef __cplusplus\nextern "C" {\n#endif'
    )
    items = (
        opening,
        c.Function(c.INT, f"{name}_status", seen),
        c.Function(c.VOID, name, seen),
        c.Opaque("#ifdef __cplusplus\n}\n#endif\n\n#endif"),
    )
    return file_text(c.File(items))


def source_file(
    stem: str,
    comment: str,
    program: Program,
    functions: Sequence[c.Function | c.Opaque],
    types: str = "",
    headers: Sequence[str] = (),
    declared: Sequence[str] = (),
    suffix: str = C.suffix,
) -> str:
    """Returns `<stem>.c`: the comment, the includes (`headers` too) that the functions, and functions given as texts,
    need; the texts `declared`; the functions. It has the functions of `alphaz.h` itself where names of the user may
    be those of that header: names of its functions, and of external functions.
    """
    statements = [s for f in functions if isinstance(f, c.Function) for s in f.body or ()]
    texts = [f.text for f in functions if isinstance(f, c.Opaque)]
    called = c.functions_called(statements).union(*(re.findall(r"\b(\w+)\(", text) for text in (*texts, *declared)))
    items: list[c.Function | c.Opaque] = [c.Opaque("\n".join(comment_lines(comment)))]
    items.append(c.Opaque(_includes(stem, program, called, c.names_used(statements), headers)))
    if types:
        items.append(c.Opaque(types))
    items.extend(map(c.Opaque, declared))
    items.extend(functions)
    text = file_text(c.File(tuple(items)))
    own = {f"{stem}_status", *(function.name for function in functions if isinstance(function, c.Function))}
    return with_functions(f"{stem}{suffix}", text, own) if program.externals or is_clash(own) else text


def _includes(stem: str, program: Program, called: frozenset[str], used: frozenset[str], headers: Sequence[str]) -> str:
    system = ["stdio.h", "stdlib.h"]
    if any(n.endswith(("_MAX", "_MIN")) for n in used):
        system.append("limits.h")
    if "INFINITY" in used or called & {"fmod", "fmodf"} or program.externals:
        system.append("math.h")
    runtime = [INCLUSION] if called & runtime_functions().keys() else []
    lines = [f'#include "{stem}.h"', *runtime, "", *(f"#include <{file}>" for file in sorted(system))]
    if program.externals or headers:
        own = [*headers, *([EXTERNALS] if program.externals else [])]
        lines.extend(("", *(f'#include "{file}"' for file in own)))
    return "\n".join(lines)


def stub_of_externals(program: Program) -> str:
    """Returns `external_functions.h` for the user to fill in: a prototype for each function that the
    program declares.
    """
    lines = [
        "/* The functions that the program declares and C defines: write their bodies here, or link their objects. */",
        "#ifndef EXTERNAL_FUNCTIONS_H",
        "#define EXTERNAL_FUNCTIONS_H",
        "",
        "#include <stdbool.h>",
        "",
    ]
    for external in program.externals:
        types = ", ".join((t or external.type).c_name for t in external.arguments) or "void"
        lines.append(f"{external.type.c_name} {external.name}({types});")
    return "\n".join((*lines, "", "#endif", ""))
