"""Every rule, declared once and in order. Ranges: 1 syntax, 2 names and types (22x matrices), 3 domains and
definitions, 4 scripts and mappings, 5 causality (51x schedules), 6 memory, 7 parallelism and tiling, 8 generation,
compilation and execution (83x C against equations, 84x figures), 9 internal."""

from alphaz.diagnostics.diagnostic import Rule, Severity
from alphaz.resources import resource

RULES: dict[str, Rule] = {}


FORMER_CODES = {
    "AZ106": "AZ415", "AZ111": "AZ831", "AZ112": "AZ832", "AZ116": "AZ833", "AZ414": "AZ812", "AZ820": "AZ836",
    "AZ821": "AZ837", "AZ822": "AZ834", "AZ823": "AZ835", "AZ824": "AZ839", "AZ825": "AZ838",
}  # fmt: skip
"""Codes that rules had until now, with the present ones: aliases for a release. Fingerprints in baselines use them."""


def _rule(code: str, name: str, summary: str, severity: Severity = Severity.ERROR) -> Rule:
    rule = Rule(code, name, severity, summary)
    assert code not in RULES, code
    RULES[code] = rule
    return rule


def _warning(code: str, name: str, summary: str) -> Rule:
    return _rule(code, name, summary, Severity.WARNING)


SYNTAX = _rule("AZ101", "syntax", "Syntax error in a program, script or map.")
LITERAL = _rule("AZ102", "literal", "A number is too large, or its form is invalid.")
EMPTY_PLACE = _warning(
    "AZ103", "empty-place", "A function declaration has an empty argument position, which is ignored."
)
CARET = _warning("AZ104", "caret", "A caret before a name escapes the name; it does not denote a power.")
SHARED = _warning(
    "AZ105", "shared-comparison", "Comparisons with a comma between them form one chain over a shared list."
)
UNREADABLE = _rule("AZ107", "unreadable", "A construct has no counterpart in the other language (Alphabets or Alpha).")

UNDECLARED = _rule("AZ201", "undeclared-name", "A name is used but not declared.")
ARITY = _rule(
    "AZ202", "wrong-arity", "Wrong number of indices of a variable or projection, or of arguments of a function."
)
REDECLARED = _rule("AZ203", "declared-twice", "A name is declared twice.")
TYPE = _rule("AZ204", "type", "An operator is not defined for the type of its operand.")
NO_INDEX_NAMES = _rule("AZ205", "no-index-names", "Array notation is used where the indices have no names.")
LOSSY = _warning("AZ206", "lossy-conversion", "An implicit conversion may lose a value.")
UNUSED = _warning("AZ207", "unused-variable", "A variable is declared but never used.")
REBOUND = _warning(
    "AZ208", "rebound-name", "A restrict reuses the name of an index of the equation for another dimension."
)

MATRIX_SHAPE = _rule("AZ221", "matrix-shape", "The operands of a matrix expression have incompatible shapes.")
MATRIX_TYPE = _rule("AZ222", "matrix-type", "A matrix type is contradictory, or has an unknown property.")
MATRIX_FORMAT = _rule("AZ223", "matrix-format", "A value does not fit the storage format of its variable.")
STORAGE_FORMAT = _rule("AZ224", "storage-format", "A storage format does not fit the domain of its variable.")

NO_EQUATION = _rule("AZ301", "missing-equation", "A local or output variable has no equation.")
TWO_EQUATIONS = _rule("AZ302", "two-equations", "A variable has more than one equation.")
INPUT_EQUATION = _rule("AZ303", "equation-for-input", "An input variable has an equation.")
UNDEFINED_POINT = _rule("AZ304", "undefined-point", "A point of a variable's domain is never defined.")
OVERLAP = _rule("AZ305", "overlap", "Two branches of a case define the same point.")
OUTSIDE = _rule("AZ306", "read-outside-domain", "A variable is read at a point outside its domain.")
UNBOUNDED = _rule("AZ307", "unbounded-reduction", "A reduction runs over infinitely many points.")
EMPTY_DOMAIN = _warning("AZ308", "empty-domain", "A domain is empty for all parameters.")
EMPTY_REDUCTION = _warning("AZ309", "empty-reduction", "A reduction runs over no points; its value is the identity.")
CYCLE = _rule("AZ310", "dependence-cycle", "A value depends on itself: no schedule can exist.")
CALL = _rule("AZ311", "use-equation", "A use equation does not fit the system that it calls.")
NARROWED = _warning(
    "AZ312", "narrowed-reduction", "A reduction omits points of its restrict at which its body has no value."
)
ENDLESS = _rule("AZ313", "endless-calls", "A recursive call never terminates.")
MAYBE_ENDLESS = _warning("AZ314", "perhaps-endless-calls", "The termination of a recursive call is undecided.")
MAYBE_CYCLE = _warning("AZ315", "perhaps-dependence-cycle", "It is undecided whether a value depends on itself.")
CYCLE_BY_CALL = _warning(
    "AZ316", "cycle-by-call", "A cycle leads through a call as a whole: it runs on demand, but has no schedule."
)
OPERATOR_LAW = _warning("AZ317", "operator-law", "Values refute a law that a declared operator of a reduction needs.")

UNKNOWN_COMMAND = _rule("AZ401", "unknown-command", "Unknown command.")
ARGUMENT = _rule("AZ402", "wrong-argument", "A command has invalid arguments.")
UNKNOWN_TARGET = _rule("AZ403", "unknown-target", "A command names an unknown system, variable or value.")
MAP_SHAPE = _rule("AZ404", "map-shape", "A map has the wrong number of indices or dimensions.")
FILE = _rule("AZ405", "file", "A file that a script names cannot be read or written.")
PRECONDITION = _rule("AZ406", "precondition", "A transformation would not preserve the meaning of the program.")
NOT_YET = _rule("AZ407", "not-implemented", "A command is not implemented yet, or not for the target.")
IGNORED = _warning("AZ408", "ignored", "A command or option has no effect here.")
DEFAULT_MAP = _rule("AZ409", "default-map", "A variable has no space-time map and gets the identity.", Severity.NOTE)
ALIAS = _rule(
    "AZ410", "alias", "An operation copies a value onto the cell that holds it, and is dropped.", Severity.NOTE
)
MAPPING = _rule("AZ411", "mapping-form", "The target mapping is not well formed (M0).")
REPLACED = _warning("AZ412", "replaced", "A command of a script overwrites a file of an earlier command.")
PACKING = _rule(
    "AZ413", "packing", "The operand of a tile cannot be packed: the tile writes it, or there is nothing to pack (P)."
)
ONE_DIMENSION = _rule(
    "AZ415", "one-dimension-tiled", "A tiling command is ambiguous: dimension 0 alone, or all dimensions."
)
IN_PLACE = _rule(
    "AZ417", "output-in-place", "A call writes in place to points that the variable of the caller lacks (I)."
)
DROPPED = _rule("AZ418", "dropped-copy", "A dropped copy would have moved a value to another cell (D).")
UNCHANGED = _rule("AZ419", "unchanged", "A transformation has no effect.", Severity.NOTE)

NOT_INJECTIVE = _rule("AZ501", "one-date-each", "Two operations of one statement have the same date (S1).")
CAUSALITY = _rule("AZ502", "causality", "A read does not follow the write of its value (S2).")
ACCUMULATION = _rule("AZ503", "accumulation-order", "Two accumulations into one value are unordered (S3).")
KEPT_ONCE = _rule("AZ504", "kept-once", "A value of overlapped tiles is kept by no tile, or by several (S4).")

NO_SCHEDULE = _rule("AZ511", "no-schedule", "No schedule of a system was found.")
DATED = _rule("AZ512", "dates-given", "A system that must be scheduled has dates already.")
NO_STRATEGY = _rule("AZ513", "strategy", "The requested strategy does not fit the system.")
COST = _rule("AZ514", "cost", "Invalid term in the cost function of a schedule.")
SCHEDULE_CONSTRAINT = _rule("AZ515", "schedule-constraint", "Invalid schedule constraint.")
CONFLICT = _rule("AZ516", "conflict", "Schedule constraints conflict with dependences.")

LATE_MESSAGE = _rule("AZ521", "late-message", "A value of another rank is read before it arrives (D1, D2).")
SEVERAL_PLACES = _rule(
    "AZ522", "several-places", "The operations that write a value have several places or steps (D0)."
)
NO_SCAN = _rule("AZ523", "no-scan", "Values of lower places are no prefixes that ranks can combine (D13).")

OVERWRITE = _rule("AZ601", "overwrite", "A value is overwritten while it is still needed (M1).")
OUTPUT_LOST = _rule("AZ602", "output-lost", "A point of an output is overwritten before the end (M2).")
INPUT_LOST = _rule("AZ603", "input-lost", "A point of an input is overwritten before its last read (M3).")
LIFETIME = _rule("AZ604", "lifetime", "The array of a call argument is used outside its lifetime (C).")
PRIVATE = _rule("AZ605", "private-memory", "A value in private memory is read in another iteration (M5).")

MEMORY_TO_SPARE = _rule(
    "AZ611", "memory-to-spare", "The order of operations allows memory maps with far fewer cells.", Severity.NOTE
)
FACTOR = _rule("AZ612", "mod-factor", "A mod factor is not positive for all parameters.")
NO_LEAVE = _rule("AZ613", "overwritable", "An input cannot be declared overwritable.")

SENT_LOST = _rule("AZ621", "sent-lost", "A value is overwritten before it is sent to another rank (D3).")
GHOST_LOST = _rule("AZ622", "ghost-lost", "A received copy is overwritten, or overwrites a value (D4, D5, D6).")

RACE = _rule("AZ701", "race", "Two writes to one cell are unordered (M4).")
TILING = _rule("AZ702", "tiling", "Tiling breaks an order that the mapping needs.")

UNDECIDED = _rule("AZ801", "undecided", "An obligation is undecided within its budget; it does not count as proved.")
NO_COMPILER = _rule("AZ802", "no-compiler", "No working C compiler was found.")
COMPILATION = _rule("AZ803", "compilation", "The C compiler rejected the generated code.")
REFUSED = _rule("AZ804", "refused", "No code is generated for a mapping that is not proved.")
RUN_TIME = _rule("AZ805", "run-time", "The compiled program or the interpreter stopped with an error.")
DISAGREE = _rule("AZ806", "disagreement", "Two executions of one program have different results.")
INPUT_DATA = _rule("AZ807", "input-data", "The data of a parameter or an input does not fit its declaration.")
CONFIGURATION = _rule("AZ808", "configuration", "A configuration file has an invalid key or value.")
NOT_A_NUMBER = _warning("AZ809", "not-a-number", "Compared values contain NaN, so the comparison is inconclusive.")
DIED = _rule("AZ810", "process-died", "The process that executes generated code died.")
WRITTEN_OUTSIDE = _rule("AZ811", "outside", "Generated code wrote outside an array, or to an input.")
LONG = _warning("AZ812", "long-loops", "Loops would have so many statements that optional passes are omitted.")
IGNORE_COMMENT = _warning("AZ813", "ignore-comment", "A comment that ignores a rule is invalid or has no effect.")
DEVICE_FAULT = _rule(
    "AZ814", "device-fault", "An execution of CUDA has a data race, a bad access, or a bad barrier or launch."
)

ASSUMED = _warning("AZ815", "assumed", "An obligation of a mapping is not proved, but assumed by name.")
NO_VECTORS = _warning("AZ816", "no-vectors", "A vector dimension around a register tile has no loop in vectors.")

C_SYNTAX = _rule("AZ831", "c-syntax", "The C text cannot be parsed.")
C_OUTSIDE = _rule("AZ832", "c-outside", "The C uses a construct outside the supported subset; nothing is proved.")
C_NO_EQUATIONS = _rule("AZ833", "c-no-equations", "A C function cannot be written as equations.")
C_SIGNATURE = _rule(
    "AZ834", "c-signature", "The arguments of a C function do not correspond to the variables of a system."
)
C_EQUATIONS = _rule("AZ835", "c-equations", "Equations of this form cannot be compared with C.")
C_REFUTED = _rule("AZ836", "c-refuted", "A C function differs from the equations, or its behaviour is undefined.")
C_NOT_PROVED = _rule("AZ837", "c-not-proved", "A C function is not proved to compute the equations.")
C_CONTRADICTED = _rule("AZ838", "c-contradicted", "A proved C function fails in an execution.")
GENERATED_WRONG = _rule(
    "AZ839", "generated-wrong", "Generated C computes wrong results: a bug in alphaz, please report it."
)

TOO_MUCH = _rule("AZ841", "too-much-to-show", "There are too many operations to show.")
NO_FIGURE = _rule("AZ842", "no-figure", "The requested figure does not exist for this mapping.")

INTERNAL = _rule("AZ901", "internal", "An internal invariant of alphaz is violated: please report it.")

MISREADINGS = frozenset({CARET, SHARED, REBOUND})
"""Warnings that may be why something else is an error."""


def codes() -> list[str]:
    """Returns every code, in order."""
    return sorted(RULES)


def document(code: str) -> str:
    """Returns the Markdown text for `code`, present or former, in either case. Raises KeyError for other codes."""
    present = FORMER_CODES.get(code.upper(), code.upper())
    return resource("docs/rules", f"{RULES[present].code}.md")
