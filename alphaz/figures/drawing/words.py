"""Common texts of figures: descriptions of operations, headings and captions."""

from alphaz.figures.drawing.svg import Canvas, wrap_text
from alphaz.figures.trace.trace_data import Operation, Trace

LEFT = 20.0


def tip(operation: Operation) -> str:
    """Returns a tooltip: `X[1,2] at (1,2), step 8, tile (0,1), writes cell X[1]`."""
    phrases = [str(operation)]
    if operation.date is not None:
        phrases[0] += f" at ({','.join(map(str, operation.date))})"
    phrases.append(f"step {operation.step}")
    if operation.tile is not None:
        phrases.append(f"tile ({','.join(map(str, operation.tile))})")
    if operation.wavefront is not None:
        phrases.append(f"wavefront {operation.wavefront}")
    phrases += [f"writes {value} into cell {cell}" for value, cell in operation.writes[:3]]
    return ", ".join(phrases)


def size_text(shown: Trace) -> str:
    """Returns the parameters: `N = 3, T = 1: the smallest ...; tiles of 2 by 2`."""
    tiles = "; tiles of " + " by ".join(str(size) for _, size in shown.tiles) if shown.tiles else ""
    return f"{shown.size} ({shown.why}){tiles}"


def heading(canvas: Canvas, title: str, lines: list[str], width: float) -> float:
    """Draws the title and the lines below it; returns the lower end."""
    y = 12.0
    for line in wrap_text(title, width, 15):
        y += 14
        canvas.text(LEFT, y, line, "title")
        y += 4
    for text in lines:
        for line in wrap_text(text, width, 11):
            y += 15
            canvas.text(LEFT, y, line, "soft")
    return y


def verdict(canvas: Canvas, shown: Trace, width: float) -> None:
    """Draws the violated rule of a refuted mapping, and the counterexample in words."""
    if shown.witness is None:
        return
    y = canvas.bottom + 24
    canvas.text(LEFT, y, f"{shown.witness.rule.code}: {shown.witness.rule.summary}", "badtext")
    for line in wrap_text(_sentence(shown.sentence), width):
        y += 17
        canvas.text(LEFT, y, line)


def _sentence(text: str) -> str:
    return text if text.endswith(".") else f"{text}."
