"""The progress of a search: the cost of each point, and the best so far."""

from collections.abc import Sequence
from itertools import accumulate

from alphaz.figures.drawing.saved import figure_bytes


def progress_figure(title: str, ratios: Sequence[float | None], form: str) -> bytes:
    """Returns a figure in a format of matplotlib (png, svg, pdf): times relative to the first, by the number of the
    trial.

    None is a point that was not timed. Raises ImportError without matplotlib."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg  # noqa: PLC0415 - an extra
    from matplotlib.figure import Figure  # noqa: PLC0415

    figure = Figure(figsize=(7.5, 4.0), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    timed = [(at, ratio) for at, ratio in enumerate(ratios, 1) if ratio is not None]
    missing = [at for at, ratio in enumerate(ratios, 1) if ratio is None]
    axes.plot(*zip(*timed, strict=True), linestyle="none", marker="o", color="#56b4e9", label="timed")
    least = accumulate((ratio for _, ratio in timed), min)
    axes.step([at for at, _ in timed], list(least), where="post", color="#d55e00", label="best so far")
    if missing:
        axes.plot(
            missing, [1.0] * len(missing), linestyle="none", marker="x", color="0.6", label="not proved, or failed"
        )
    axes.axhline(1.0, color="0.35", linewidth=0.8, linestyle="--")
    axes.set(yscale="log", title=title, xlabel="trial", ylabel="time, by that of the script as it stands")
    axes.yaxis.set_major_formatter("{x:g}")
    axes.yaxis.set_minor_formatter("{x:g}")
    axes.grid(visible=True, which="both", color="0.92", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.legend(frameon=False, fontsize="small")
    return figure_bytes(figure, form)
