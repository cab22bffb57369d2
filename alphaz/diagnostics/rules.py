"""Every rule, declared once. Ranges: 1 syntax, 2 names and types, 3 domains and definitions, 4 scripts,
5 causality, 6 memory, 7 parallelism and tiling, 8 generation and toolchain, 9 internal."""

from alphaz.diagnostics.diagnostic import Rule, Severity

RULES: dict[str, Rule] = {}


def _rule(code: str, name: str, summary: str, severity: Severity = Severity.ERROR) -> Rule:
    rule = Rule(code, name, severity, summary)
    assert code not in RULES, code
    RULES[code] = rule
    return rule


def _warning(code: str, name: str, summary: str) -> Rule:
    return _rule(code, name, summary, Severity.WARNING)


SYNTAX = _rule("AZ101", "syntax", "The text is not a program (or script) of the language.")
LITERAL = _rule("AZ102", "literal", "A number is too large or not a number.")
EMPTY_PLACE = _warning("AZ103", "empty-place", "The declaration of a function has an empty place, which is ignored.")
CARET = _warning("AZ104", "caret", "A caret in front of a name is part of it: it is no power.")
SHARED = _warning(
    "AZ105", "shared-comparison", "What reads as several comparisons is a list that shares one chain of them."
)
ONE_DIMENSION = _rule(
    "AZ106", "one-dimension-tiled", "Dimension 0 alone is tiled, or all are: the command does not say which."
)
UNREADABLE = _rule("AZ107", "unreadable", "The successor's language says something that has no counterpart here.")
C_SYNTAX = _rule("AZ111", "c-syntax", "The text is no C that can be read.")
C_OUTSIDE = _rule("AZ112", "c-outside", "The C is outside the subset that is understood: nothing is proved.")
C_NO_EQUATIONS = _rule("AZ116", "c-no-equations", "A C function cannot be written as equations.")

UNDECLARED = _rule("AZ201", "undeclared-name", "A name is used that nothing declares.")
ARITY = _rule("AZ202", "wrong-arity", "A variable, function or projection has another number of indices or arguments.")
REDECLARED = _rule("AZ203", "declared-twice", "Two declarations give the same name.")
TYPE = _rule("AZ204", "type", "An operator is applied to a type for which it has no meaning.")
NO_INDEX_NAMES = _rule("AZ205", "no-index-names", "Array notation is used where the indices have no names.")
LOSSY = _warning("AZ206", "lossy-conversion", "A value may be lost when it is converted to the type of its variable.")
UNUSED = _warning("AZ207", "unused-variable", "A variable is declared and never used.")
REBOUND = _warning("AZ208", "rebound-name", "A restrict gives a name of the equation to another index.")

MATRIX_SHAPE = _rule("AZ221", "matrix-shape", "The operands of a matrix expression have shapes that do not fit.")
MATRIX_TYPE = _rule(
    "AZ222", "matrix-type", "The type of a matrix contradicts itself, or has a property that there is not."
)
MATRIX_FORMAT = _rule("AZ223", "matrix-format", "A value is not what the storage format of its variable can hold.")
STORAGE_FORMAT = _rule("AZ224", "storage-format", "A variable cannot be stored in the format that it is given.")

NO_EQUATION = _rule("AZ301", "missing-equation", "A local or output variable has no equation.")
TWO_EQUATIONS = _rule("AZ302", "two-equations", "A variable has more than one equation.")
INPUT_EQUATION = _rule("AZ303", "equation-for-input", "An input variable has an equation.")
UNDEFINED_POINT = _rule("AZ304", "undefined-point", "A point of a variable's domain is never defined.")
OVERLAP = _rule("AZ305", "overlap", "Two branches of a case define the same point.")
OUTSIDE = _rule("AZ306", "read-outside-domain", "A variable is read at a point outside its domain.")
UNBOUNDED = _rule("AZ307", "unbounded-reduction", "A reduction runs over infinitely many points.")
EMPTY_DOMAIN = _warning("AZ308", "empty-domain", "A domain has no points, whatever the parameters.")
EMPTY_REDUCTION = _warning("AZ309", "empty-reduction", "A reduction runs over no points; its value is the identity.")
CYCLE = _rule("AZ310", "dependence-cycle", "A value depends on itself: no schedule can exist.")
CALL = _rule("AZ311", "use-equation", "A use equation does not fit the system that it calls.")
NARROWED = _warning(
    "AZ312", "narrowed-reduction", "A reduction leaves out points that its restrict names: its body has no value there."
)
ENDLESS = _rule("AZ313", "endless-calls", "A system calls itself, directly or by way of others, without end.")
MAYBE_ENDLESS = _warning(
    "AZ314", "perhaps-endless-calls", "Whether a system that calls itself comes to an end is not decided."
)
MAYBE_CYCLE = _warning("AZ315", "perhaps-dependence-cycle", "Whether a value depends on itself is not decided.")
CYCLE_BY_CALL = _warning(
    "AZ316", "cycle-by-call", "A cycle leads through a call as a whole: it runs on demand, and no schedule can exist."
)

UNKNOWN_COMMAND = _rule("AZ401", "unknown-command", "No command has this name.")
ARGUMENT = _rule("AZ402", "wrong-argument", "A command is given arguments that it does not take.")
UNKNOWN_TARGET = _rule("AZ403", "unknown-target", "A command names a system, variable or value that does not exist.")
MAP_SHAPE = _rule("AZ404", "map-shape", "A map has another number of indices or dimensions than it needs.")
FILE = _rule("AZ405", "file", "A file that a script names cannot be read or written.")
PRECONDITION = _rule("AZ406", "precondition", "A transformation would not preserve the meaning of the program.")
NOT_YET = _rule("AZ407", "not-implemented", "A command of the language that alphaz does not implement yet.")
IGNORED = _warning("AZ408", "ignored", "A command or option has no effect here.")
DEFAULT_MAP = _rule("AZ409", "default-map", "A variable has no space-time map and gets the identity.", Severity.NOTE)
ALIAS = _rule(
    "AZ410", "alias", "An operation copies a value onto the cell that holds it, and is dropped.", Severity.NOTE
)
MAPPING = _rule("AZ411", "mapping-form", "The target mapping is not well formed (M0).")
REPLACED = _warning("AZ412", "replaced", "A command of a script replaces a file that an earlier one has written.")
LONG = _warning("AZ414", "long", "Loops would be so long that optional passes are left out.")
PACKING = _rule("AZ413", "packing", "What a tile reads cannot be packed: it is written there, or not found (P).")
IN_PLACE = _rule("AZ417", "output-in-place", "A call writes in place what the caller's variable has no point for (I).")
DROPPED = _rule("AZ418", "dropped-copy", "A copy is dropped that would move a value to another cell (D).")
UNCHANGED = _rule("AZ419", "unchanged", "A transformation finds nothing to change.", Severity.NOTE)

NOT_INJECTIVE = _rule("AZ501", "one-date-each", "Two operations of one statement have the same date (S1).")
CAUSALITY = _rule("AZ502", "causality", "A value is read before it is written, or unordered with its writing (S2).")
ACCUMULATION = _rule("AZ503", "accumulation-order", "Two accumulations into one value are unordered (S3).")

NO_SCHEDULE = _rule("AZ511", "no-schedule", "No schedule of a system was found.")
DATED = _rule("AZ512", "dates-given", "A schedule is asked for a system that has dates already.")
NO_RECIPE = _rule("AZ513", "recipe", "A recipe is asked for that does not fit the system.")
COST = _rule("AZ514", "cost", "The cost of a schedule has a term that means nothing.")
WISH = _rule("AZ515", "wish", "What a schedule is asked for means nothing.")
CONFLICT = _rule("AZ516", "conflict", "What a schedule is asked for cannot be met with some dependences.")

OVERWRITE = _rule("AZ601", "overwrite", "A value is overwritten while it is still needed (M1).")
OUTPUT_LOST = _rule("AZ602", "output-lost", "A point of an output does not survive to the end (M2).")
INPUT_LOST = _rule("AZ603", "input-lost", "A point of an input is overwritten before its last read (M3).")
LIFETIME = _rule("AZ604", "lifetime", "The array of an argument of a call is used while it does not exist (C).")

MEMORY_TO_SPARE = _rule(
    "AZ611", "memory-to-spare", "The order of operations allows memory maps with far fewer cells.", Severity.NOTE
)
FACTOR = _rule("AZ612", "mod-factor", "A mod factor is not positive for all parameters.")
NO_LEAVE = _rule("AZ613", "overwritable", "What is said to be overwritable cannot be.")

RACE = _rule("AZ701", "race", "Two writes of one cell are unordered (M4).")
TILING = _rule("AZ702", "tiling", "Tiling breaks an order that the mapping needs.")

UNDECIDED = _rule("AZ801", "undecided", "An obligation could not be decided within its budget: unknown is not proved.")
NO_COMPILER = _rule("AZ802", "no-compiler", "No working C compiler was found.")
COMPILATION = _rule("AZ803", "compilation", "The C compiler refused the generated code.")
REFUSED = _rule("AZ804", "refused", "Code is not generated for a mapping that is not proved.")
RUN_TIME = _rule("AZ805", "run-time", "The compiled program or the interpreter stopped with an error.")
DISAGREE = _rule("AZ806", "disagreement", "Two executions of one program gave different results.")
INPUT_DATA = _rule("AZ807", "input-data", "The data given for a parameter or an input does not fit its declaration.")
CONFIGURATION = _rule("AZ808", "configuration", "A file of options has a key or a value that means nothing.")
NOT_A_NUMBER = _warning("AZ809", "not-a-number", "Values that are no numbers were compared, which shows nothing.")
DIED = _rule("AZ810", "died", "The process of generated code died.")
WRITTEN_OUTSIDE = _rule("AZ811", "outside", "Generated code wrote outside of an array, or to an input.")

TOO_MUCH = _rule("AZ841", "too-much-to-show", "There are more operations than can be looked at.")
NO_FIGURE = _rule("AZ842", "no-figure", "There is nothing of this kind to be drawn.")

C_REFUTED = _rule("AZ820", "c-refuted", "A C program computes something else than the equations: it was executed.")
C_NOT_PROVED = _rule("AZ821", "c-not-proved", "It is not proved that a C program computes what the equations say.")
C_SIGNATURE = _rule("AZ822", "c-signature", "The arguments of a C function do not stand for the variables of a system.")
C_EQUATIONS = _rule("AZ823", "c-equations", "Equations of this form are not proved against C.")
C_CONTRADICTED = _rule("AZ825", "c-contradicted", "What is proved of a C program goes wrong when it is executed.")
GENERATED_WRONG = _rule("AZ824", "generated-wrong", "The C that alphaz wrote goes wrong: please report this.")

INTERNAL = _rule("AZ901", "internal", "alphaz contradicted itself: please report this.")

MISREADINGS = frozenset({CARET, SHARED, REBOUND})
"""Warnings that may be why something else is an error."""
