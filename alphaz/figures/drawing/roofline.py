"""The roofline: the peak performance of a machine, and measured performance of code.

Source: Williams, Waterman, Patterson, Roofline: an insightful visual performance model, CACM 52(4), 2009."""

from collections.abc import Sequence
from dataclasses import dataclass

from alphaz.figures.drawing.saved import figure_bytes

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
    for at, roof in enumerate(roofs):
        ridge = roof.operations / roof.bytes
        xs = [least, min(max(ridge, least), most), most]
        ys = [min(x * roof.bytes, roof.operations) / 1e9 for x in xs]
        axes.plot(xs, ys, color="0.35", linestyle=("-", "--", ":", "-.")[at % 4], linewidth=1.2, label=roof.label)
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
