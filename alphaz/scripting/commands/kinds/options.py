"""Options of the code generators, as values of scripts."""

from dataclasses import dataclass
from typing import ClassVar

from alphaz.scripting.commands.kinds.argument_values import ArgumentValue
from alphaz.scripting.commands.kinds.kind import ArgumentKind, EarlierArguments, Unfit


@dataclass(frozen=True, slots=True)
class GeneratorOptions:
    """The result of a command such as createCGOptionForWriteC, which is `made_by`. `is_self_contained`: the code does
    not include `alphaz.h`."""

    noun: ClassVar[str] = "options of a code generator"

    made_by: str
    is_self_contained: bool = False


class OptionsKind(ArgumentKind):
    expected = "options of a code generator, as createCGOptionForScheduledC gives them"

    def fits(self, value: object) -> bool:
        return isinstance(value, GeneratorOptions)

    def convert(self, argument: ArgumentValue, earlier: EarlierArguments) -> GeneratorOptions:
        if not isinstance(argument.value, GeneratorOptions):
            raise Unfit
        return argument.value
