"""Charts by matplotlib: the progress of a search, and the roofline."""

import io
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any


def figure_bytes(figure: Any, form: str) -> bytes:
    """Returns the content in one of its formats (png, svg, pdf). The same figure gives the same file."""
    held = io.BytesIO()
    figure.savefig(held, format=form, dpi=150, metadata={"png": {"Software": None}, "svg": {"Date": None}}.get(form))
    return held.getvalue()


def progress_figure(title: str, ratios: Sequence[float | None], form: str) -> bytes:
    """Returns a figure in a format of matplotlib (png, svg, pdf): times relative to the first, by the number of the
    trial.

    None is a point that was not timed. Raises ImportError without matplotlib."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg  # noqa: PLC0415 - an extra
    from matplotlib.figure import Figure  # noqa: PLC0415

    figure = Figure(figsize=(7.5, 4.0), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    timed = [(position, ratio) for position, ratio in enumerate(ratios, 1) if ratio is not None]
    missing = [position for position, ratio in enumerate(ratios, 1) if ratio is None]
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


# Colours that colour-blind readers can distinguish, in this order (Okabe and Ito).
_COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00")
_MARKERS = "os^Dv"


@dataclass(frozen=True, slots=True)
class Roof:
    """The greatest numbers of bytes and operations per second."""

    label: str
    bytes: float
    operations: float


@dataclass(frozen=True, slots=True)
class Dot:
    """Operations per byte, and operations per second. `series` and `group` determine colour and marker."""

    series: str
    group: str
    intensity: float
    operations: float


def roofline(title: str, roofs: Sequence[Roof], dots: Sequence[Dot], form: str) -> bytes:
    """Returns a figure in a format of matplotlib (png, svg, pdf). Raises ImportError without matplotlib."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg  # noqa: PLC0415 - an extra
    from matplotlib.figure import Figure  # noqa: PLC0415
    from matplotlib.ticker import LogLocator, NullFormatter  # noqa: PLC0415

    figure = Figure(figsize=(7.5, 5.0), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    least, most = _range(roofs, dots)
    for position, roof in enumerate(roofs):
        ridge = roof.operations / roof.bytes
        xs = [least, min(max(ridge, least), most), most]
        ys = [min(x * roof.bytes, roof.operations) / 1e9 for x in xs]
        axes.plot(xs, ys, color="0.35", linestyle=("-", "--", ":", "-.")[position % 4], linewidth=1.2, label=roof.label)
    series, groups = list(dict.fromkeys(d.series for d in dots)), list(dict.fromkeys(d.group for d in dots))
    for name in series:
        for group in groups:
            own = [d for d in dots if (d.series, d.group) == (name, group)]
            if own:
                axes.plot(
                    [d.intensity for d in own],
                    [d.operations / 1e9 for d in own],
                    linestyle="none",
                    marker=_MARKERS[groups.index(group) % len(_MARKERS)],
                    color=_COLOURS[series.index(name) % len(_COLOURS)],
                    markeredgecolor="white",
                    markersize=8,
                    label=f"{name}, {group}",
                )
    axes.set(xscale="log", yscale="log", title=title)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
        axis.set_major_formatter("{x:g}")
        axis.set_minor_formatter(NullFormatter())
    axes.set_xlabel("operations for each byte of inputs and outputs")
    axes.set_ylabel("billions of operations a second")
    axes.grid(visible=True, which="both", color="0.92", linewidth=0.6)
    axes.set_axisbelow(True)
    figure.legend(loc="outside right upper", frameon=False, fontsize="small")
    return figure_bytes(figure, form)


def _range(roofs: Sequence[Roof], dots: Sequence[Dot]) -> tuple[float, float]:
    """The range of the axis: both sides of every ridge and every dot."""
    marks = [roof.operations / roof.bytes for roof in roofs] + [dot.intensity for dot in dots]
    return min(marks) / 8, max(marks) * 8
