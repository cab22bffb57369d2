"""Lanes of ranks: the operations of each in each step, and the messages between them."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from alphaz.diagnostics.message_words import count_text
from alphaz.figures.drawing.svg import Canvas, Figure, text_width
from alphaz.figures.drawing.words import LEFT, heading, size_text, verdict
from alphaz.figures.trace.trace_data import Element, Index, RankLanes, Trace

_COLUMN, _LANE, _BOX, _HEIGHT = 104.0, 62.0, 56.0, 30.0
_NARROWEST = 420.0


@dataclass(frozen=True, slots=True)
class _Message:
    """Values that one rank sends to another after a step, for a reader in the step `read`."""

    sender: int
    receiver: int
    sent: Index
    read: Index


def lanes(shown: Trace) -> Figure:
    """Returns ranks below each other, their steps next to each other, and an arrow for the values of a step that one
    rank sends to another, with their number.
    """
    ranks = shown.ranks
    assert ranks is not None
    steps = {step: position for position, step in enumerate(sorted({step for _, step in ranks.steps}))}
    messages, wrong = _messages(shown, ranks), _wrong(shown)
    title = f"{shown.system}: ranks, and what they send"
    notes = [size_text(shown), "an arrow: so many values of a step, from the rank that computes them to one that reads"]
    notes[1] += " them; the number in a box: operations"
    if len(ranks.ranks) < sum(1 for _ in shown.dated):
        notes.append("reductions that all ranks merge are not drawn")
    left = LEFT + max(text_width(name) for name in ranks.names) + 76
    width = max(_NARROWEST, left + _COLUMN * len(steps))
    canvas = Canvas()
    top = heading(canvas, title, notes, width) + 34
    for step, at in steps.items():
        canvas.text(left + at * _COLUMN + _BOX / 2, top - 12, _step(step), "soft", "middle")
    for lane, name in enumerate(ranks.names):
        canvas.text(LEFT, top + lane * _LANE + _HEIGHT / 2 + 4, f"rank {name}", "ink")
    places = {
        (lane, step): (left + at * _COLUMN, top + lane * _LANE)
        for lane in range(len(ranks.names))
        for step, at in steps.items()
    }
    _boxes(canvas, shown, ranks, places)
    for message, values in sorted(messages.items(), key=lambda pair: bool(pair[1] & wrong)):
        _arrow(canvas, message, values, places, bool(values & wrong))
    verdict(canvas, shown, width)
    description = "; ".join(
        f"rank {ranks.names[m.sender]} sends {count_text(len(values), 'value')} of step {_step(m.sent)} to rank"
        f" {ranks.names[m.receiver]}"
        for m, values in messages.items()
    )
    return canvas.figure(title, ". ".join(part for part in (title, description, shown.sentence) if part))


def _messages(shown: Trace, ranks: RankLanes) -> Mapping[_Message, set[Element]]:
    """Returns the values of every message, each once, by the first step in which the receiver reads one."""
    of, steps = dict(ranks.ranks), dict(ranks.steps)
    first: dict[tuple[int, int, Index, Element], Index] = {}
    for read in shown.reads:
        producers = [number for number in read.producers if number in of]
        if read.is_running or read.reader not in of or not producers:
            continue
        sender, receiver = of[producers[0]], of[read.reader]
        if sender != receiver and len({of[number] for number in producers}) == 1:
            key = (sender, receiver, steps[producers[0]], read.value)
            first[key] = min(first.get(key, steps[read.reader]), steps[read.reader])
    messages: dict[_Message, set[Element]] = defaultdict(set)
    for (sender, receiver, sent, value), read_in in first.items():
        messages[_Message(sender, receiver, sent, read_in)].add(value)
    return messages


def _wrong(shown: Trace) -> set[Element]:
    return set() if shown.witness is None or shown.witness.value is None else {shown.witness.value}


def _boxes(
    canvas: Canvas,
    shown: Trace,
    ranks: RankLanes,
    places: Mapping[tuple[int, Index], tuple[float, float]],
) -> None:
    of, steps = dict(ranks.ranks), dict(ranks.steps)
    counts = Counter((of[number], steps[number]) for number in of)
    part = [] if shown.witness is None else [number for _, number in shown.witness.places if number in of]
    marked = {(of[number], steps[number]) for number in part}
    for key, count in counts.items():
        x, y = places[key]
        canvas.rect(x, y, _BOX, _HEIGHT, "node", count_text(count, "operation"), rx=6)
        if key in marked:
            canvas.rect(x, y, _BOX, _HEIGHT, "bad", rx=6)
        canvas.text(x + _BOX / 2, y + _HEIGHT / 2 + 4, str(count), "ink", "middle")


def _arrow(
    canvas: Canvas,
    message: _Message,
    values: set[Element],
    places: Mapping[tuple[int, Index], tuple[float, float]],
    is_wrong: bool,
) -> None:
    """Draws an arrow from a step to the step of the reader; within one step it is a pipeline."""
    role = "bad" if is_wrong else "arrow"
    (x, y), (u, v) = places[message.sender, message.sent], places[message.receiver, message.read]
    down = v > y
    if message.sent == message.read:
        start, end = (x + _BOX / 2, y + (_HEIGHT if down else 0)), (u + _BOX / 2, v + (0 if down else _HEIGHT))
    else:
        start, end = (x + _BOX, y + _HEIGHT * (0.7 if down else 0.3)), (u, v + _HEIGHT * (0.3 if down else 0.7))
    canvas.arrow(start, end, 2, role)
    middle = (start[0] + end[0]) / 2 + 8, (start[1] + end[1]) / 2 + (-3 if down else 11)
    canvas.text(*middle, str(len(values)), "badtext" if is_wrong else "soft", font_size="11")


def _step(step: Index) -> str:
    return f"({','.join(map(str, step))})" if step else "one step"
