"""C texts as equations."""

from dataclasses import replace

from alphaz.diagnostics import Rejected, Source
from alphaz.equivalence.driver.equations_from_c import PLAIN_ORDER, Imported, ImportedOrder, from_c


def imported(text: str, order: ImportedOrder = PLAIN_ORDER) -> Imported:
    """Returns the equations of a C text. Equations that are not proved are not executed."""
    return from_c(Source("kernel.c", text), replace(order, executes=False))


def equations(text: str, order: ImportedOrder = PLAIN_ORDER) -> list[str]:
    """The equations, a line each, of what is proved, without a warning."""
    made = imported(text, order)
    assert made.is_proved, made.verdict.findings
    assert made.checked.warnings == ()
    lines = made.program.partition("let\n")[2].removesuffix(".\n").replace("\n", " ").split(";")
    return unbroken(lines)


def unbroken(pieces: list[str]) -> list[str]:
    """Equations end with a semicolon, and so do branches of a case."""
    result, open_ = [], ""
    for piece in pieces:
        open_ = f"{open_};{piece}" if open_ else piece
        if open_.count("case") == open_.count("esac") and open_.strip():
            result.append(" ".join(open_.split()))
            open_ = ""
    return result


def refusal(text: str, order: ImportedOrder = PLAIN_ORDER) -> tuple[str, str]:
    """The code and the message of the only finding."""
    try:
        imported(text, order)
    except Rejected as rejected:
        (only,) = rejected.diagnostics
        return only.rule.code, only.message
    raise AssertionError("it was not refused")
