"""Random kernels: formulas of right shapes over variables of every storage format."""

import random

TYPES = (
    "scalar", "vector", "row vector", "matrix", "column matrix", "triangular(upper) matrix",
    "triangular(lower) column matrix",
    "triangular(upper, unit) matrix", "triangular(lower, unit) matrix", "symmetric(upper) matrix",
    "symmetric(lower) column matrix", "band(1, 2) matrix", "band(0, kb) matrix", "band(2, 0) column matrix",
    "dominant matrix", "symmetric(upper, definite) column matrix", "band(1, 1) dominant matrix",
)  # fmt: skip

SOLVABLE = ("triangular", "dominant", "definite", "band(0,", "band(2, 0)")
QUOTE = "'"

Shape = tuple[int, int]
"""Numbers of symbols, 0 for one. All sizes are one symbol here: every product fits."""

SCALAR, COLUMN, ROW, MATRIX = (0, 0), (1, 0), (0, 1), (1, 1)


def shape_of(type_: str) -> Shape:
    if type_ == "scalar":
        return SCALAR
    if "vector" in type_:
        return ROW if "row" in type_ else COLUMN
    return MATRIX


def kernel(rng: random.Random) -> str:
    """A kernel of one to three assignments; square matrices of one size."""
    types = {f"v{at}": rng.choice(TYPES) for at in range(rng.randint(3, 6))}
    types |= {"c0": "scalar", "x0": "vector", "A0": "matrix"}
    solvable = [name for name, text in types.items() if any(word in text for word in SOLVABLE)]
    known = {name: shape_of(text) for name, text in types.items()}
    lines: list[str] = []
    outputs: list[str] = []
    for at in range(rng.randint(1, 3)):
        shape = rng.choice((SCALAR, COLUMN, ROW, MATRIX))
        value = formula(rng, known, shape, 3)
        if solvable and shape[0] and rng.random() < 0.5:
            value = f"{rng.choice(solvable)}{rng.choice(('', QUOTE))} \\ ({value})"
        lines.append(f"  y{at} = {value}")
        if rng.random() < 0.7 or not outputs:
            outputs.append(f"y{at} : {declared(shape)}")
        known[f"y{at}"] = shape
    inputs = ", ".join(f"{name} : {text}" for name, text in types.items())
    # A product with A0 makes all sizes one.
    tie = "  tie = x0' * (A0 * x0)" + "".join(
        f" + x0'*({n}*x0)" if s == MATRIX else f" + x0'*{n}" if s == COLUMN else f" + {n}*x0" if s == ROW else ""
        for n, s in known.items() if not n.startswith("y")
    )  # fmt: skip
    square = "  sq = A0 + A0'"
    body = "\n".join([square, *lines, tie])
    return f"DRAWN\nin {inputs}\nout {', '.join(outputs)}, tie : scalar\n{{\n{body}\n}}\n"


def declared(shape: Shape) -> str:
    return {SCALAR: "scalar", COLUMN: "vector", ROW: "row vector", MATRIX: "matrix"}[shape]


def formula(rng: random.Random, known: dict[str, Shape], shape: Shape, depth: int) -> str:
    """An expression of that shape."""
    leaves = [name for name, own in known.items() if own == shape]
    leaves += [f"{name}'" for name, own in known.items() if own == shape[::-1] and shape != SCALAR]
    if shape == SCALAR:
        leaves.append(rng.choice(("2", "0.5", "3")))
    if depth == 0 or rng.random() < 0.15:
        return rng.choice(leaves) if leaves else product(rng, known, shape, 0)
    match rng.randint(0, 5):
        case 0 | 1:
            operator = rng.choice("+-")
            parts = (formula(rng, known, shape, depth - 1) for _ in range(2))
            return f"({f' {operator} '.join(parts)})"
        case 2:
            return f"{formula(rng, known, SCALAR, 0)} * {atom(formula(rng, known, shape, depth - 1))}"
        case 3 if shape != SCALAR:
            return f"({formula(rng, known, shape[::-1], depth - 1)})'"
        case 4:
            return f"-{atom(formula(rng, known, shape, depth - 1))}"
    return product(rng, known, shape, depth - 1)


def product(rng: random.Random, known: dict[str, Shape], shape: Shape, depth: int) -> str:
    inner = rng.choice((0, 1)) if shape == MATRIX else 1
    left = formula(rng, known, (shape[0], inner), depth)
    return f"{atom(left)} * {atom(formula(rng, known, (inner, shape[1]), depth))}"


def atom(text: str) -> str:
    return text if text.isalnum() else f"({text})"
