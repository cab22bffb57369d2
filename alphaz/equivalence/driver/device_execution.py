"""Whether a text can be executed here: code of a GPU needs more than a compiler of C."""

from alphaz.c.cuda import is_cuda
from alphaz.c.preparation import without_comments, without_strings


def why_not_executed(text: str) -> str | None:
    """Returns the reason why this text cannot be executed; None if it can."""
    if is_cuda(without_strings(without_comments(text))):
        return "code of a GPU"
    return None
