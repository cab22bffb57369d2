"""Texts of programs that pass all checks by construction, for rewriting: every read is inside, every case is complete.

The inputs A and B reach far beyond all indices. X lives where the variables live, and is read in branches of cases that
it limits by its own domain. Locals are read behind guards. Reductions may have no points; then they are 0 or 1.
"""

from random import Random

INDICES = ("i", "j", "k", "l")
_CONDITIONS = {
    0: (("N>1", "N<=1"), ("N==2", "N!=2")),
    1: (("i==0", "i!=0"), ("i>0", "i<=0"), ("i<N-1", "i>=N-1")),
    2: (("i<j", "i>=j"), ("i==j", "i!=j"), ("j>0", "j<=0"), ("i+j<N", "i+j>=N")),
    3: (("k<j", "k>=j"), ("i+k==j", "i+k!=j")),
    4: (("l<k", "l>=k"),),
}
_BOUNDS = {
    0: ("0<={0}<N", "0<={0}<=2"),
    1: ("0<={0}<i", "i<={0}<N", "0<={0}<N"),
    2: ("0<={0}<j", "i<={0}<j", "0<={0}<=1"),
    3: ("0<={0}<k", "0<={0}<=1"),
}


class Writer:
    """Expressions over the names of one equation; `known` are the locals that may be read, with their ranks."""

    def __init__(self, random: Random, known: dict[str, int]) -> None:
        self.random = random
        self.known = known

    def expression(self, rank: int, depth: int) -> str:
        kinds = [self.read, self.read, self.number, self.point_free]
        if depth > 0:
            kinds += [self.operation, self.operation, self.cases, self.limited, self.choice, self.restricted_case]
            kinds += [self.local, self.local] if self.known else []
            kinds += [self.reduction, self.implicit_reduction] if rank < 4 else []
        return self.random.choice(kinds)(rank, depth)

    def affine(self, rank: int) -> str:
        names = INDICES[:rank] or ("N",)
        one, other = self.random.choice(names), self.random.choice(names)
        return self.random.choice((one, one, f"{one}-1", f"{one}+1", f"N-{one}" if rank else "N-1", f"{one}+{other}"))

    def read(self, rank: int, depth: int) -> str:
        if self.random.random() < 0.5:
            return f"A[{self.affine(rank)}]"
        return f"B[{self.affine(rank)},{self.affine(rank)}]"

    def number(self, rank: int, depth: int) -> str:
        return self.random.choice(("0", "1", "3", "[N]", *(f"[{n}]" for n in INDICES[:rank])))

    def point_free(self, rank: int, depth: int) -> str:
        names = ",".join(INDICES[:rank])
        return f"({names}->{self.affine(rank)})@(case {{a | a>1}}: A; {{a | a<=1}}: (a->a,a+1)@(B + (a,b->b)@A); esac)"

    def operation(self, rank: int, depth: int) -> str:
        left, right = self.expression(rank, depth - 1), self.expression(rank, depth - 1)
        operator = self.random.choice(("+", "-", "*", "max", "min"))
        if operator == "max" and self.random.random() < 0.5:
            return f"max({left}, {right}, {self.read(rank, 0)})"
        return f"-({left})" if self.random.random() < 0.1 else f"({left} {operator} {right})"

    def choice(self, rank: int, depth: int) -> str:
        parts = [self.expression(rank, depth - 1) for _ in range(3)]
        return f"(if {parts[0]} < {self.read(rank, 0)} then {parts[1]} else {parts[2]})"

    def cases(self, rank: int, depth: int) -> str:
        at = self.random.randint(min(rank, 1), rank)
        yes, no = self.random.choice(_CONDITIONS[at])
        left, right = self.expression(rank, depth - 1), self.expression(rank, depth - 1)
        return f"case {{| {yes}}}: {left}; {{| {no}}}: {right}; esac"

    def restricted_case(self, rank: int, depth: int) -> str:
        yes, no = self.random.choice(_CONDITIONS[min(rank, 2)])
        return (
            f"case ({{| {yes}}}: {self.expression(rank, depth - 1)}) + {self.read(rank, 0)}; "
            f"{{| {no}}}: {self.expression(rank, depth - 1)}; esac"
        )

    def limited(self, rank: int, depth: int) -> str:
        """A read of X says by its own domain which branch it is."""
        index = self.affine(rank)
        other = self.expression(rank, depth - 1)
        return f"case X[{index}]; {{| {below(index)}}}: {other}; {{| {above(index)}}}: {self.read(rank, 0)}; esac"

    def local(self, rank: int, depth: int) -> str:
        name = self.random.choice(sorted(self.known))
        indices = [self.affine(rank) for _ in range(self.known[name])]
        return guarded(name, indices, self.expression(rank, depth - 1))

    def reduction(self, rank: int, depth: int) -> str:
        new = INDICES[rank]
        bounds = self.random.choice(_BOUNDS[rank]).format(new)
        operator = self.random.choice(("+", "+", "max" if bounds in ("0<=i<N", f"0<={new}<=1") else "+", "*"))
        return f"reduce({operator}, [{new}], {{| {bounds}}}: {self.expression(rank + 1, depth - 1)})"

    def implicit_reduction(self, rank: int, depth: int) -> str:
        new = INDICES[rank]
        return f"reduce(+, [{new}], X[{new}] * {self.expression(rank + 1, depth - 1)})"


def below(index: str) -> str:
    return f"{index}<0"


def above(index: str) -> str:
    return f"{index}>=N"


def guarded(name: str, indices: list[str], other: str) -> str:
    """The local where all its indices are in 0..N-1, else the other."""
    inside = " && ".join(f"0<={index} && {index}<N" for index in indices)
    first, rest = indices[0], indices[1:]
    outside = f"case {{| {below(first)}}}: {other}; {{| {above(first)}}}: 1; "
    for at, index in enumerate(rest):
        before = " && ".join(f"0<={i} && {i}<N" for i in (first, *rest[:at]))
        outside += f"{{| {before} && {below(index)}}}: 2; {{| {before} && {above(index)}}}: 3; "
    return f"{outside}{{| {inside}}}: {name}[{','.join(indices)}]; esac"


def program(random: Random, types: tuple[str, ...] = ("int",)) -> str:
    """One system, `test`: locals L (1 index), M (2 indices) and S (an accumulation along its index), outputs Y, Z, W.

    Each variable has one of the types.
    """

    def type_() -> str:
        return random.choice(types)

    ranks = {"L": 1, "M": 2}
    known: dict[str, int] = {}
    equations: list[str] = []
    for name, rank in ranks.items():
        body = Writer(random, known).expression(rank, 2)
        equations.append(f"    {name}[{','.join(INDICES[:rank])}] = {body};")
        known[name] = rank
    step = Writer(random, known).expression(1, 1)
    equations.append(f"    S[i] = case {{| i==0}}: {step}; {{| i>0}}: S[i-1] + {step}; esac;")
    known["S"] = 1
    for name, rank in (("Y", 1), ("Z", 0), ("W", 2)):
        equations.append(f"    {name}[{','.join(INDICES[:rank])}] = {Writer(random, known).expression(rank, 3)};")
    lines = "\n".join(equations)
    return f"""affine test {{N | N>=1}}
input
    {type_()} A {{i | -9-4N<=i<=9+4N}};
    {type_()} B {{i,j | -9-4N<=i<=9+4N && -9-4N<=j<=9+4N}};
    {type_()} X {{i | 0<=i<N}};
output
    {type_()} Y {{i | 0<=i<N}};
    {type_()} Z;
    {type_()} W {{i,j | 0<=i<N && 0<=j<N}};
local
    {type_()} L {{i | 0<=i<N}};
    {type_()} M {{i,j | 0<=i<N && 0<=j<N}};
    {type_()} S {{i | 0<=i<N}};
let
{lines}
.
"""
