"""Commands of the language that are known and not there yet: a row each, until it moves to a function."""

from alphaz.commands.declaring.declaration import Topic
from alphaz.commands.declaring.table import Row, not_yet

not_yet(
    Topic.BASIC,
    Row("CtoAlphabets(file, [output], lb)", "Make a program from a C function."),
    Row("AnalyzeScopMemoryUsage(file)", "Report the memory that a C function uses."),
)
