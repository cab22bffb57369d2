"""Vector intrinsics of x86 and ARM: each lane of the result, in a table of one line for each family.

A line has a name without prefix and type, parameters, and lane `l` of the returned or stored vector:

    a, b, c   vectors of the type that the name says       p         a pointer to elements
    u         a vector of half as many lanes, w of twice   x, y      scalars; `s` one for each lane
    m         a constant

`n` is the number of lanes, `k` how many are in 128 bits, `q` the first lane of the 128 bits that contain lane l, `r`
the position of l among them. `(a, b)[1]` is b. Intrinsics that are not listed are not supported. Listed names are
assumed to be those of the library.
"""

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from alphaz.model.types import DOUBLE, FLOAT, INT, LONG, ScalarType


@dataclass(frozen=True, slots=True)
class LaneVector:
    """A vector type: element type and number of lanes."""

    type: ScalarType
    lanes: int

    @property
    def bytes(self) -> int:
        return self.type.bits // 8 * self.lanes


@dataclass(frozen=True, slots=True)
class LaneOperand:
    """A pointer to elements."""

    type: ScalarType


@dataclass(frozen=True, slots=True)
class LaneConstant:
    """An integer constant of the text."""


Kind = LaneVector | LaneOperand | LaneConstant | ScalarType


@dataclass(frozen=True, slots=True, eq=False)
class Intrinsic:
    """One intrinsic. `lane` is an expression of the table, over the names in `parameters` and l. `result` is None for a
    store of `stored` lanes to the first parameter. `aligned`: the required alignment of addresses, in bytes.
    `loose`: how the intrinsic deviates from the operations in the table."""

    name: str
    parameters: Mapping[str, Kind]
    result: LaneVector | ScalarType | None
    lane: ast.expr
    sizes: Mapping[str, int]
    stored: int = 0
    aligned: int = 0
    loose: str = ""

    @property
    def is_lanewise(self) -> bool:
        """Returns True if one symbolic lane l describes all lanes."""
        return not self.sizes or _is_lanewise(self.lane, self.parameters)


HEADERS = frozenset(
    f"{name}.h"
    for name in ("immintrin", "x86intrin", "emmintrin", "xmmintrin", "pmmintrin", "tmmintrin", "smmintrin",
                 "nmmintrin", "arm_neon")
)  # fmt: skip
INTEGERS = MappingProxyType({f"__m{bits}i": bits for bits in (128, 256, 512)})
"""Vector types without an element type, which the applied intrinsics determine."""
TYPES: Mapping[str, LaneVector] = MappingProxyType(
    {f"__m{bits}d": LaneVector(DOUBLE, bits // 64) for bits in (128, 256, 512)}
    | {f"__m{bits}": LaneVector(FLOAT, bits // 32) for bits in (128, 256, 512)}
    | {name: LaneVector(LONG, bits // 64) for name, bits in INTEGERS.items()}
    | {"float64x2_t": LaneVector(DOUBLE, 2), "float32x4_t": LaneVector(FLOAT, 4)}
    | {"int64x2_t": LaneVector(LONG, 2), "int32x4_t": LaneVector(INT, 4)}
)

FUSED = "rounds a product and a sum once"
REDUCED = "adds lanes in an order of its own"

_ALL = """
setzero() = 0
loadu(p) = p[l]
load(p) = p[l]
storeu(p, a): n = a[l]
store(p, a): n = a[l]
"""
_FLOATS = """
set1(x) = x
set(*s) = s[n - 1 - l]
setr(*s) = s[l]
add(a, b) = a[l] + b[l]
sub(a, b) = a[l] - b[l]
mul(a, b) = a[l] * b[l]
div(a, b) = a[l] / b[l]
min(a, b) = min(a[l], b[l])
max(a, b) = max(a[l], b[l])
sqrt(a) = sqrt(a[l])
fmadd(a, b, c) = fused(a[l] * b[l] + c[l])
fmsub(a, b, c) = fused(a[l] * b[l] - c[l])
fnmadd(a, b, c) = fused(c[l] - a[l] * b[l])
fnmsub(a, b, c) = fused(-(a[l] * b[l]) - c[l])
unpacklo(a, b) = (a, b)[r % 2][q + r // 2]
unpackhi(a, b) = (a, b)[r % 2][q + k // 2 + r // 2]
"""
_FLOATS_BELOW_512 = """
hadd(a, b) = (a, b)[r // (k // 2)][q + r % (k // 2) * 2] + (a, b)[r // (k // 2)][q + r % (k // 2) * 2 + 1]
hsub(a, b) = (a, b)[r // (k // 2)][q + r % (k // 2) * 2] - (a, b)[r // (k // 2)][q + r % (k // 2) * 2 + 1]
addsub(a, b) = a[l] + b[l] if l % 2 else a[l] - b[l]
blend(a, b, m) = (a, b)[m >> l & 1][l]
"""
_PD = """
shuffle(a, b, m) = (a, b)[r][q + (m >> l & 1)]
permute(a, m) = a[q + (m >> l & 1)]
movedup(a) = a[q]
"""
_PS = """
shuffle(a, b, m) = (a, b)[r // 2][q + (m >> 2 * r & 3)]
permute(a, m) = a[q + (m >> 2 * r & 3)]
moveldup(a) = a[l - l % 2]
movehdup(a) = a[l - l % 2 + 1]
"""
_HALVES = "0 if m >> l // k * 4 + 3 & 1 else (a, b)[m >> l // k * 4 + 1 & 1][(m >> l // k * 4 & 1) * k + r]"
_FLOATS_OF_128 = """
set_S(x) = x if l == 0 else 0
load_S(p) = p[0] if l == 0 else 0
load1_P(p) = p[0]
load_P1(p) = p[0]
store_S(p, a): 1 = a[0]
cvtS_fE(a) -> a[0]
add_S(a, b) = a[0] + b[0] if l == 0 else a[l]
sub_S(a, b) = a[0] - b[0] if l == 0 else a[l]
mul_S(a, b) = a[0] * b[0] if l == 0 else a[l]
div_S(a, b) = a[0] / b[0] if l == 0 else a[l]
min_S(a, b) = min(a[0], b[0]) if l == 0 else a[l]
max_S(a, b) = max(a[0], b[0]) if l == 0 else a[l]
fmadd_S(a, b, c) = fused(a[0] * b[0] + c[0]) if l == 0 else a[l]
fnmadd_S(a, b, c) = fused(c[0] - a[0] * b[0]) if l == 0 else a[l]
move_S(a, b) = b[0] if l == 0 else a[l]
"""
_INTEGERS = """
add(a, b) = a[l] + b[l]
sub(a, b) = a[l] - b[l]
unpacklo(a, b) = (a, b)[r % 2][q + r // 2]
unpackhi(a, b) = (a, b)[r % 2][q + k // 2 + r // 2]
"""
_INT = """
set1(x) = x
set(*s) = s[n - 1 - l]
setr(*s) = s[l]
mullo(a, b) = a[l] * b[l]
min(a, b) = min(a[l], b[l])
max(a, b) = max(a[l], b[l])
shuffle(a, m) = a[q + (m >> 2 * r & 3)]
"""
_INT_BELOW_512 = """
hadd(a, b) = (a, b)[r // (k // 2)][q + r % (k // 2) * 2] + (a, b)[r // (k // 2)][q + r % (k // 2) * 2 + 1]
blend(a, b, m) = (a, b)[m >> l & 1][l]
"""
_NEON = """
dupq_n(x) = x
movq_n(x) = x
ld1q(p) = p[l]
ld1q_dup(p) = p[0]
st1q(p, a): n = a[l]
addq(a, b) = a[l] + b[l]
subq(a, b) = a[l] - b[l]
getq_lane(a, m) -> a[m]
setq_lane(x, a, m) = x if l == m else a[l]
dupq_laneq(a, m) = a[m]
zip1q(a, b) = (a, b)[l % 2][l // 2]
zip2q(a, b) = (a, b)[l % 2][n // 2 + l // 2]
uzp1q(a, b) = (a, b)[l // (n // 2)][l % (n // 2) * 2]
uzp2q(a, b) = (a, b)[l // (n // 2)][l % (n // 2) * 2 + 1]
trn1q(a, b) = (a, b)[l % 2][l - l % 2]
trn2q(a, b) = (a, b)[l % 2][l - l % 2 + 1]
extq(a, b, m) = (a, b)[(l + m) // n][(l + m) % n]
paddq(a, b) = (a, b)[l // (n // 2)][l % (n // 2) * 2] + (a, b)[l // (n // 2)][l % (n // 2) * 2 + 1]
addvq(a) -> total(a)
"""
_NEON_FLOATS = """
mulq(a, b) = a[l] * b[l]
mulq_n(a, x) = a[l] * x
divq(a, b) = a[l] / b[l]
sqrtq(a) = sqrt(a[l])
negq(a) = -a[l]
minq(a, b) = min(a[l], b[l])
maxq(a, b) = max(a[l], b[l])
minvq(a) -> least(a)
maxvq(a) -> greatest(a)
fmaq(a, b, c) = fused(a[l] + b[l] * c[l])
fmsq(a, b, c) = fused(a[l] - b[l] * c[l])
fmaq_n(a, b, x) = fused(a[l] + b[l] * x)
fmsq_n(a, b, x) = fused(a[l] - b[l] * x)
fmaq_laneq(a, b, c, m) = fused(a[l] + b[l] * c[m])
mlaq(a, b, c) = fused(a[l] + b[l] * c[l])
mlsq(a, b, c) = fused(a[l] - b[l] * c[l])
"""
# With full names and the types of parameters and result.
_OTHERS = """
_mm256_broadcast_sd p:d 4d = p[0]
_mm256_broadcast_ss p:f 8f = p[0]
_mm_broadcast_ss p:f 4f = p[0]
_mm_loaddup_pd p:d 2d = p[0]
_mm256_broadcastsd_pd a:2d 4d = a[0]
_mm512_broadcastsd_pd a:2d 8d = a[0]
_mm256_broadcastss_ps a:4f 8f = a[0]
_mm512_broadcastss_ps a:4f 16f = a[0]
_mm256_castpd256_pd128 a:4d 2d = a[l]
_mm256_castps256_ps128 a:8f 4f = a[l]
_mm512_castpd512_pd256 a:8d 4d = a[l]
_mm512_castpd512_pd128 a:8d 2d = a[l]
_mm512_castps512_ps256 a:16f 8f = a[l]
_mm512_castps512_ps128 a:16f 4f = a[l]
_mm256_castsi256_si128 a:8i 4i = a[l]
_mm256_castsi256_si128 a:4l 2l = a[l]
_mm512_castsi512_si256 a:16i 8i = a[l]
_mm512_castsi512_si256 a:8l 4l = a[l]
_mm256_extractf128_pd a:4d,m 2d = a[l + 2 * m]
_mm256_extractf128_ps a:8f,m 4f = a[l + 4 * m]
_mm256_extracti128_si256 a:8i,m 4i = a[l + 4 * m]
_mm256_extracti128_si256 a:4l,m 2l = a[l + 2 * m]
_mm512_extractf64x4_pd a:8d,m 4d = a[l + 4 * m]
_mm512_extractf32x4_ps a:16f,m 4f = a[l + 4 * m]
_mm512_extracti64x4_epi64 a:16i,m 8i = a[l + 8 * m]
_mm512_extracti64x4_epi64 a:8l,m 4l = a[l + 4 * m]
_mm256_insertf128_pd a:4d,b:2d,m 4d = b[l % 2] if l // 2 == m else a[l]
_mm256_insertf128_ps a:8f,b:4f,m 8f = b[l % 4] if l // 4 == m else a[l]
_mm256_set_m128d a:2d,b:2d 4d = (b, a)[l // 2][l % 2]
_mm256_set_m128 a:4f,b:4f 8f = (b, a)[l // 4][l % 4]
_mm256_permute4x64_pd a:4d,m 4d = a[m >> 2 * l & 3]
_mm256_permute4x64_epi64 a:4l,m 4l = a[m >> 2 * l & 3]
_mm_movehl_ps a:4f,b:4f 4f = (b, a)[l // 2][l % 2 + 2]
_mm_movelh_ps a:4f,b:4f 4f = (a, b)[l // 2][l % 2]
_mm_cvtsi128_si32 a:4i i -> a[0]
_mm_cvtsi128_si64 a:2l l -> a[0]
_mm256_cvtsi256_si32 a:8i i -> a[0]
_mm_extract_epi32 a:4i,m i -> a[m & 3]
_mm_extract_epi64 a:2l,m l -> a[m & 1]
_mm256_extract_epi32 a:8i,m i -> a[m & 7]
_mm256_extract_epi64 a:4l,m l -> a[m & 3]
_mm256_cvtsd_f64 a:4d d -> a[0]
_mm512_cvtsd_f64 a:8d d -> a[0]
_mm256_cvtss_f32 a:8f f -> a[0]
_mm512_cvtss_f32 a:16f f -> a[0]
_mm_set1_epi64x x:l 2l = x
_mm256_set1_epi64x x:l 4l = x
_mm512_set1_epi64 x:l 8l = x
_mm_set_epi64x x:l,y:l 2l = y if l == 0 else x
_mm256_set_epi64x s:l 4l = s[3 - l]
_mm256_setr_epi64x s:l 4l = s[l]
_mm512_set_epi64 s:l 8l = s[7 - l]
_mm512_max_epi64 a:8l,b:8l 8l = max(a[l], b[l])
_mm512_min_epi64 a:8l,b:8l 8l = min(a[l], b[l])
_mm256_cvtps_pd a:4f 4d = a[l]
_mm512_cvtps_pd a:8f 8d = a[l]
_mm256_cvtepi32_pd a:4i 4d = a[l]
_mm512_cvtepi32_pd a:8i 8d = a[l]
_mm256_cvtepi32_epi64 a:4i 4l = a[l]
_mm512_cvtepi32_epi64 a:8i 8l = a[l]
_mm512_reduce_add_pd a:8d d -> total(a)
_mm512_reduce_add_ps a:16f f -> total(a)
_mm512_reduce_add_epi32 a:16i i -> total(a)
_mm512_reduce_add_epi64 a:8l l -> total(a)
_mm512_reduce_max_pd a:8d d -> greatest(a)
_mm512_reduce_max_ps a:16f f -> greatest(a)
_mm512_reduce_min_pd a:8d d -> least(a)
_mm512_reduce_min_ps a:16f f -> least(a)
_mm512_reduce_max_epi32 a:16i i -> greatest(a)
_mm512_reduce_min_epi32 a:16i i -> least(a)
"""
_LINE = re.compile(r"(?P<name>\w+)\((?P<parameters>[^)]*)\)(?:: (?P<stored>\w+))? (?P<sign>=|->) (?P<lane>.+)")
_OTHER = re.compile(r"(?P<name>\w+) (?P<parameters>\S+) (?P<result>\w+) (?:=|->) (?P<lane>.+)")
_LETTERS = {"d": DOUBLE, "f": FLOAT, "i": INT, "l": LONG}


def _family(lines: str, pattern: str, vector: LaneVector) -> Iterator[Intrinsic]:
    """Yields the intrinsics of these lines, for a vector type. Names are made by the pattern."""
    for line in filter(None, lines.splitlines()):
        match_ = _LINE.fullmatch(line)
        assert match_ is not None, line
        names = [parameter.strip() for parameter in match_["parameters"].split(",") if parameter.strip()]
        stored = vector.lanes if match_["stored"] == "n" else int(match_["stored"] or 0)
        name = pattern.format(match_["name"])
        # These two fault on unaligned addresses; a single lane needs no alignment.
        is_aligned = match_["name"] in ("load", "store") and pattern.startswith("_mm")
        yield _intrinsic(
            name,
            {parameter.lstrip("*"): _kind(parameter, vector) for parameter in names},
            None if stored else vector.type if match_["sign"] == "->" else vector,
            match_["lane"],
            vector,
            stored=stored,
            aligned=vector.bytes if is_aligned else 0,
        )


def _kind(parameter: str, vector: LaneVector) -> Kind:
    match parameter:
        case "a" | "b" | "c":
            return vector
        case "p":
            return LaneOperand(vector.type)
        case "m":
            return LaneConstant()
    return vector.type


def _others() -> Iterator[Intrinsic]:
    for line in filter(None, _OTHERS.splitlines()):
        match_ = _OTHER.fullmatch(line)
        assert match_ is not None, line
        result = _type(match_["result"])
        parameter_texts = (parameter.partition(":") for parameter in match_["parameters"].split(","))
        parameters: dict[str, Kind] = {}
        for name, _, type_ in parameter_texts:
            operand = _type(type_) if type_ else LaneConstant()
            parameters[name] = LaneOperand(operand) if name == "p" and isinstance(operand, ScalarType) else operand
        inside = next(
            (parameter for parameter in (result, *parameters.values()) if isinstance(parameter, LaneVector)), None
        )
        assert inside is not None, line
        yield _intrinsic(match_["name"], parameters, result, match_["lane"], inside)


def _type(type_name: str) -> LaneVector | ScalarType:
    """Returns the type of a short form: `4d`: four of double; `d`: one."""
    type_ = _LETTERS[type_name[-1]]
    return LaneVector(type_, int(type_name[:-1])) if type_name[:-1] else type_


def _intrinsic(
    name: str, parameters: Mapping[str, Kind], result: LaneVector | ScalarType | None, lane: str, vector: LaneVector,
    *, stored: int = 0, aligned: int = 0,
) -> Intrinsic:  # fmt: skip
    loose = FUSED if "fused(" in lane else REDUCED if "total(" in lane and vector.type.is_float else ""
    sizes = {"n": vector.lanes, "k": max(128 // vector.type.bits, 1)}
    tree = ast.parse(lane, mode="eval").body
    return Intrinsic(
        name=name, parameters=parameters, result=result, lane=tree, sizes=sizes, stored=stored, aligned=aligned,
        loose=loose,
    )  # fmt: skip


def _x86() -> Iterator[Intrinsic]:
    for prefix, bits in (("_mm", 128), ("_mm256", 256), ("_mm512", 512)):
        for suffix, scalar, type_, own in (("pd", "sd", DOUBLE, _PD), ("ps", "ss", FLOAT, _PS)):
            vector, pattern = LaneVector(type_, bits // type_.bits), f"{prefix}_{{}}_{suffix}"
            lines = _ALL + _FLOATS + own + ("" if bits == 512 else _FLOATS_BELOW_512)
            yield from _family(lines, pattern, vector)
            if bits == 256:
                yield from _family(f"permute2f128(a, b, m) = {_HALVES}", pattern, vector)
            if bits == 128:
                one = _FLOATS_OF_128.replace("_S", f"_{scalar}").replace("cvtS", f"cvt{scalar}")
                one = one.replace("fE", f"f{type_.bits}").replace("_P", f"_{suffix}")
                yield from _family(one, "_mm_{}", vector)
        for suffix, type_, own in (("epi32", INT, _INT), ("epi64", LONG, "")):
            vector, pattern = LaneVector(type_, bits // type_.bits), f"{prefix}_{{}}_{suffix}"
            below = _INT_BELOW_512 if type_ == INT and bits < 512 else ""
            yield from _family(_INTEGERS + own + below, pattern, vector)
            yield from _family(_ALL, f"{prefix}_{{}}_si{bits}", vector)
            if bits == 512:
                yield from _family("loadu(p) = p[l]\nstoreu(p, a): n = a[l]", pattern, vector)


def _arm() -> Iterator[Intrinsic]:
    for suffix, vector in (("f64", TYPES["float64x2_t"]), ("f32", TYPES["float32x4_t"])):
        yield from _family(_NEON + _NEON_FLOATS, f"v{{}}_{suffix}", vector)
    for suffix, vector in (("s64", TYPES["int64x2_t"]), ("s32", TYPES["int32x4_t"])):
        yield from _family(_NEON, f"v{{}}_{suffix}", vector)
    yield from _family("mulq(a, b) = a[l] * b[l]\nmlaq(a, b, c) = a[l] + b[l] * c[l]", "v{}_s32", TYPES["int32x4_t"])


def _table() -> Mapping[str, tuple[Intrinsic, ...]]:
    table: dict[str, tuple[Intrinsic, ...]] = {}
    for intrinsic in (*_x86(), *_others(), *_arm()):
        table[intrinsic.name] = (*table.get(intrinsic.name, ()), intrinsic)
    return MappingProxyType(table)


INTRINSICS = _table()
"""Candidates by name: several if the name does not determine the element type (`_mm256_loadu_si256`)."""

_HINTS = frozenset({"_mm_prefetch", "_mm256_zeroupper", "_MM_SHUFFLE", "_MM_SHUFFLE2"})


def is_vector_name(name: str) -> bool:
    """Returns True if a file may not redefine this name."""
    return name in INTRINSICS or name in TYPES or name in _HINTS or name.startswith(("_mm", "_MM_"))


# --- processor features -----------------------------------------------------------------------------------------------


def features(names: Sequence[str]) -> tuple[str, ...]:
    """Returns the processor features that the x86 intrinsics among these names need, as compilers call them."""
    used = [name for name in names if name.startswith("_mm") and name in INTRINSICS]
    features_: tuple[str, ...] = ("sse4.2",) if used else ()
    later = ("broadcast", "_permute_", "_blend_epi32")
    if any(name.startswith(("_mm256", "_mm512")) or any(intrinsic in name for intrinsic in later) for name in used):
        features_ += ("avx2",)
    if any(intrinsic.loose == FUSED for name in used for intrinsic in INTRINSICS[name]):
        features_ += ("fma",)
    return (*features_, "avx512f") if any(name.startswith("_mm512") for name in used) else features_


# --- lanes ------------------------------------------------------------------------------------------------------------


def _is_lanewise(node: ast.expr, parameters: Mapping[str, Kind]) -> bool:
    """Returns True if lanes are addressed only by sums with l, and l is not used otherwise."""
    match node:
        case ast.Subscript(value=ast.Name(id=name), slice=index):
            is_sum = isinstance(index, ast.BinOp) and isinstance(index.op, ast.Add) and _is_l(index.left)
            rest = index.right if is_sum and isinstance(index, ast.BinOp) else index
            is_plain = _is_l(index) or not {"l", "q", "r"} & _names(rest)
            return is_plain and isinstance(parameters[name], LaneVector | LaneOperand)
        case ast.Name(id="l" | "q" | "r") | ast.Subscript():
            return False
    return all(_is_lanewise(child, parameters) for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr))


def _is_l(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "l"


@cache
def _names(node: ast.AST) -> frozenset[str]:
    return frozenset(node_.id for node_ in ast.walk(node) if isinstance(node_, ast.Name))
