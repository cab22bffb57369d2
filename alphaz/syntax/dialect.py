"""Recognises the language of a program by its beginning, independent of the name of its file."""

import re

from alphaz.diagnostics import Source

_SPACE = re.compile(r"(?:\s|\ufeff|//[^\n]*|/\*(?:[^*]|\*(?!/))*\*/)*")
# `package a.b {`, `external f(1)`, `affine f [N] -> {`, `affine f {: N>0}`.
_ALPHA = re.compile(
    r"(?:package|import|constant)\s+[\w.]+|external\s+\w+\s*\(\s*\d|affine\s+(?:'[^'\s]+'|\^?\w+)\s*(?:\[[^\]]*\]\s*->\s*)?\{\s*:"
)


def is_alpha(source: Source) -> bool:
    """Returns True if the text is in the successor language, and not in that of `*.ab`; if the text does not decide,
    the file name does."""
    begin = _SPACE.match(source.text)
    assert begin is not None
    if _ALPHA.match(source.text, begin.end()):
        return True
    return source.name.endswith(".alpha")
