"""Named terms of the objective of a row.

An objective is a list of weighted sums of terms, minimised lexicographically. `COSTS` has those of the literature; a
file has a user-defined one, one sum per line."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from alphaz.diagnostics import NOWHERE, Diagnostic, Label, Rejected, Source, Span
from alphaz.diagnostics.message_words import did_you_mean, listing
from alphaz.diagnostics.rules import COST
from alphaz.search.schedule.ilp.row import ScheduleRow

Expression = Mapping[str, int]
Term = Callable[[ScheduleRow], Expression]


def _each(names: Sequence[str], weight: int = 1) -> Expression:
    return dict.fromkeys(names, weight)


_GROUPS = "groups"
TERMS: dict[str, tuple[str, Term]] = {
    "slope": ("how distances grow with the parameters (Pluto's u)", lambda row: _each(row.slopes)),
    "distance": ("the constant part of the greatest distance (Pluto's w)", lambda row: _each(row.distances)),
    "carried": ("less 1 for each dependence that is carried (Feautrier's e)", lambda row: _each(row.carried, -1)),
    "reversals": ("coefficients below 0 of indices", lambda row: _each(row.reversed)),
    "parameters": ("coefficients of parameters", lambda row: _each(row.parameters)),
    "coefficients": ("absolute coefficients of indices", lambda row: _each(row.sizes)),
    "shifts": ("constants", lambda row: _each(row.shifts)),
    "order": ("absolute coefficients, those of later indices more", lambda row: dict(row.places)),
    "neighbours": (
        "absolute coefficients, each as often as accesses go to neighbours in memory along the index",
        lambda row: row.by_index.get("neighbours", {}),
    ),
    "reuse": (
        "absolute coefficients, each as often as elements are touched again along the index (by its extent)",
        lambda row: row.by_index.get("reuse", {}),
    ),
    "vectors": (
        "absolute coefficients, each by what vectors along the index are worth: the best one is left for the last row",
        lambda row: row.by_index.get("vectors", {}),
    ),
    "sequential": ("1 where the row is not parallel", lambda row: _each(row.sequential)),
    "groups": (
        "how far neighbours in memory are apart, and operations that touch one element: of one group of accesses after "
        "the other (alone in its sum)",
        lambda _: {},
    ),
    "latency": ("the length of the schedule (its slope first)", lambda row: dict(row.latency)),
}
"""The description of each term, and its expression over the variables of a row."""


@dataclass(frozen=True, slots=True)
class Cost:
    """A list of weighted sums of terms, the most important first. A term is a name, or a user's function. `last` is for
    the innermost row, if that differs."""

    name: str
    sums: tuple[tuple[tuple[int, str | Term], ...], ...]
    last: "Cost | None" = None
    places: tuple[tuple[str, Span], ...] = ()
    """The places of its terms, if it was parsed."""

    def check(self, indices: Mapping[str, Sequence[str]], place: Span) -> None:
        """Raises Rejected (AZ514) if a coefficient refers to an unknown statement or index, at the term, or at the
        `place` of the scheduled system."""
        for term in sorted(self.terms):
            name, dot, index = term.rpartition(".")
            if dot and index not in indices.get(name, ()):
                names = [f"{statement}.{i}" for statement, own in indices.items() for i in own]
                message, help_ = f"there is no coefficient `{term}`", did_you_mean(term, names)
                at = dict(self.places).get(term, place)
                raise Rejected(
                    Diagnostic(COST, message, Label(at), notes=(f"its coefficients are {listing(names)}",), help=help_)
                )

    @property
    def terms(self) -> frozenset[str]:
        return frozenset(term for sum_ in self.sums for _, term in sum_ if isinstance(term, str))

    @property
    def counts(self) -> bool:
        """Returns True if it depends on the edges that a row carries, or on the latency of the schedule."""
        return bool(self.terms & {"carried", "latency"})

    @property
    def asks_for_parallel(self) -> bool:
        return "sequential" in self.terms

    @property
    def has_groups(self) -> bool:
        return _GROUPS in self.terms

    def objectives(self, row: ScheduleRow) -> list[Expression]:
        expressions: list[Expression] = []
        for sum_ in self.sums:
            alone = [term for _, term in sum_] == [_GROUPS]
            expressions += map(_each, row.groups) if alone else [self._expression(row, sum_)]
        return expressions

    @staticmethod
    def _expression(row: ScheduleRow, terms: Sequence[tuple[int, str | Term]]) -> Expression:
        coefficients: dict[str, int] = {}
        for weight, term in terms:
            for name, coefficient in _term(term, row).items():
                coefficients[name] = coefficients.get(name, 0) + weight * coefficient
        return coefficients


def _term(term: str | Term, row: ScheduleRow) -> Expression:
    """The term over the statements of the row; zero for other statements."""
    if not isinstance(term, str):
        return _computed(term, row)
    if "." in term:
        return _each([row.own[term]]) if term in row.own else {}
    return TERMS[term][1](row)


def _computed(term: Term, row: ScheduleRow) -> Expression:
    """The value of a user's function. Raises Rejected (AZ514) if it fails, or is no sum of variables of the row."""
    name = getattr(term, "__name__", repr(term))
    help_ = "return a dictionary from names of the row, as in `row.slopes`, to whole numbers"
    try:
        terms = dict(term(row))
    except Exception as problem:
        message = f"the cost term `{name}` fails: {type(problem).__name__}: {problem}"
        raise Rejected(Diagnostic(COST, message, Label(NOWHERE), help=help_)) from None
    for variable, weight in terms.items():
        if variable not in row.model.variables or not isinstance(weight, int):
            message = f"the cost term `{name}` gives `{variable}` the weight {weight!r}"
            raise Rejected(Diagnostic(COST, message, Label(NOWHERE), help=help_))
    return terms


def cost_of(terms: str | Term | Sequence[str | Term]) -> Cost:
    """Returns the cost of a name or text, of a function, or of a list of these, the most important first. Raises
    Rejected (AZ514)."""
    if isinstance(terms, str):
        return COSTS[terms] if terms in COSTS else read_cost(_whole(terms), "of a text")
    parts: Sequence[object] = terms if isinstance(terms, list | tuple) else (terms,)
    sums: list[tuple[tuple[int, str | Term], ...]] = []
    for part in parts:
        if isinstance(part, str):
            sums += cost_of(part).sums
        elif callable(part):
            sums.append(((1, part),))
        else:
            raise Rejected(
                _wrong(_whole(""), f"`{part!r}` is no term: a cost is a text, a function, or a list of both")
            )
    if not sums:
        raise Rejected(_wrong(_whole(""), "the cost has no term"))
    return Cost("of a list", tuple(sums))


def _whole(text: str) -> Span:
    return Span(Source("<cost>", text), 0, len(text))


_TERM = re.compile(r"\s*(?P<sign>[+-]?)\s*(?P<weight>\d*)\s*\*?\s*(?P<term>[a-z]+(?![\w.-])|[\w-]+\.\w+)\s*")


def read_cost(text: Span, name: str) -> Cost:
    """Sums on lines of their own, or with `;` between them: `distance + 2 reversals`; `#` begins a comment.

    A term `X.j` is the absolute coefficient of the index j in the row of the statement X. Raises Rejected (AZ514).
    """
    sums: list[tuple[tuple[int, str, Span], ...]] = []
    start = text.start
    for line in re.split(r"(?<=[\n;])", text.text):
        code = line.partition("#")[0].rstrip("\n;")
        if code.strip():
            sums.append(_sum(Span(text.source, start, start + len(code))))
        start += len(line)
    if not sums:
        raise Rejected(_wrong(text, "the cost has no term"))
    places = tuple((term, place) for sum_ in sums for _, term, place in sum_)
    return Cost(name, tuple(tuple((weight, term) for weight, term, _ in sum_) for sum_ in sums), places=places)


def _sum(span: Span) -> tuple[tuple[int, str, Span], ...]:
    """Weights and terms with their places in the text."""
    terms: list[tuple[int, str, Span]] = []
    at = 0
    while span.text[at:].strip():
        match = _TERM.match(span.text, at)
        if match is None or (terms and not match["sign"]):
            raise Rejected(_wrong(span, "this is no sum of terms"))
        place = Span(span.source, span.start + match.start("term"), span.start + match.end("term"))
        if "." not in match["term"] and match["term"] not in TERMS:
            raise Rejected(_wrong(place, f"there is no term `{match['term']}`", did_you_mean(match["term"], TERMS)))
        if match["term"] == _GROUPS and span.text.strip() != _GROUPS:
            raise Rejected(_wrong(span, "`groups` is several sums already: it cannot be combined"))
        weight = int(match["weight"] or 1)
        terms.append((-weight if match["sign"] == "-" else weight, match["term"], place))
        at = match.end()
    return tuple(terms)


def _wrong(span: Span, message: str, help_: str | None = None) -> Diagnostic:
    terms = tuple(f"{name}: {what}" for name, (what, _) in TERMS.items())
    return Diagnostic(COST, message, Label(span), notes=terms, help=help_)


def _cost(name: str, *sums: str, last: Cost | None = None) -> Cost:
    return Cost(name, tuple(tuple((1, term) for term in sum_.split(" + ")) for sum_ in sums), last)


PLUTO = _cost("pluto", "slope", "distance", "reversals", "parameters", "coefficients", "order + shifts")
"""Bondhugula (2008), 3.5, with reversals if there is no other row (Acharya and Bondhugula, Pluto+, PPoPP 2015)."""
FEAUTRIER = _cost("feautrier", "carried", "latency", "reversals", "coefficients", "order + shifts")
"""Feautrier (1992), part II: carry as many dependences as one row can, in the shortest time."""
SIMPLE = _cost("simple", "reversals", "parameters", "coefficients", "slope", "distance", "order + shifts")
"""Rows that are easy to read first, with short distances second."""
SPATIAL = _cost(
    "spatial", "groups", "slope", "distance", "reversals", "parameters", "coefficients", "order + shifts",
    last=_cost("last", "reversals", "coefficients", "slope", "distance", "parameters", "order + shifts"),
)  # fmt: skip
"""Reddy (2019), 5.7: outer rows carry as little spatial and temporal reuse as possible, the most important group of
accesses first; the last row is the simplest remaining one. The outermost row is parallel if possible.
"""

COSTS = {cost.name: cost for cost in (PLUTO, FEAUTRIER, SPATIAL, SIMPLE)}
