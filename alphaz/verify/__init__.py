"""The verifier: every obligation of a target mapping, stated and discharged.

The room can be called: `alphaz.verify(design)` is `alphaz.verify.verify.verify(design)`.
"""

import sys
from collections.abc import Iterable
from types import ModuleType

from alphaz.mapping.design import Design
from alphaz.verify.verified import Report
from alphaz.verify.verify import verify


class _Room(ModuleType):
    """A module of the name of its one function; Python finds the module first, so it stands for the function."""

    def __call__(self, design: Design, systems: Iterable[str] | None = None) -> Report:
        """The verdicts on these systems of the design, or on all that have a mapping."""
        return verify(design, systems)


sys.modules[__name__].__class__ = _Room
