"""Options of the code generators, as scripts make them: values that are carried about."""

from dataclasses import dataclass
from typing import ClassVar

from alphaz.scripting.commands.kinds.argument_values import ArgumentValue
from alphaz.scripting.commands.kinds.kind import ArgumentKind, SoFar, Unfit


@dataclass(frozen=True, slots=True)
class GeneratorOptions:
    """What a command such as createCGOptionForWriteC gives; `made_by` tells which."""

    noun: ClassVar[str] = "options of a code generator"

    made_by: str


class OptionsKind(ArgumentKind):
    expected = "options of a code generator, as createCGOptionForScheduledC gives them"

    def fits(self, value: object) -> bool:
        return isinstance(value, GeneratorOptions)

    def convert(self, given: ArgumentValue, so_far: SoFar) -> GeneratorOptions:
        if not isinstance(given.value, GeneratorOptions):
            raise Unfit
        return given.value
