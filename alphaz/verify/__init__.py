"""The verifier: every obligation of a target mapping, stated and discharged.

The room can be called: `alphaz.verify(design)` is `alphaz.verify.verify.verify(design)`.
"""

import importlib
import sys
from collections.abc import Iterable
from dataclasses import replace
from types import ModuleType

from alphaz.mapping.design import Design
from alphaz.verify.verified import Report
from alphaz.verify.verify import verify


def asked(design: Design, systems: Iterable[str] | None = None, *, hints: bool = False) -> Report:
    """The verdicts on these systems of the design, or on all that have a mapping. With `hints`, changes that make what
    is refuted legal are searched for and tried, some seconds long: see the `fixes` of the findings."""
    report = verify(design, systems)
    if not hints:
        return report
    with_hints = importlib.import_module("alphaz.verify.hints.search").with_hints
    return replace(report, systems=tuple(with_hints(design, each) for each in report.systems))


class _Room(ModuleType):
    """A module of the name of its one function; Python finds the module first, so it stands for the function."""

    __call__ = staticmethod(asked)


sys.modules[__name__].__class__ = _Room
