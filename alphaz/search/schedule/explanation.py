"""A proposal as a readable script, with the reasons for its schedule in words."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from alphaz.poly import Affine
from alphaz.poly.scheduling.band_schedules import DependenceEdge
from alphaz.search.schedule.dates import Component, ComponentKind, Dates, moves, not_carried
from alphaz.search.schedule.propose import Proposal
from alphaz.search.schedule.script_lines import Line

_INDENT = "  "


def explanation(proposal: Proposal) -> Iterator[str]:
    """Yields lines of the explanation. Distances are those of dependences: `0..N` ranges from 0 to N, over all of
    them."""
    for attempt in proposal.attempts:
        yield f"tried {attempt.tried}: {attempt.outcome}"
    edges = (*proposal.problem.flow, *proposal.problem.order)
    yield from _below(proposal.dates, tuple(proposal.dates), 0, edges, 0)


def _below(
    dates: Dates, names: Sequence[str], position: int, edges: Sequence[DependenceEdge], depth: int
) -> Iterator[str]:
    """The explanation from component `position` on, for statements that share the components before it."""
    indent = _INDENT * depth
    ended = [name for name in names if len(dates[name]) <= position]
    going = [name for name in names if len(dates[name]) > position]
    if ended:
        yield f"{indent}{', '.join(ended)}"
    if not going:
        return
    row = {name: dates[name][position] for name in going}
    if all(component.kind is ComponentKind.FILLER for component in row.values()):
        yield from _below(dates, going, position + 1, edges, depth)
        return
    if not all(component.value.is_constant for component in row.values()):
        values = {name: component.value for name, component in row.items()}
        yield indent + _row(row, values, edges)
        left = tuple(not_carried(edges, values))
        yield from _below(dates, going, position + 1, left, depth + 1)
        return
    parts: dict[int, list[str]] = {}
    for name, component in row.items():
        parts.setdefault(component.value.constant, []).append(name)
    for number, members in sorted(parts.items()):
        if len(parts) > 1:
            yield f"{indent}{'first' if number == min(parts) else 'then'}{_why(members, parts, number, edges)}"
        inside = tuple(e for e in edges if e.source in members and e.target in members)
        yield from _below(dates, members, position + 1, inside, depth + (len(parts) > 1))


def _row(row: Mapping[str, Component], values: Mapping[str, Affine], edges: Sequence[DependenceEdge]) -> str:
    kind = next(iter(row.values())).kind
    shown = ", ".join(f"{name}: {value}" for name, value in values.items())
    carried = [edge for edge in edges if moves(edge, values)]
    if kind is ComponentKind.PARALLEL or not carried:
        return f"{kind} {shown}"
    least, most = (_extremes(carried, values, which) for which in ("least", "most"))
    between = dict.fromkeys(f"{edge.source}->{edge.target}" for edge in carried)
    bound = next(iter(row.values())).bound
    joint = "" if bound is None else f", at most u.n + w = {bound}"
    return f"{kind} {shown}; distances {least}..{most}{joint}; carries {', '.join(between)}"


def _extremes(edges: Sequence[DependenceEdge], values: Mapping[str, Affine], which: str) -> str:
    texts = dict.fromkeys(
        "?" if bound is None else str(bound)
        for edge in edges
        for bound in (edge.relation.extreme_distance(values[edge.source], values[edge.target], which == "most"),)
    )
    (first, *more) = texts
    return first if not more else f"{'max' if which == 'most' else 'min'}({', '.join(texts)})"


def _why(
    members: Sequence[str], parts: Mapping[int, Sequence[str]], number: int, edges: Sequence[DependenceEdge]
) -> str:
    """The dependences that order a part after the ones before it."""
    before = {name for other, names in parts.items() if other < number for name in names}
    sources = dict.fromkeys(e.source for e in edges if e.source in before and e.target in members)
    return f", since {', '.join(members)} needs {', '.join(sources)}" if sources else ""


def script_of(
    program: str,
    made_by: str,
    proposals: Iterable[Proposal],
    explained: bool = False,
    lines_: Sequence[Line] = (),
) -> str:
    """Returns the text. `program`: the quoted path of the program relative to the script; `made_by`: the command that
    made it; `explained`: the reasons are printed above each mapping; `lines_`: stated facts about each, printed
    first."""
    proposals_ = tuple(proposals)
    rewriting = (str(line) for proposal in proposals_ for line in proposal.rewriting)
    lines = [f"# {made_by}", f"prog = ReadAlphabets({program});", *rewriting]
    for proposal in proposals_:
        lines += ["", f'system = "{proposal.system}";']
        lines += [f"# {line}" for line in explanation(proposal)] if explained else []
        lines += [f"# {_unproved(proposal)}"] if proposal.unproved_text else []
        lines += [str(line) for line in lines_]
        lines += _of_system(proposal)
    lines += [""] if proposals_ else []
    for proposal in proposals_:
        name = f'"{proposal.system}"' if len(proposals_) > 1 else "system"
        lines += [f'VerifyTargetMapping(prog, {name}, "MIN");', f"generateScheduledCode(prog, {name});"]
    return "\n".join(lines) + "\n"


def _unproved(proposal: Proposal) -> str:
    remedy = "`alphaz run --prove` has no budget, `alphaz test` compares values"
    return f"The mapping is proved; {proposal.unproved_text}: {remedy}."


def _of_system(proposal: Proposal) -> Iterator[str]:
    for line in proposal.lines:
        if line.comment:
            yield f"# {line.comment}"
        yield str(line)
