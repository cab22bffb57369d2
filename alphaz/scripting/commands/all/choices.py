"""What a script leaves open, for `alphaz tune` to choose."""

from alphaz.scripting.commands.declaring.call import BoundCall
from alphaz.scripting.commands.declaring.declaration import Topic
from alphaz.scripting.commands.declaring.registry import command
from alphaz.scripting.commands.kinds.arguments import Anything, Text


@command(Topic.MAPPING)
def choose(name: Text, *alternatives: Anything, call: BoundCall) -> object:
    """One of several numbers or texts, which `alphaz tune` chooses by time; everybody else takes the first.

    The name tells choices apart: where it is given again, with the same alternatives, the same one is taken. The
    alternatives are written as numbers and texts.

    Example:
        setSpaceTimeMap(prog, "sums", "B, C", "(i->i)");
        setTiling(prog, "sums", 0, choose("size", 16, 32, 64));
    """
    return alternatives[0]
