"""Translates `asm` statements of CUDA with known PTX instructions to calls that work without a GPU."""

import re

_STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')
# Up to the first colon, which strings may have as well.
_STRINGS = re.compile(rf"(?:\s*{_STRING.pattern})+")
_OPERAND = re.compile(r'"[=+&]*\w"\s*(\()')


def ptx_call(statement: str) -> str | None:
    """Returns a call for the content of an `asm` statement; None if it is not among the known instructions."""
    strings = _STRINGS.match(statement)
    code = "".join(_STRING.findall(strings[0])) if strings else ""
    code = " ".join(code.replace("\\n", " ").replace("\\t", " ").split())
    operands = _operands(statement)
    for pattern, made in _TABLE:
        match = pattern.match(code)
        if match:
            return made(match, operands)
    return None


def _operands(statement: str) -> list[str]:
    """Returns the expressions of the operands, outputs first."""
    operands = []
    for match in _OPERAND.finditer(statement):
        depth, at = 0, match.start(1)
        for end in range(at, len(statement)):
            depth += (statement[end] == "(") - (statement[end] == ")")
            if depth == 0:
                operands.append(statement[at : end + 1])
                break
    return operands


def _copy(match: re.Match[str], operands: list[str]) -> str | None:
    size = match["size"]
    if not 2 <= len(operands) <= 4:
        return None
    bytes_ = size if size.isdigit() else "16" if match["kind"] == "cg" else operands[2]
    zeros = f"({bytes_}) - (size_t){operands[-1]}" if match["filled"] else "0"
    places = f"(void *)(size_t){operands[0]}, (const void *)(size_t){operands[1]}"
    return f"__pipeline_memcpy_async({places}, {bytes_}, {zeros})"


def _wait(match: re.Match[str], operands: list[str]) -> str:
    return f"__pipeline_wait_prior({operands[0] if operands else match['left']})"


def _product(match: re.Match[str], operands: list[str]) -> str | None:
    rows, depth = int(match["rows"]), int(match["depth"])
    counts = (rows // 4, rows * depth // 32, depth // 4)
    outputs = counts[0]
    rest = operands[outputs:]
    if len(rest) == counts[1] + counts[2]:  # the sum is read and written
        sums = operands[:outputs]
    elif len(rest) == sum(counts):
        sums = rest[-outputs:]
    else:
        return None
    a, b = rest[: counts[1]], rest[counts[1] : counts[1] + counts[2]]
    stored = " ".join(f"{operand} = alphaz_c[{position}];" for position, operand in enumerate(operands[:outputs]))
    return (
        f"do {{ double alphaz_c[] = {{{', '.join(sums)}}}; const double alphaz_a[] = {{{', '.join(a)}}}, "
        f"alphaz_b[] = {{{', '.join(b)}}}; "
        f"::alphaz::product(::alphaz::Product::F64_{rows}_8_{depth}, alphaz_c, alphaz_a, alphaz_b); "
        f"{stored} }} while (0)"
    )


_TABLE = (
    (
        re.compile(
            r"cp\.async\.(?P<kind>c[ag])\.shared(?:::cta)?\.global(?:\.L2::\d+B)?\s*\[%0\], \[%1\], "
            r"(?P<size>%2|\d+)(?P<filled>, %\d)?;$"
        ),
        _copy,
    ),
    (re.compile(r"(?:bar|barrier)\.sync(?:\.aligned)? 0;$"), lambda match, operands: "__syncthreads()"),
    (re.compile(r"(?:membar\.(?:gl|sys)|fence\.acq_rel\.(?:gpu|sys));$"), lambda match, operands: "__threadfence()"),
    (re.compile(r"mov\.u32 %0, %+laneid;$"), lambda match, operands: f"{operands[0]} = ::alphaz::lane()"),
    (re.compile(r"cp\.async\.commit_group;$"), lambda match, operands: "__pipeline_commit()"),
    (re.compile(r"cp\.async\.wait_group (?P<left>\d+|%0);$"), _wait),
    (re.compile(r"cp\.async\.wait_all;$"), lambda match, operands: "(__pipeline_commit(), __pipeline_wait_prior(0))"),
    (re.compile(r"mma\.sync\.aligned\.m(?P<rows>8|16)n8k(?P<depth>4|8|16)\.row\.col\.f64\.f64\.f64\.f64 "), _product),
)
