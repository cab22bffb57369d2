"""Imports at the time of use: modules that only some runs need, so that the others start without them."""

import importlib
from types import ModuleType


def lazy_import(name: str) -> ModuleType:
    """Returns the module `name`, which is loaded by the first call.

    `tests/architecture` reads the argument: a string, or an f-string that begins with the package of the module.
    """
    return importlib.import_module(name)
