"""A verdict for Python users: with hints, and in notebooks with the counterexample."""

from collections.abc import Iterable
from dataclasses import replace
from xml.sax.saxutils import escape

from alphaz.diagnostics import Rejected
from alphaz.figures.drawing.figures import figure
from alphaz.figures.trace.tracing import trace
from alphaz.legality import verdicts
from alphaz.legality.verify import verify
from alphaz.mapping.design import Design
from alphaz.search.schedule.repair.search import with_hints


class Report(verdicts.DesignVerdict):
    """The verdicts on all mapped systems of a design; prints with its findings, notebooks show the counterexamples."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        """The lines and findings as text, and below each refuted system its counterexample as a figure."""
        drawn = "".join(map(self._figure_text, self.systems))
        return f"<pre>{escape(str(self))}</pre>{drawn}"

    def _figure_text(self, one: verdicts.SystemVerdict) -> str:
        """The figure; empty if the system is not refuted, or no figure shows the counterexample."""
        if one.word != "refuted":
            return ""
        try:
            return figure(trace(self.design, one.system), "witness").svg
        except (Rejected, AssertionError):
            return ""


def report_of(design: Design, systems: Iterable[str] | None = None, *, hints: bool = True) -> Report:
    """Returns the verdicts; with `hints`, it also searches changes that make refuted mappings legal, for some
    seconds."""
    verdict = verify(design, systems)
    if hints:
        verdict = replace(verdict, systems=tuple(with_hints(design, system) for system in verdict.systems))
    return Report(verdict.design, verdict.systems)
