"""The words of programs in the groups that colours have: for Pygments and for TextMate alike."""

from alphaz.syntax.words import FAMILY_OF_GIVEN, FAMILY_OF_INPUT, KEYWORDS, OPERATORS, SCALAR_TYPES

NAME = r"\^?[A-Za-z_][A-Za-z_0-9]*"
# 2mm, jacobi-1d
SYSTEM = r"[A-Za-z_0-9][A-Za-z_0-9-]*"
TYPES = ("unsigned", *SCALAR_TYPES)
SECTIONS = ("affine", "over", "while", "use", *FAMILY_OF_INPUT, *FAMILY_OF_GIVEN)
VALUES = ("true", "false")
OTHERS = tuple(sorted(KEYWORDS - {*TYPES, *SECTIONS, *OPERATORS, *VALUES}))
