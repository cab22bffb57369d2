"""The table of intrinsics describes each lane as the processor computes it."""

import operator
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from alphaz.c.tree import Assign, Call, Evaluate
from alphaz.diagnostics import Source, Span
from alphaz.model.types import DOUBLE, FLOAT, INT, LONG, ScalarType
from alphaz.poly import Domain, Space
from alphaz.run.compiler import find_compiler, has_feature
from alphaz.scop import KernelArray, parse
from alphaz.scop.data_expressions import tree
from alphaz.scop.functions import functions_of
from alphaz.scop.index_polynomials import constant_polynomial, number
from alphaz.scop.intrinsic_calls import loaded, partly_loaded, pointed, storing
from alphaz.scop.intrinsics import INTRINSICS, TYPES, Intrinsic, LaneConstant, LaneOperand, LaneVector, features
from alphaz.scop.lvalues import flat, view
from alphaz.scop.reader_state import Existentials, ReaderState
from alphaz.scop.scope import Context, PointerView
from alphaz.scop.statement_reads import StatementReads
from alphaz.scop.statements import read_statements
from alphaz.scop.tree_queries import body_of, definitions
from alphaz.scop.value_tree import LiteralValue, OperationValue, ReadValue, Tree

pytestmark = pytest.mark.slow

_LENGTH = 64
_SETS = {"d": DOUBLE, "f": FLOAT, "i": INT, "l": LONG}
_VALUES = {
    # Products and sums of these are exact; no two of them are the same, nor is one the sum of two.
    DOUBLE: [(-1) ** k * (k * k * 64 + k + 1) / 16 for k in range(_LENGTH)],
    FLOAT: [(-1) ** k * (k * 7 + k % 3 + 1) / 2 for k in range(_LENGTH)],
    INT: [(-1) ** k * (k * k * 1013 + 17) for k in range(_LENGTH)],
    LONG: [(-1) ** k * ((k * k * 1013 + 17) << 30) for k in range(_LENGTH)],
}
_OPERATIONS: Mapping[str, Callable[..., Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "min": min,
    "max": max,
    "neg": operator.neg,
    "call sqrt": np.sqrt,
    "call sqrtf": np.sqrt,
}
_MASKS = {
    "permute2f128": (0x20, 0x31, 0x13, 0x02, 0x81, 0x28),
    "shuffle": (0x1B, 0xD8, 0x6C),
    "permute": (0x1B, 0xD8, 0x06, 0x09),
}


def _letter(type_: ScalarType) -> str:
    return next(letter for letter, each in _SETS.items() if each == type_)


def _masks(name: str, lanes: int) -> tuple[int, ...]:
    if "extract" in name or "insert" in name:
        parts = lanes if "_epi" in name and "x4" not in name and "i128" not in name else 2
        return tuple(range(parts))
    if "blend" in name:
        return tuple(each % (1 << min(lanes, 8)) for each in (0b10, 0b0101, 0b11001010))
    known = next(found for part, found in _MASKS.items() if part in name)
    narrow = 1 << lanes if "_pd" in name and "4x64" not in name and "2f128" not in name else 256
    return tuple(dict.fromkeys(each % narrow for each in known))


def _vector_type(vector: LaneVector) -> str:
    found = [name for name, each in TYPES.items() if name.startswith("__m") and each.bytes == vector.bytes]
    end = {DOUBLE: "d", FLOAT: ""}.get(vector.type, "i")
    return next(name for name in found if name.rstrip("di") + end == name)


def _loaded(vector: LaneVector, at: str) -> str:
    bits, suffix = vector.bytes * 8, {DOUBLE: "pd", FLOAT: "ps"}.get(vector.type, "")
    prefix = "_mm" if bits == 128 else f"_mm{bits}"
    if suffix:
        return f"{prefix}_loadu_{suffix}({at})"
    return f"{prefix}_loadu_si{bits}(({_vector_type(vector)} *)({at}))"


def _statements(intrinsic: Intrinsic, place: int) -> Iterator[tuple[str, int]]:
    """Calls whose results lie in the elements of `out_x` from `place` on; and where the next one goes."""
    vectors = [each for each in (*intrinsic.parameters.values(), intrinsic.result) if isinstance(each, LaneVector)]
    lanes = max(vector.lanes for vector in vectors)
    is_masked = any(isinstance(parameter, LaneConstant) for parameter in intrinsic.parameters.values())
    for mask in _masks(intrinsic.name, lanes) if is_masked else (0,):
        arguments = []
        for position, (name, kind) in enumerate(intrinsic.parameters.items()):
            at = 16 * (position % 3)
            match kind:
                case LaneConstant():
                    arguments.append(str(mask))
                case LaneVector():
                    # Numbers under a root are not negative.
                    shift = f"pos_{_letter(kind.type)}" if "sqrt" in intrinsic.name else f"in_{_letter(kind.type)}"
                    arguments.append(_loaded(kind, f"{shift} + {at}"))
                case LaneOperand(type_):
                    array = f"out_{_letter(type_)} + {place}" if intrinsic.stored else f"in_{_letter(type_)} + {at}"
                    cast = f"({_vector_type(vectors[0])} *)" if "_si" in intrinsic.name else ""
                    arguments.append(f"{cast}({array})")
                case _ if name == "s":
                    assert isinstance(intrinsic.result, LaneVector)
                    arguments += (f"in_{_letter(kind)}[{3 * k + 1}]" for k in range(intrinsic.result.lanes))
                case _:
                    arguments.append(f"in_{_letter(kind)}[{at + 5}]")
        call = f"{intrinsic.name}({', '.join(arguments)})"
        if intrinsic.stored:
            yield f"{call};", place + intrinsic.stored
            place += intrinsic.stored
        elif isinstance(intrinsic.result, LaneVector):
            store = _loaded(intrinsic.result, f"out_{_letter(intrinsic.result.type)} + {place}").replace(
                "load", "store"
            )
            yield f"{store[:-1]}, {call});", place + intrinsic.result.lanes
            place += intrinsic.result.lanes
        else:
            yield f"out_{_letter(_type_of(intrinsic))}[{place}] = {call};", place + 1
            place += 1


def _type_of(intrinsic: Intrinsic) -> ScalarType:
    kinds = (intrinsic.result, *intrinsic.parameters.values())
    first = next(kind for kind in kinds if kind is not None)
    return first if isinstance(first, ScalarType) else first.type  # type: ignore[union-attr]


def _text(chosen: list[Intrinsic]) -> tuple[str, dict[str, list[str]], int]:
    """A function that does all of them, and of which element in which array it is."""
    lines, owners, most = [], dict[str, list[str]](), 1
    next_: dict[str, int] = dict.fromkeys(_SETS, 0)
    for each in chosen:
        letter = _letter(_type_of(each))
        # Aligned to whatever a vector needs.
        place = -(-next_[letter] // 16) * 16 if each.stored else next_[letter]
        for line, end in _statements(each, place):
            owned = owners.setdefault(letter, [])
            owned += [""] * (place - len(owned)) + [line] * (end - place)
            lines.append(line)
            place = end
        next_[letter] = place
        most = max(most, place)
    parameters = [f"const {t.c_name} *{kind}_{c}" for c, t in _SETS.items() for kind in ("in", "pos")]
    parameters += [f"{t.c_name} *out_{c}" for c, t in _SETS.items()]
    body = "\n".join(f"    {line}" for line in lines)
    return f"#include <immintrin.h>\nvoid all({', '.join(parameters)})\n{{\n{body}\n}}\n", owners, most


def _inputs() -> dict[str, np.ndarray]:
    found = {f"in_{c}": np.array(_VALUES[t], dtype=t.numpy) for c, t in _SETS.items()}
    return found | {f"pos_{c}": np.abs(found[f"in_{c}"]) for c in _SETS}


def _evaluated(text: str, size: int) -> Mapping[str, Mapping[int, Any]]:
    """Returns the effects of the calls as alphaz reads them, lane by lane."""
    source = Source("all.c", text)
    parsed = parse(source, text)
    state = ReaderState(source, functions_of(parsed), Domain.universe(Space(())), read_statements)
    inputs, span = _inputs(), Span(source, 0, 0)
    sizes = dict.fromkeys(inputs, _LENGTH) | {f"out_{c}": size for c in _SETS}
    arrays = {
        n: KernelArray(n, _SETS[n[-1]], (constant_polynomial(each),), span, is_argument=True)
        for n, each in sizes.items()
    }
    nest = Context(names={name: PointerView(each, each.extents) for name, each in arrays.items()})
    memory: dict[str, dict[int, Any]] = {name: {} for name in arrays}
    for item in body_of(definitions(parsed)["all"]):
        is_stored = isinstance(item, Evaluate)
        if isinstance(item, Evaluate):
            value = item.expression
            assert isinstance(value, Call)
            target = storing(state, nest, value)
        else:
            assert isinstance(item, Assign)
            value = item.value
            target = view(state, nest, item.target, Existentials())
        assert target is not None
        lanes = (number(target.extents[0] or constant_polynomial(0)) or 0) if is_stored else 1
        for call in partly_loaded(state.functions, item):
            place = pointed(StatementReads(state, nest, Existentials()), call.arguments[0], nest)
            several = constant_polynomial(loaded(state, nest, call).lanes)
            state.results[id(call)] = PointerView(place.array, (several,), (), flat(place))
        for lane in range(lanes):
            inside = replace(nest, lane=(constant_polynomial(lane), lanes) if is_stored else None)
            reading = StatementReads(state, nest, Existentials())
            found = tree(reading, value, inside)
            reads = [inputs[each.array.name][number(flat(each))] for each, _ in reading.pointers]
            wanted = np.dtype(target.array.type.numpy).type
            memory[target.array.name][(number(flat(target)) or 0) + lane] = wanted(_value(found, reads))
    assert not state.divided
    return memory


def _value(found: Tree, reads: Sequence[Any]) -> Any:
    match found:
        case ReadValue(number):
            return reads[number]
        case LiteralValue(value):
            return float(value)
        case OperationValue(symbol, operands, type_):
            values = [np.dtype(type_.numpy).type(_value(operand, reads)) for operand in operands]
            return values[0] if len(values) == 1 and symbol not in _OPERATIONS else _OPERATIONS[symbol](*values)
    raise AssertionError(found)


_MAIN = """
#include <stdio.h>
#include <string.h>
int main(void) {{
{arrays}
    all({arguments});
    for (int k = 0; k < {size}; k++)
        printf("%a %a %d %ld\\n", out_d[k], (double)out_f[k], out_i[k], out_l[k]);
    return 0;
}}
"""


def _executed(text: str, size: int, flags: list[str], folder: Path) -> dict[str, list[str]]:
    arrays = []
    for c, type_ in _SETS.items():
        for kind in ("in", "pos"):
            values = ", ".join(str(input_) for input_ in _inputs()[f"{kind}_{c}"])
            arrays.append(f"    static _Alignas(64) {type_.c_name} {kind}_{c}[{_LENGTH}] = {{{values}}};")
        arrays.append(f"    static _Alignas(64) {type_.c_name} out_{c}[{size}];")
    names = [f"{kind}_{c}" for c in _SETS for kind in ("in", "pos")] + [f"out_{c}" for c in _SETS]
    main = _MAIN.format(arrays="\n".join(arrays), arguments=", ".join(names), size=size)
    (folder / "all.c").write_text(text + main, encoding="utf-8")
    command = [*find_compiler().command, "-O0", "-w", "-ffp-contract=off", *flags, "all.c", "-o", "all", "-lm"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=60)
    ended = subprocess.run([str(folder / "all")], check=True, capture_output=True, text=True, timeout=10)
    rows = [line.split() for line in ended.stdout.splitlines()]
    return {c: [row[at] for row in rows] for at, c in enumerate(_SETS)}


def _has(intrinsics: list[Intrinsic]) -> bool:
    return all(
        has_feature(find_compiler(), feature) for feature in features([intrinsic.name for intrinsic in intrinsics])
    )


def test_each_lane_is_what_the_processor_makes_it(tmp_path: Path) -> None:
    of_x86 = [each for name, several in INTRINSICS.items() if name.startswith("_mm") for each in several]
    families = {bits: [each for each in of_x86 if each.name.startswith(f"_mm{bits}_")] for bits in ("", "256", "512")}
    chosen = [each for family in families.values() if _has(family) for each in family]
    if not chosen:
        pytest.skip("this is no processor of x86 with these vectors")
    text, owners, most = _text(chosen)
    with np.errstate(over="ignore"):
        found = _evaluated(text, most)
    flags = [f"-m{feature}" for feature in features([each.name for each in chosen])]
    executed = _executed(text, most, flags, tmp_path)
    wrong = []
    for letter, lines in owners.items():
        type_ = _SETS[letter]
        for at, line in enumerate(lines):
            number_ = float.fromhex(executed[letter][at]) if type_.is_float else int(executed[letter][at])
            if line and found[f"out_{letter}"][at] != np.dtype(type_.numpy).type(number_):
                wrong.append(line)
    assert not wrong
    assert all(f"{each.name}(" in text for each in chosen)
    assert sum(map(bool, (line for lines in owners.values() for line in lines))) > 500
