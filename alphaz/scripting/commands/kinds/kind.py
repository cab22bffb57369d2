"""Kinds of arguments: accepted values of a parameter, their conversion, and error messages."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

from alphaz.analysis.texts.node_numbers import find_node, sites
from alphaz.diagnostics import Diagnostic, Label, Rejected
from alphaz.diagnostics.rules import NOT_YET
from alphaz.lazy import lazy_import
from alphaz.mapping.design import Design
from alphaz.model.program import System
from alphaz.scripting.commands.kinds.argument_values import ArgumentValue

AUTO = "auto"


class Unfit(Exception):
    """A value that is not of the kind; its text, if any, is more specific than the kind's `expected`.

    `remedy` names the command that was probably intended, if that is another one."""

    def __init__(self, text: str = "", remedy: str = "") -> None:
        super().__init__(text)
        self.remedy = remedy


@dataclass(frozen=True, slots=True)
class EarlierArguments:
    """The arguments before this one, converted, by the name of their parameter; and the later ones, as given."""

    values: Mapping[str, object]
    behind: tuple[ArgumentValue, ...] = ()

    @property
    def design(self) -> Design:
        value = self.values["design"]
        assert isinstance(value, Design)
        return value

    @property
    def system(self) -> System:
        return self.design.system(str(self.values["system"]))


class ArgumentKind:
    """The kind of a parameter. `expected` completes "this must be ..."."""

    expected = "a value"
    takes_parts = False
    """True if the parameter takes a selected part of a program itself, instead of its name."""
    names_words: ClassVar[bool] = False
    """True if the message about an unfit text names the words that belong there."""

    def fits(self, value: object) -> bool:
        """Returns True if the value can be meant for this place, by its form alone; chooses between the forms of a
        command."""
        raise NotImplementedError

    def convert(self, argument: ArgumentValue, earlier: EarlierArguments) -> object:
        """Returns the converted value. Raises Unfit, or Rejected with a more specific rule."""
        raise NotImplementedError

    def doubts(self, argument: ArgumentValue, earlier: EarlierArguments) -> tuple[Diagnostic, ...]:
        """Returns warnings about a converted value that probably has another meaning."""
        return ()

    def suggestions(self, earlier: EarlierArguments) -> Iterable[str]:
        """Returns possible texts of this argument, for completion."""
        return ()


class ProgramKind(ArgumentKind):
    expected = "a program, as ReadAlphabets gives it"

    def fits(self, value: object) -> bool:
        return isinstance(value, Design)

    def convert(self, argument: ArgumentValue, earlier: EarlierArguments) -> Design:
        if not isinstance(argument.value, Design):
            raise Unfit
        return argument.value


class AnyKind(ArgumentKind):
    """Any value of a script."""

    takes_parts = True

    def fits(self, value: object) -> bool:
        return True

    def convert(self, argument: ArgumentValue, earlier: EarlierArguments) -> object:
        return argument.value


class TextKind(ArgumentKind):
    expected = "a text"

    def fits(self, value: object) -> bool:
        return isinstance(value, str)

    def convert(self, argument: ArgumentValue, earlier: EarlierArguments) -> str:
        if not isinstance(argument.value, str):
            raise Unfit
        return argument.value


class FileKind(TextKind):
    expected = "the name of a file"

    def convert(self, argument: ArgumentValue, earlier: EarlierArguments) -> str:
        name = super().convert(argument, earlier)
        if not name.strip() or "\0" in name:
            raise Unfit
        return name


class FolderKind(TextKind):
    expected = "the name of a folder"

    def fits(self, value: object) -> bool:
        return isinstance(value, str) and not value.strip().startswith("(")


class IntegerKind(ArgumentKind):
    """A number, or a text that holds one."""

    expected = "a number"

    def fits(self, value: object) -> bool:
        return _is_integer(value) or (isinstance(value, str) and bool(re.fullmatch(r"\s*-?\d{1,18}\s*", value)))

    def convert(self, argument: ArgumentValue, earlier: EarlierArguments) -> int:
        if not self.fits(argument.value):
            raise Unfit
        return int(str(argument.value))


class NaturalKind(IntegerKind):
    expected = "a number that is not negative"

    def convert(self, argument: ArgumentValue, earlier: EarlierArguments) -> int:
        number = super().convert(argument, earlier)
        if number < 0:
            raise Unfit
        return number


class DimensionKindOf(NaturalKind):
    expected = "a dimension: a number from 0, or a text that holds one"


class PositiveKind(IntegerKind):
    expected = "a positive number"

    def convert(self, argument: ArgumentValue, earlier: EarlierArguments) -> int:
        number = super().convert(argument, earlier)
        if number <= 0:
            raise Unfit(f"this is {number}")
        return number


class OccurrenceKind(IntegerKind):
    """The number of an occurrence, counted from 1; -1 for all."""

    expected = "a number, counted from 1"

    def convert(self, argument: ArgumentValue, earlier: EarlierArguments) -> int | None:  # type: ignore[override]
        number = super().convert(argument, earlier)
        if number < 1 and number != -1:
            raise Unfit(f"this is {number}")
        return None if number == -1 else number


class PieceKind(ArgumentKind):
    """A size, or "auto": chosen to fill the registers."""

    expected = 'a positive number, or "auto"'

    def fits(self, value: object) -> bool:
        return value == AUTO or PositiveKind().fits(value)

    def convert(self, argument: ArgumentValue, earlier: EarlierArguments) -> int | None:
        return None if argument.value == AUTO else PositiveKind().convert(argument, earlier)

    def suggestions(self, earlier: EarlierArguments) -> Iterable[str]:
        return (AUTO,)


class CountKind(PositiveKind):
    """A number without quotes, which distinguishes it from a list of numbers in the same place."""

    def fits(self, value: object) -> bool:
        return _is_integer(value)


class LevelKind(IntegerKind):
    """The level of the target of a mapping; there is one, the highest."""

    expected = "0, the one level of mappings that there is"

    def convert(self, argument: ArgumentValue, earlier: EarlierArguments) -> int:
        level = super().convert(argument, earlier)
        if level != 0:
            message = f"a mapping of level {level} is not implemented yet"
            raise Rejected(Diagnostic(NOT_YET, message, Label(argument.span), help="leave the level out"))
        return level


class FlagKind(ArgumentKind):
    expected = "0 or 1"

    _values = ((0, False), (1, True), ("0", False), ("1", True), ("false", False), ("true", True))

    def fits(self, value: object) -> bool:
        return any(value == word and isinstance(value, type(word)) for word, _ in self._values)

    def convert(self, argument: ArgumentValue, earlier: EarlierArguments) -> bool:
        for word, meaning in self._values:
            if argument.value == word and isinstance(argument.value, type(word)):
                return meaning
        raise Unfit


class NumbersKind(ArgumentKind):
    """Numbers, separated by commas, in parentheses or not; one number may stand without quotes."""

    expected = 'numbers, as in "2,0,0"'

    def fits(self, value: object) -> bool:
        return _is_integer(value) or (isinstance(value, str) and _numbers(value) is not None)

    def convert(self, argument: ArgumentValue, earlier: EarlierArguments) -> tuple[int, ...]:
        numbers = (int(str(argument.value)),) if _is_integer(argument.value) else _numbers(str(argument.value))
        if numbers is None or any(number < 0 for number in numbers):
            raise Unfit
        return numbers


class DimensionsKind(NumbersKind):
    expected = 'dimensions, as in 1 or "0,1"'

    def convert(self, argument: ArgumentValue, earlier: EarlierArguments) -> tuple[int, ...]:
        numbers = super().convert(argument, earlier)
        if not numbers:
            raise Unfit
        return numbers


class ProcessorsKind(NumbersKind):
    """Numbers of ranks, one for each distributed dimension."""

    expected = 'numbers of ranks, as in 4 or "2,0" (0: as many as there are)'

    def convert(self, argument: ArgumentValue, earlier: EarlierArguments) -> tuple[int, ...]:
        numbers = super().convert(argument, earlier)
        if not numbers or max(numbers) > 1_000_000:
            raise Unfit
        return numbers


_AXIS = re.compile(r"\s*([xyz])\s*(?:=\s*([0-9]{1,9})\s*)?")


class AxesKind(ArgumentKind):
    """Axes of blocks or threads, some with a number of threads: `y,x`, `y=8, x=32`."""

    expected = 'x, y or z for each dimension, as in "y,x", or with numbers of threads as in "y=8,x=32"'

    def fits(self, value: object) -> bool:
        return isinstance(value, str) and all(_AXIS.fullmatch(part) for part in value.split(","))

    def convert(self, argument: ArgumentValue, earlier: EarlierArguments) -> tuple[tuple[str, int], ...]:
        if not isinstance(argument.value, str):
            raise Unfit
        axes: list[tuple[str, int]] = []
        for part in argument.value.split(","):
            axis = _AXIS.fullmatch(part)
            if axis is None:
                raise Unfit(f"`{part.strip()}` is no axis")
            axes.append((axis[1], int(axis[2] or 0)))
        return tuple(axes)


class TileSizesKind(ArgumentKind):
    """The sizes of the tiles of a band, level by level: `64,0; 16,8`."""

    expected = 'sizes of tiles, as in "64,16", outermost level first as in "64,0; 16,8" (0 leaves a dimension whole)'

    def fits(self, value: object) -> bool:
        return isinstance(value, str) and all(map(_sizes, value.split(";")))

    def convert(self, argument: ArgumentValue, earlier: EarlierArguments) -> tuple[tuple[int, ...], ...]:
        if not self.fits(argument.value):
            raise Unfit
        return tuple(_sizes(level) for level in str(argument.value).split(";"))


def _sizes(text: str) -> tuple[int, ...]:
    """The sizes of one level; empty if the text is not a list of sizes."""
    numbers = _numbers(text) or ()
    return numbers if min(numbers, default=-1) >= 0 else ()


class PrefixKind(NumbersKind):
    """The constants of leading ordering dimensions; the empty text for none. They may be negative.

    `word`: the kind of dimension that the command sets for statements with the prefix."""

    expected = 'an ordering prefix, as in "" or "0,1"'

    def __init__(self, word: str = "") -> None:
        self._word = word

    def fits(self, value: object) -> bool:
        return isinstance(value, str) and _numbers(value) is not None

    def convert(self, argument: ArgumentValue, earlier: EarlierArguments) -> tuple[int, ...]:
        numbers = (int(str(argument.value)),) if _is_integer(argument.value) else _numbers(str(argument.value))
        if numbers is None:
            raise self._unfit(str(argument.value), earlier)
        return numbers

    def _unfit(self, text: str, earlier: EarlierArguments) -> Unfit:
        """The message for the name of a variable, a frequent mistake: another command is for single variables."""
        variable = next((variable for variable in earlier.system.variables if variable.name == text), None)
        if not self._word or variable is None:
            return Unfit()
        dated = earlier.design.mapping(earlier.system.name).space_time_of(text)
        count = variable.domain.space.dimensions if dated is None else len(dated.function.outputs)
        behind = earlier.behind[0].value if earlier.behind else 0
        numbers = _numbers(str(behind)) if isinstance(behind, str | int) else None
        examples = (
            f'setDimensionType(prog, "{earlier.system.name}", "{text}", {dimension}, "{self._word}")'
            for dimension in [dimension for dimension in numbers or () if dimension < count] or [0]
        )
        return Unfit("this is a variable", f"to say it of one variable, write {', '.join(examples)}")


class NodeKind(ArgumentKind):
    """A node of a program by number, which stays a text: `0,0,1` is system, equation, then a child at each level."""

    expected = 'the number of a node, as in "0,0,1" (PrintAST shows them)'

    def fits(self, value: object) -> bool:
        return isinstance(value, str) and bool(_numbers(value))

    def convert(self, argument: ArgumentValue, earlier: EarlierArguments) -> str:
        numbers = _numbers(argument.value) if isinstance(argument.value, str) else None
        if not numbers:
            raise Unfit
        text = ",".join(map(str, numbers))
        try:
            find_node(earlier.design.program, text)
        except Rejected as rejected:
            raise Rejected(
                *(replace(diagnostic, primary=Label(argument.span)) for diagnostic in rejected.diagnostics)
            ) from None
        return text

    def suggestions(self, earlier: EarlierArguments) -> Iterable[str]:
        return (site.text for site in sites(earlier.design.program))


@dataclass(frozen=True, slots=True, eq=False)
class ChoiceKind(ArgumentKind):
    """One of a few words, case-insensitive; a word may have short forms."""

    names_words: ClassVar[bool] = True
    words: Mapping[str, object]

    @property
    def expected(self) -> str:  # type: ignore[override]
        return f"{'one of ' if len(self.words) > 1 else ''}{', '.join(self.words)}"

    def fits(self, value: object) -> bool:
        return isinstance(value, str) and value.strip().upper() in self.words

    def convert(self, argument: ArgumentValue, earlier: EarlierArguments) -> object:
        word = str(argument.value).strip().upper()
        if not isinstance(argument.value, str) or word not in self.words:
            raise Unfit
        return self.words[word]

    def suggestions(self, earlier: EarlierArguments) -> Iterable[str]:
        return self.words


class ArchitectureKind(TextKind):
    """An architecture of GPUs, as nvcc names it."""

    expected = 'an architecture, as in "sm_90"'

    def fits(self, value: object) -> bool:
        return isinstance(value, str) and re.fullmatch(r"sm_[0-9]{2,3}[a-z]?", value) is not None

    def convert(self, argument: ArgumentValue, earlier: EarlierArguments) -> str:
        if not self.fits(argument.value):
            raise Unfit
        return str(argument.value)


class NameKind(TextKind):
    """One of the names that a function returns: packages add some."""

    @property
    def expected(self) -> str:  # type: ignore[override]
        return f"one of {', '.join(self._names())}"

    def convert(self, argument: ArgumentValue, earlier: EarlierArguments) -> str:
        name = super().convert(argument, earlier).strip().lower()
        if name not in self._names():
            raise Unfit
        return name

    def suggestions(self, earlier: EarlierArguments) -> Iterable[str]:
        return self._names()

    @staticmethod
    def _names() -> list[str]:
        raise NotImplementedError


class TargetKind(NameKind):
    """The name of a target, which are those of the generator."""

    @staticmethod
    def _names() -> list[str]:
        names: list[str] = lazy_import("alphaz.codegen.targets.registry").target_names()
        return names


class StrategyKind(NameKind):
    """The name of a strategy of the scheduler."""

    def fits(self, value: object) -> bool:
        return isinstance(value, str) and value.strip().lower() in self._names()

    @staticmethod
    def _names() -> list[str]:
        names: list[str] = lazy_import("alphaz.search.schedule.strategies.registry").strategy_names()
        return names


def _is_integer(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _numbers(text: str) -> tuple[int, ...] | None:
    """The numbers of `2,0,0` or `(2,0,0)`; empty for the empty text; None if the text is something else."""
    inner = text.strip()
    if inner.startswith("(") and inner.endswith(")"):
        inner = inner[1:-1].strip()
    if not inner:
        return ()
    if not re.fullmatch(r"-?\d{1,18}(\s*,\s*-?\d{1,18})*", inner):
        return None
    return tuple(int(number) for number in inner.split(","))
