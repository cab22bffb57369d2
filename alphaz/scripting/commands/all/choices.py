"""Choices that a script leaves to `alphaz tune`."""

from alphaz.scripting.commands.declaring.call import BoundCall
from alphaz.scripting.commands.declaring.declaration import Topic
from alphaz.scripting.commands.declaring.registry import command
from alphaz.scripting.commands.kinds.arguments import Anything, Text


@command(Topic.MAPPING)
def choose(name: Text, *alternatives: Anything, call: BoundCall) -> object:
    """Choose one of several numbers or texts: `alphaz tune` chooses by execution time; other commands take the first.

    The name identifies the choice: the same name with the same alternatives gives the same value. The alternatives are
    literal numbers and texts.

    Example:
        setSpaceTimeMap(prog, "sums", "B, C", "(i->i)");
        setTiling(prog, "sums", 0, choose("size", 16, 32, 64));"""
    return alternatives[0]
