"""Caches the compiled methods of data classes between runs, so that the command line starts faster.

* Data classes generate and compile the text of their methods each time that they are loaded: a third of a start. The
  compiled code of a text is the same in every run of one Python, and is cached (`alphaz.cache`), verb by verb.
* islpy reads the metadata of all packages for its own version, which alphaz does not use.
"""

import atexit
import dataclasses
import marshal
import re
import sys
from collections.abc import Mapping
from types import CodeType, ModuleType

from alphaz.cache import cache_name, keep, recall

# Texts beyond this number are those of earlier versions.
_MOST = 4000
_BYTES = 1 << 24


class CompiledTexts:
    """Runs texts as `exec` does; each is compiled once, and then cached."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.known: dict[str, CodeType] = _cached_code(name)
        self.used: dict[str, CodeType] = {}
        self.has_new = False

    def execute(
        self, text: str, variables: dict[str, object] | None = None, own: Mapping[str, object] | None = None
    ) -> None:
        code = self.known.get(text)
        if code is None:
            code = compile(text, "<string>", "exec")
            self.has_new = True
        self.used[text] = code
        exec(code, variables, own)  # noqa: S102 - in the place of the exec of `dataclasses`

    def keep(self) -> None:
        """Writes new entries for the next run, if there are any."""
        if not self.has_new:
            return
        every = {**self.known, **self.used}
        keep(self.name, marshal.dumps(every if len(every) <= _MOST else self.used), _BYTES)


def _cached_code(name: str) -> dict[str, CodeType]:
    entry = recall(name)
    code_types: dict[str, CodeType] = {} if entry is None else marshal.loads(entry)
    return code_types


def start_quickly(arguments: list[str]) -> None:
    """Must be called before the other modules are loaded; `arguments` are those of the process."""
    verb = next((argument for argument in arguments[1:2] if re.fullmatch(r"[a-z][a-z-]{1,20}", argument)), "")
    texts = CompiledTexts(cache_name("dataclasses", [sys.version, verb]))
    dataclasses.exec = texts.execute  # type: ignore[attr-defined]
    atexit.register(texts.keep)
    _forget_version()


def _forget_version() -> None:
    if "islpy" not in sys.modules:
        stand_in = ModuleType("islpy.version")
        stand_in.VERSION, stand_in.VERSION_TEXT, stand_in.VERSION_STATUS = (), "", ""  # type: ignore[attr-defined]
        sys.modules.setdefault("islpy.version", stand_in)
