"""Blocks of a GPU below each other, launches next to each other: how many operations and threads each has."""

from alphaz.diagnostics.message_words import count_text
from alphaz.figures.drawing.svg import Canvas, Figure, text_width
from alphaz.figures.drawing.words import LEFT, heading, size_text
from alphaz.figures.trace.trace_data import BlockShare, Trace

_COLUMN, _ROW, _BOX, _HEIGHT = 104.0, 48.0, 92.0, 38.0
_NARROWEST = 420.0
_ROWS, _COLUMNS = 24, 9


def blocks(shown: Trace) -> Figure:
    """Returns a row for each block, a column for each launch of a kernel, and in the box of a block its operations and
    the threads that execute some.
    """
    launched = shown.blocks
    assert launched is not None
    every = sorted({share.block for share in launched.shares})
    rows = {block: position for position, block in enumerate(every[:_ROWS])}
    columns = min(launched.launches, _COLUMNS)
    title = f"{shown.system}: blocks of the GPU, and their launches"
    notes = [size_text(shown), "in a box: the operations of a block in a launch, and the threads that execute them"]
    hidden = [
        count_text(number, word)
        for number, word in ((len(every) - len(rows), "more block"), (launched.launches - columns, "more launch"))
        if number > 0
    ]
    notes += [f"not drawn: {' and '.join(hidden)}"] if hidden else []
    names = {block: _name(launched.axes, block) for block in rows}
    left = LEFT + max(text_width(name) for name in names.values()) + 16
    canvas = Canvas()
    top = heading(canvas, title, notes, max(_NARROWEST, left + _COLUMN * columns)) + 34
    for position in range(columns):
        canvas.text(left + position * _COLUMN + _BOX / 2, top - 12, f"launch {position + 1}", "soft", "middle")
    for block, row in rows.items():
        canvas.text(LEFT, top + row * _ROW + _HEIGHT / 2 + 4, names[block], "ink")
    for share in launched.shares:
        if share.block in rows and share.launch < columns:
            _box(canvas, share, left + share.launch * _COLUMN, top + rows[share.block] * _ROW)
    sentence = "; ".join(
        f"{_name(launched.axes, share.block)} in launch {share.launch + 1}: {_text(share)}" for share in launched.shares
    )
    return canvas.figure(title, f"{title}. {sentence}.")


def _box(canvas: Canvas, share: BlockShare, x: float, y: float) -> None:
    canvas.rect(x, y, _BOX, _HEIGHT, "node", _text(share), rx=6)
    canvas.text(x + _BOX / 2, y + 16, count_text(share.operations, "operation"), "ink", "middle", font_size="11")
    canvas.text(x + _BOX / 2, y + 30, count_text(share.threads, "thread"), "soft", "middle", font_size="11")


def _text(share: BlockShare) -> str:
    return f"{count_text(share.operations, 'operation')}, {count_text(share.threads, 'thread')}"


def _name(axes: tuple[str, ...], block: tuple[int, ...]) -> str:
    return f"block {', '.join(f'{axis}={at}' for axis, at in zip(axes, block, strict=False))}" if block else "one block"
