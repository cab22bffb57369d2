"""The reserved words of programs: a name that is one of them is written with a leading `^`.

They are the words of `grammar/alphabets.lark`; a test compares the two."""

FAMILY_OF_INPUT = ("input", "output", "local", "let")
FAMILY_OF_GIVEN = ("given", "returns", "using", "through")
SCALAR_TYPES = ("int", "longlong", "long", "short", "char", "bool", "float", "double")
OPERATORS = ("or", "xor", "and", "nand", "not", "min", "max")
REDUCTION_OPERATORS = ("+", "*", "min", "max", "and", "or", "xor")

KEYWORDS = frozenset(
    (
        *(
            "affine",
            "over",
            "while",
            "use",
            "if",
            "then",
            "else",
            "case",
            "esac",
            "reduce",
            "true",
            "false",
            "unsigned",
        ),
        *FAMILY_OF_INPUT,
        *FAMILY_OF_GIVEN,
        *SCALAR_TYPES,
        *OPERATORS,
    )
)


def program_name(name: str) -> str:
    """Returns the name as written in a program."""
    return f"^{name}" if name in KEYWORDS else name
