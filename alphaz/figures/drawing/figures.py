"""The kinds of figures by name, and the best kind for a counterexample."""

from collections.abc import Mapping, Sequence

from alphaz.diagnostics import NOWHERE, Diagnostic, Label, Rejected
from alphaz.diagnostics.message_words import did_you_mean, listing
from alphaz.diagnostics.rules import GHOST_LOST, LATE_MESSAGE, NO_FIGURE, PACKING, SENT_LOST
from alphaz.figures.drawing.gpu_blocks import blocks
from alphaz.figures.drawing.graph import graph
from alphaz.figures.drawing.lifetimes import lifetimes
from alphaz.figures.drawing.points import PointKind, points
from alphaz.figures.drawing.ranks import lanes
from alphaz.figures.drawing.svg import Figure
from alphaz.figures.trace.trace_data import Trace

KINDS: Mapping[str, str] = {
    "domain": "what is computed, and who reads whom",
    "dates": "in which step each operation is done",
    "tiles": "in which tile, and in which wavefront",
    "lifetimes": "which value is in which cell, and how long",
    "ranks": "which rank does what in which step, and what it sends",
    "blocks": "which block of a GPU does how much in which launch, with how many threads",
    "order": "the graph of variables, with the obligations that are refuted",
    "witness": "the counterexample, in the figure that shows it best",
}


_DOMAIN = "draw its points: --kind domain"
_DATES = "draw its dates: --kind dates"


def figure(
    shown: Trace,
    kind: str,
    variables: Sequence[str] = (),
    across: Sequence[str] = (),
    values: Mapping[str, int] | None = None,
) -> Figure:
    """Returns the figure of this kind. `variables` selects variables (for lifetimes: memory spaces; empty: all),
    `across` the two indices drawn if there are more, horizontal first, and `values` fixes other indices.

    Raises Rejected (AZ842): the kind, variable or index does not exist, or the figure would be empty."""
    _check(shown, kind, variables, across, values or {})
    match kind:
        case "witness":
            return _witness(shown)
        case "lifetimes":
            return lifetimes(shown, variables)
        case "order":
            return graph(shown)
        case "ranks":
            return lanes(shown)
        case "blocks":
            return blocks(shown)
    return points(shown, PointKind(kind), variables, across, values)


def best(shown: Trace) -> str:
    """Returns the most informative kind: the counterexample if there is one, the domain without a mapping."""
    if shown.verdict == "not mapped":
        return "domain"
    if shown.witness is not None:
        return "witness"
    return "tiles" if shown.tiles else "dates"


def _witness(shown: Trace) -> Figure:
    """The figure of a counterexample: for memory the lifetimes; for dates (and within one tile) the points of the
    variables involved."""
    assert shown.witness is not None
    if shown.ranks is not None and shown.witness.rule in (LATE_MESSAGE, SENT_LOST, GHOST_LOST):
        return lanes(shown)
    is_packed = shown.witness.rule == PACKING and shown.tiles
    if not is_packed and "writer" in shown.witness.roles and shown.witness.value is not None:
        life = next((lifetime for lifetime in shown.lifetimes if lifetime.value == shown.witness.value), None)
        return lifetimes(shown, [life.cell.name] if life is not None else ())
    part = [shown.operations[number] for _, number in shown.witness.places]
    if shown.verdict == "rejected":
        return points(shown, PointKind.DOMAIN, _around({o.name for o in part}, shown))
    names = list(dict.fromkeys(o.name for o in part if o.is_dated))
    return points(shown, PointKind.TILES if shown.tiles else PointKind.DATES, names)


def _around(names: set[str], shown: Trace) -> list[str]:
    """These variables, and those that they read."""
    read = {r.value.name for r in shown.reads if shown.operations[r.reader].name in names}
    return sorted(names | read)


def _check(shown: Trace, kind: str, variables: Sequence[str], across: Sequence[str], values: Mapping[str, int]) -> None:
    if kind not in KINDS:
        remedy = did_you_mean(kind, KINDS) or f"the kinds are {listing(KINDS)}"
        raise _refused(f"there is no kind of figure `{kind}`", remedy)
    known = {o.variable for o in shown.operations} | {o.name for o in shown.operations}
    if kind == "lifetimes":
        known = {life.cell.name for life in shown.lifetimes}
    indices = {index for o in shown.operations for index in o.indices}
    for name, what, among in (
        *((name, "variable" if kind != "lifetimes" else "memory space", known) for name in variables),
        *((name, "index", indices) for name in (*across, *values)),
    ):
        if name not in among:
            remedy = did_you_mean(name, among) or f"there are {listing(sorted(among))}"
            raise _refused(f"system {shown.system} has no {what} `{name}`", remedy)
    if len(set(across)) < len(across):
        raise _refused(f"the index `{across[0]}` cannot be drawn both across and down", "name two indices")
    if shown.verdict == "not mapped" and kind not in ("domain", "order"):
        raise _refused(f"system {shown.system} has no mapping, so its operations have no dates", _DOMAIN)
    _check_held(shown, kind, values)
    if kind == "tiles" and not shown.tiles:
        why = "the order is wrong before there are tiles" if "without tiles" in shown.why else "nothing is tiled"
        raise _refused(f"no tiles of system {shown.system} can be drawn: {why}", _DATES)
    if kind == "ranks" and shown.ranks is None:
        raise _refused(f"the mapping of system {shown.system} has no ranks", _DATES)
    if kind == "blocks" and shown.blocks is None:
        why = "its mapping is not proved, or for another target than cuda"
        raise _refused(f"system {shown.system} has no blocks of a GPU: {why}", _DATES)
    if kind == "witness" and shown.witness is None:
        why = (
            "there is no violation at these parameters"
            if shown.verdict == "refuted"
            else f"its mapping is {shown.verdict}"
        )
        raise _refused(f"system {shown.system} has no counterexample to draw: {why}", _DATES)
    if kind in ("domain", "dates") and not any(o.is_dated for o in shown.operations):
        raise _refused(f"nothing is computed in system {shown.system} at {shown.size}", "ask for larger parameters")


def _check_held(shown: Trace, kind: str, values: Mapping[str, int]) -> None:
    """Raises Rejected for a value that an index never has: the figure would be empty."""
    for name, value in values.items():
        known = {o.point[o.indices.index(name)] for o in shown.operations if name in o.indices}
        if kind not in ("lifetimes", "order") and value not in known:
            between = f"it goes from {min(known)} to {max(known)}"
            raise _refused(f"at {shown.size} the index `{name}` is never {value}", between)


def _refused(message: str, remedy: str) -> Rejected:
    return Rejected(Diagnostic(NO_FIGURE, message, Label(NOWHERE), help=remedy))
