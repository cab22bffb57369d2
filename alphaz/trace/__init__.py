"""Mappings at small parameters, as plain data: what figures, reports and lessons are made of.

The room can be called: `alphaz.trace(design, "MCM")` is `alphaz.trace.tracing.trace(design, "MCM")`.
"""

import sys
from collections.abc import Mapping
from types import ModuleType

from alphaz.mapping.design import Design
from alphaz.trace.trace import Trace
from alphaz.trace.tracing import trace


class _Room(ModuleType):
    """A module of the name of its one function; Python finds the module first, so it stands for the function."""

    def __call__(self, design: Design, system: str, parameters: Mapping[str, int] | None = None) -> Trace:
        """The mapping of the system at these parameters, or at small ones that show most."""
        return trace(design, system, parameters)


sys.modules[__name__].__class__ = _Room
