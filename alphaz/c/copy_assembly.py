"""Asynchronous copies in the assembly of CUDA, as calls of the same length at most.

asm volatile("cp.async.ca.shared.global [%0], [%1], 8;\n" :: "r"(a), "l"(p));    copy$(a, p, 8);
asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n" :: "r"(a), "l"(p));   line$(a, p, 16);
asm volatile("cp.async.commit_group;\n" ::);                                     commit$();
asm volatile("cp.async.wait_group %0;\n" :: "n"(1));                             wait$(1);
asm volatile("cp.async.wait_all;\n" ::: "memory");                               wait_all$();
"""

import re
from collections.abc import Sequence

from alphaz.c.cuda_preparation import closing_bracket

COPY, LINE, COMMIT, WAIT, WAIT_ALL = "copy$", "line$", "commit$", "wait$", "wait_all$"
_STATEMENT = re.compile(r"\b(?:asm|__asm__|__asm)(?:\s+(?:volatile|__volatile__))?\s*\(")
_TEMPLATE = re.compile(r'\s*((?:"(?:[^"\\]|\\.)*"\s*)+)')
_OPERAND = re.compile(r'\s*"(?P<kind>[rln])"\s*\(')
_CLOBBER = re.compile(r'\s*:\s*"memory"\s*')
_END = re.compile(r"\)\s*;")
_COPIES = re.compile(r"cp\.async\.(c[ag])\.shared(?:::cta)?\.global\s*\[%0\]\s*,\s*\[%1\]\s*,\s*(%2|\d+)\s*;\s*")
_WAITS = re.compile(r"cp\.async\.wait_group\s+(%0|\d+)\s*;\s*")


def without_copy_assembly(text: str) -> str:
    """Returns the text with asynchronous copies as calls; other assembly is unchanged. Lines stay, and all characters
    behind a statement."""
    at = 0
    while (found := _STATEMENT.search(text, at)) is not None:
        at = found.end()
        read = _statement(text, at)
        if read is not None:
            calls, end = read
            gone = text[found.start() : end]
            if len(calls) <= len(gone):
                lines = "".join("\n" for char in gone[len(calls) :] if char == "\n")
                lost = gone[: len(calls)].count("\n")
                blank = " " * (len(gone) - len(calls) - len(lines) - lost)
                text = f"{text[: found.start()]}{calls}{blank}{lines}{chr(10) * lost}{text[end:]}"
    return text


def _statement(text: str, at: int) -> tuple[str, int] | None:
    """Returns the calls for the statement whose parenthesis opens in front of `at`, and its end."""
    template = _TEMPLATE.match(text, at)
    if template is None:
        return None
    code = "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', template[1])).replace("\\n", "\n").replace("\\t", "\t").strip()
    read = _operands(text, template.end())
    if read is None:
        return None
    operands, end = read
    closing = _END.match(text, end)
    calls = _calls(code, operands)
    return None if closing is None or calls is None else (calls, closing.end())


def _operands(text: str, at: int) -> tuple[list[tuple[str, str]], int] | None:
    """Returns the inputs behind `::`, each with its constraint, and the place behind them and a clobber of memory."""
    start = re.compile(r"\s*:\s*:").match(text, at)
    operands: list[tuple[str, str]] = []
    if start is None:
        return operands, at
    at = start.end()
    while (one := _OPERAND.match(text, at)) is not None:
        end = closing_bracket(text, one.end() - 1)
        if end == 0:
            return None
        operands.append((one["kind"], text[one.end() : end]))
        more = re.compile(r"\s*,").match(text, end + 1)
        at = end + 1 if more is None else more.end()
        if more is None:
            break
    clobber = _CLOBBER.match(text, at)
    return operands, at if clobber is None else clobber.end()


def _calls(code: str, operands: Sequence[tuple[str, str]]) -> str | None:
    kinds = "".join(kind for kind, _ in operands)
    values = [value for _, value in operands]
    copied, waited = _COPIES.fullmatch(code), _WAITS.fullmatch(code)
    if copied is not None and kinds == ("rln" if copied[2] == "%2" else "rl"):
        name, size = COPY if copied[1] == "ca" else LINE, values[2] if copied[2] == "%2" else copied[2]
        return f"{name}({values[0]}, {values[1]}, {size});"
    if waited is not None and kinds == ("n" if waited[1] == "%0" else ""):
        return f"{WAIT}({values[0] if waited[1] == '%0' else waited[1]});"
    return {"cp.async.commit_group;": f"{COMMIT}();", "cp.async.wait_all;": f"{WAIT_ALL}();"}.get(
        code if not kinds else ""
    )
