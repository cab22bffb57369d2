"""Values of scripts that are mathematics: what prints, joins with `+`, and can be written down again."""


class Written:
    """A domain or a function of the calculator; `str` of it is its text in the notation of the language."""

    __slots__ = ()


def literal(text: str) -> str:
    """The text in quotes, as a script has it."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
