"""The graph of variables: reads between variables, labelled with the text of the program, and refuted obligations."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from alphaz.diagnostics.message_words import count_text
from alphaz.figures.drawing.svg import Canvas, Figure, text_width
from alphaz.figures.drawing.words import LEFT, heading, size_text, verdict
from alphaz.figures.trace.trace_data import Trace

_NARROWEST = 420.0
# Pixels: of a line of text, between two lanes, from a box to the first lane, and of labels next to an arrow.
_LINE, _LANE, _GAP, _WORDS = 16.0, 12.0, 24.0, 360.0

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class _Box:
    """A variable: one line for each variable that it reads, and one from which it is read."""

    name: str
    line: str
    y: float
    height: float
    width: float
    sources: tuple[str, ...]

    @property
    def exit(self) -> float:
        """Returns the vertical position where its own lane begins."""
        return self.y + self.height - _LINE / 2

    def entry(self, source: str) -> float:
        """Returns the vertical position of the arrow from this source."""
        return self.y + (self.sources.index(source) + 0.5) * _LINE + 3


def graph(shown: Trace) -> Figure:
    """Returns variables below each other, each below those that it reads unless they form a cycle. Each read variable
    has a lane, from which an arrow leads to every reader, labelled with the text of the program."""
    edges, wrong = _edges(shown), _wrong(shown)
    boxes = {box.name: box for box in _boxes(shown, [*edges])}
    title = f"{shown.system}: who reads whom"
    lanes = _lanes(boxes, [*edges])
    right = LEFT + next(iter(boxes.values())).width
    words = right + _GAP + _LANE * (max(lanes.values(), default=0) + 1)
    width = max(_NARROWEST, words + _WORDS)
    canvas = Canvas()
    notes = [size_text(shown), "an arrow goes from what is read to who reads it, with the words of the program"]
    if wrong:
        notes[1] += "; orange: an obligation is refuted"
    top = heading(canvas, title, notes, width) + 14
    for pair in sorted(edges, key=lambda p: p in wrong):
        lane = right + _GAP + _LANE * lanes[pair[0]]
        down = (top + boxes[pair[0]].exit, top + boxes[pair[1]].entry(pair[0]))
        _edge(canvas, (right, lane, words), down, _label(edges[pair], wrong.get(pair, ())), pair in wrong)
    for box in boxes.values():
        middle = top + box.y + box.height / 2
        canvas.rect(LEFT, top + box.y, box.width, box.height, "node", rx=6)
        canvas.text(LEFT + box.width / 2, middle - 3, box.name, "ink", "middle", font_weight="600")
        canvas.text(LEFT + box.width / 2, middle + 12, box.line, "soft", "middle")
    verdict(canvas, shown, width)
    text = "; ".join(f"{b} reads {a}{' (refuted)' if (a, b) in wrong else ''}" for a, b in edges)
    return canvas.figure(title, f"{title}. {text}. {shown.sentence}".strip())


def _boxes(shown: Trace, edges: Sequence[Pair]) -> Iterator[_Box]:
    lines = {name: _line(shown, name) for name in _names(shown)}
    width = max(max(text_width(name) + 28, text_width(line, 11) + 22) for name, line in lines.items())
    y = 0.0
    for name in _in_order([*lines], edges):
        sources = tuple(source for source, reader in edges if reader == name)
        is_read = any(source == name for source, _ in edges)
        height = max(40.0, (len(sources) + is_read) * _LINE + 6)
        yield _Box(name=name, line=lines[name], y=y, height=height, width=width, sources=sources)
        y += height + 12


def _in_order(names: Sequence[str], edges: Sequence[Pair]) -> list[str]:
    """The variables in an order in which a read variable is right above its first reader."""
    ordered: list[str] = []
    seen: set[str] = set()

    def visit(name: str) -> None:
        if name not in seen:
            seen.add(name)
            for source, reader in edges:
                if reader == name:
                    visit(source)
            ordered.append(name)

    read = {source for source, reader in edges if source != reader}
    for name in (*(n for n in names if n not in read), *names):
        visit(name)
    return ordered


def _lanes(boxes: Mapping[str, _Box], edges: Sequence[Pair]) -> dict[str, int]:
    """The lane of each read variable; a lane is reused after its end. Short ones are next to the boxes."""
    spans = {}
    for source in dict.fromkeys(source for source, _ in edges):
        ends = [boxes[source].exit, *(boxes[reader].entry(source) for origin, reader in edges if origin == source)]
        spans[source] = min(ends), max(ends)
    lanes: dict[str, int] = {}
    for source in sorted(spans, key=lambda name: (spans[name][1] - spans[name][0], spans[name])):
        first, last = spans[source]
        taken = {lane for other, lane in lanes.items() if spans[other][0] <= last and first <= spans[other][1]}
        lanes[source] = next(lane for lane in range(len(spans)) if lane not in taken)
    return lanes


def _edge(
    canvas: Canvas,
    across: tuple[float, float, float],
    down: tuple[float, float],
    label: str,
    is_wrong: bool,
) -> None:
    """Draws an edge from the box of the read variable to its lane, along it, and to the reader. `across` are the
    positions of the boxes, the lane, the text; `down` is where the arrow begins and ends."""
    (box, lane, words), (start, end) = across, down
    role, text = ("bad", "badtext") if is_wrong else ("arrow", "soft")
    canvas.path(f"M{lane:g} {end:g}H{words - 4:g}", "line")
    canvas.path(f"M{box:g} {start:g}H{lane:g}V{end:g}H{box + 6:g}", role)
    canvas.head((box + 7, end), (box + 1, end), role)
    canvas.circle(lane, end, 2.5, "badhead" if is_wrong else "arrowhead")
    canvas.text(words, end + 4, label, text, font_size="11")


def _names(shown: Trace) -> list[str]:
    names = [value.name for o in shown.operations for value, _ in o.writes]
    return list(dict.fromkeys((*names, *(read.value.name for read in shown.reads))))


def _line(shown: Trace, name: str) -> str:
    count = sum(1 for o in shown.operations if any(value.name == name for value, _ in o.writes))
    spaces = sorted({cell.name for o in shown.operations for value, cell in o.writes if value.name == name})
    dated = any(o.is_dated and any(v.name == name for v, _ in o.writes) for o in shown.operations)
    where = f", in {', '.join(spaces)}" if spaces and spaces != [name] else ""
    return f"{count_text(count, 'operation')}{where}" if dated else f"there from the start{where}"


def _edges(shown: Trace) -> dict[Pair, tuple[str, ...]]:
    """The text of the program for each pair of read variable and reader. Reads of outputs at the end are not edges."""
    edges: dict[Pair, dict[str, None]] = {}
    for read in shown.reads:
        reader = shown.operations[read.reader]
        if reader.moment != "end" and not read.is_running:
            names = [value.name for value, _ in reader.writes] or [reader.variable]
            for name in dict.fromkeys(names):
                if name in _names(shown):
                    edges.setdefault((read.value.name, name), {})[read.text or "its array"] = None
    return {pair: tuple(texts) for pair, texts in edges.items()}


def _wrong(shown: Trace) -> dict[Pair, tuple[str, ...]]:
    """The violated rules for each pair of read variable and reader."""
    edges: dict[Pair, dict[str, None]] = {}
    for violation in shown.violations:
        number = violation.roles.get("reader")
        if number is not None and violation.value is not None:
            reader = shown.operations[number]
            for name in [value.name for value, _ in reader.writes] or [reader.variable]:
                edges.setdefault((violation.value.name, name), {})[violation.rule.code] = None
    return {pair: tuple(codes) for pair, codes in edges.items()}


def _label(texts: Sequence[str], codes: Sequence[str]) -> str:
    """The labels for which there is room."""
    room = _WORDS - text_width(" ".join(codes), 11)
    shown = [
        text for position, text in enumerate(texts) if text_width(", ".join(texts[: position + 1]), 11) < room - 70
    ]
    shown = shown or [f"{texts[0][: int((room - 90) / text_width('m', 11))]} ..."]
    more = [f"and {len(texts) - len(shown)} more"] if len(texts) > len(shown) else []
    return ", ".join((*shown, *more)) + "".join(f": {code}" for code in codes)
