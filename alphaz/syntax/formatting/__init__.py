"""One layout for programs and scripts: `format_program`, `format_script`.

A formatter changes white space alone: it takes the words and comments of a text, and writes each with the space before
it that the layout wants. Line breaks inside of a statement stay where the author made them.
"""

from alphaz.syntax.formatting.programs import format_program
from alphaz.syntax.formatting.scripts import format_script

__all__ = ["format_program", "format_script"]
