"""Mappings at small parameters, as plain data: what figures, reports and lessons are made of.

The room can be called: `alphaz.trace(design, "MCM")` is `alphaz.trace.tracing.trace(design, "MCM")`.
"""

import sys
from types import ModuleType

from alphaz.trace.tracing import trace


class _Room(ModuleType):
    """A module of the name of its one function; Python finds the module first, so it stands for the function."""

    __call__ = staticmethod(trace)


sys.modules[__name__].__class__ = _Room
