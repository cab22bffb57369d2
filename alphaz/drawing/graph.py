"""The graph of variables: who reads whom, in the words of the program, and where an obligation is refuted."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from alphaz.drawing.svg import Canvas, Figure, text_width
from alphaz.drawing.words import LEFT, heading, size_text, verdict
from alphaz.trace.trace import Trace

_HEIGHT = 40.0
_DOWN = 104.0
_APART = 44.0
_NARROWEST = 420.0

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class _Node:
    name: str
    line: str
    x: float
    y: float
    width: float


def graph(shown: Trace) -> Figure:
    """What is read stands above who reads it; an arrow goes from the one to the other."""
    edges, wrong = _edges(shown), _wrong(shown)
    rows = _layers(_names(shown), [pair for pair in edges if pair[0] != pair[1]])
    title = f"{shown.system}: who reads whom"
    widths = {name: max(64.0, text_width(name) + 28, text_width(_line(shown, name), 11) + 22) for name in _names(shown)}
    labels = {pair: _label(texts, wrong.get(pair, ())) for pair, texts in edges.items()}
    room = max((text_width(line, 11) for lines in labels.values() for line in lines), default=0)
    widest = max(sum(widths[n] + max(_APART, room) for n in row) for row in rows)
    width = max(_NARROWEST, widest + 60)
    canvas = Canvas()
    notes = [size_text(shown), "an arrow goes from what is read to who reads it, with the words of the program"]
    if wrong:
        notes[1] += "; orange: an obligation is refuted"
    top = heading(canvas, title, notes, width) + 24
    nodes = _places(shown, rows, widths, (width, top, max(_APART, room)))
    for pair in sorted(edges, key=lambda p: p in wrong):
        _edge(canvas, nodes[pair[0]], nodes[pair[1]], labels[pair], pair in wrong)
    for node in nodes.values():
        canvas.rect(node.x, node.y, node.width, _HEIGHT, "node", rx=6)
        canvas.text(node.x + node.width / 2, node.y + 17, node.name, "ink", "middle", font_weight="600")
        canvas.text(node.x + node.width / 2, node.y + 32, node.line, "soft", "middle")
    verdict(canvas, shown, width)
    said = "; ".join(f"{b} reads {a}{' (refuted)' if (a, b) in wrong else ''}" for a, b in edges)
    return canvas.figure(title, f"{title}. {said}. {shown.sentence}".strip())


def _names(shown: Trace) -> list[str]:
    written = [value.name for o in shown.operations for value, _ in o.writes]
    return list(dict.fromkeys((*written, *(read.value.name for read in shown.reads))))


def _line(shown: Trace, name: str) -> str:
    count = sum(1 for o in shown.operations if any(value.name == name for value, _ in o.writes))
    spaces = sorted({cell.name for o in shown.operations for value, cell in o.writes if value.name == name})
    dated = any(o.is_dated and any(v.name == name for v, _ in o.writes) for o in shown.operations)
    where = f", in {', '.join(spaces)}" if spaces and spaces != [name] else ""
    return f"{count} operation{'' if count == 1 else 's'}{where}" if dated else f"there from the start{where}"


def _edges(shown: Trace) -> dict[Pair, tuple[str, ...]]:
    """The words of the program, by what is read and who reads it. The end reads the outputs: that is no edge."""
    found: dict[Pair, dict[str, None]] = {}
    for read in shown.reads:
        reader = shown.operations[read.reader]
        if reader.moment != "end" and not read.is_running:
            names = [value.name for value, _ in reader.writes] or [reader.variable]
            for name in dict.fromkeys(names):
                if name in _names(shown):
                    found.setdefault((read.value.name, name), {})[read.text or "its array"] = None
    return {pair: tuple(texts) for pair, texts in found.items()}


def _wrong(shown: Trace) -> dict[Pair, tuple[str, ...]]:
    """The rules that are broken, by what is read and who reads it."""
    found: dict[Pair, dict[str, None]] = {}
    for violation in shown.violations:
        number = violation.roles.get("reader")
        if number is not None and violation.value is not None:
            reader = shown.operations[number]
            for name in [value.name for value, _ in reader.writes] or [reader.variable]:
                found.setdefault((violation.value.name, name), {})[violation.rule.code] = None
    return {pair: tuple(codes) for pair, codes in found.items()}


def _label(texts: Sequence[str], codes: Sequence[str]) -> tuple[str, ...]:
    more = (f"and {len(texts) - 2} more",) if len(texts) > 2 else ()
    return (*texts[:2], *more, *codes)


def _layers(names: Sequence[str], edges: Sequence[Pair]) -> list[list[str]]:
    """Readers below what they read, edges that close a circle left out."""
    forward: list[Pair] = []
    for edge in edges:
        if not _leads(forward, edge[1], edge[0]):
            forward.append(edge)
    level = dict.fromkeys(names, 0)
    for _ in names:
        for above, below in forward:
            level[below] = max(level[below], level[above] + 1)
    return [[n for n in names if level[n] == at] for at in range(max(level.values()) + 1)]


def _leads(edges: Sequence[Pair], start: str, goal: str) -> bool:
    waiting, seen = [start], {start}
    while waiting:
        here = waiting.pop()
        if here == goal:
            return True
        following = {b for a, b in edges if a == here} - seen
        seen |= following
        waiting += sorted(following)
    return False


def _places(
    shown: Trace, rows: Sequence[Sequence[str]], widths: Mapping[str, float], room: tuple[float, float, float]
) -> dict[str, _Node]:
    width, top, apart = room
    found = {}
    for at, row in enumerate(rows):
        whole = sum(widths[name] for name in row) + apart * (len(row) - 1)
        x = LEFT + max(0.0, (width - 60 - whole) / 2)
        for name in row:
            found[name] = _Node(name=name, line=_line(shown, name), x=x, y=top + at * _DOWN, width=widths[name])
            x += widths[name] + apart
    return found


def _edge(canvas: Canvas, above: _Node, below: _Node, label: Sequence[str], is_wrong: bool) -> None:
    role, text = ("bad", "badtext") if is_wrong else ("arrow", "soft")
    if above is below:
        x, y = above.x + above.width, above.y + _HEIGHT / 2
        canvas.path(f"M{x:g} {y - 10:g}C{x + 34:g} {y - 22:g} {x + 34:g} {y + 22:g} {x + 5:g} {y + 10:g}", role)
        canvas.head((x + 7, y + 11), (x + 1, y + 8), role)
        _lines(canvas, x + 30, y - 2, label, text)
        return
    x0, x1 = above.x + above.width / 2, below.x + below.width / 2
    y0, y1 = above.y + _HEIGHT, below.y
    if y1 > y0:
        bend = (y1 - y0) / 2
        tip = y1 - 1
    else:
        x0, x1, y0, y1 = above.x, below.x + below.width, above.y + 8, below.y + _HEIGHT - 8
        canvas.path(f"M{x0:g} {y0:g}L{x1 + 7:g} {y1:g}", role)
        canvas.head((x1 + 7, y1), (x1 + 1, y1), role)
        _lines(canvas, (x0 + x1) / 2 + 6, (y0 + y1) / 2 + 12, label, text)
        return
    canvas.path(f"M{x0:g} {y0:g}C{x0:g} {y0 + bend:g} {x1:g} {y1 - bend:g} {x1:g} {tip - 6:g}", role)
    canvas.head((x1, tip - 6), (x1, tip), role)
    # Beside the beginning, on the side from which the curve bends away.
    _lines(canvas, x0 + (7 if x1 <= x0 else -7), y0 + 16, label, text, "start" if x1 <= x0 else "end")


def _lines(canvas: Canvas, x: float, y: float, lines: Sequence[str], role: str, anchor: str = "start") -> None:
    for at, line in enumerate(lines):
        canvas.text(x, y + at * 13, line, role, anchor, **({"font_size": "11"} if role == "badtext" else {}))
