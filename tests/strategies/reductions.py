"""Texts of programs that are one reduction each, of the shapes that transformations of reductions look for.

Reads are inside for all indices that occur. Every answer has a point, so that `min` and `max` have values.
"""

from random import Random

_BOUNDS = {
    1: (("k", "0<=k<=i"), ("k", "i<=k<N"), ("k", "0<=k<N"), ("k", "i-2<=k<=i+2"), ("k", "0<=k<=2i")),
    2: (("k,l", "0<=k<=i && 0<=l<=k"), ("k,l", "0<=k<N && 0<=l<=i"), ("k,l", "i<=k<N && 0<=l<N")),
}
# What combines the operands inside, by the operator of the reduction: of its own, one that distributes, any.
_INSIDE = {"+": ("+", "*", "-"), "max": ("max", "+", "*"), "min": ("min", "+", "-")}


def program(random: Random) -> str:
    """`Y[i] = reduce(op, [k], D: e)`, or over two indices, perhaps with a case for a body."""
    operator = random.choice(tuple(_INSIDE))
    count = random.choice((1, 1, 2))
    names, bounds = random.choice(_BOUNDS[count])
    indices = ["i", *names.split(",")]
    body = _operands(random, indices, random.choice(_INSIDE[operator]))
    if random.random() < 0.25:
        last, split = indices[-1], random.choice(("0", "2", "i"))
        body = f"case {{| {last}<{split}}}: {_operands(random, indices, '+')}; {{| {last}>={split}}}: {body}; esac"
    return f"""affine test {{N | N>=1}}
input
    int A {{i | -9-9N<=i<=9+9N}};
    int W {{i,j | -9-9N<=i<=9+9N && -9-9N<=j<=9+9N}};
output
    int Y {{i | 0<=i<N}};
let
    Y[i] = reduce({operator}, [{names}], {{| {bounds}}}: {body});
.
"""


def planes(random: Random) -> str:
    """`Y[i,j] = reduce(op, [k], D: e)`, in which one of i, j may make no difference, in a case or not."""
    operator = random.choice(tuple(_INSIDE))
    indices = random.choice((["i", "k"], ["j", "k"], ["k"], ["i", "j", "k"]))
    bounds = random.choice(("0<=k<=i", "i<=k<N", "0<=k<N", "0<=k<=j", "i-2<=k<=i+2"))
    whole = f"reduce({operator}, [k], {{| {bounds}}}: {_operands(random, indices, '+')})"
    if random.random() < 0.3:
        here, there = random.choice((("i<j", "i>=j"), ("j<2", "j>=2"), ("i+j<N", "i+j>=N")))
        whole = f"case {{| {here}}}: 2 * ({whole}); {{| {there}}}: A[i-j]; esac"
    return f"""affine test {{N | N>=1}}
input
    int A {{i | -9-9N<=i<=9+9N}};
    int W {{i,j | -9-9N<=i<=9+9N && -9-9N<=j<=9+9N}};
output
    int Y {{i,j | 0<=i<N && {random.choice(("0<=j<N", "0<=j<=i", "i<=j<=i+3"))}}};
let
    Y[i,j] = {whole};
.
"""


def _operands(random: Random, indices: list[str], inside: str) -> str:
    return f" {inside} ".join(_read(random, indices) for _ in range(random.choice((1, 2, 2, 3))))


def _read(random: Random, indices: list[str]) -> str:
    one, other = random.choice(indices), random.choice(indices)
    single = random.choice((one, one, f"{one}-{other}" if one != other else one, f"{one}+1"))
    return f"A[{single}]" if random.random() < 0.7 else f"W[{one},{other}]"
