"""Descriptions of script values for users, without class names."""

from typing import Protocol, runtime_checkable

from alphaz.mapping.design import Design

OTHER = "a value of another kind"


@runtime_checkable
class Named(Protocol):
    """A value with a description: `a domain`."""

    @property
    def noun(self) -> str: ...


def described(value: object) -> str:
    """Returns a description of the value: `a domain`, `an empty text`."""
    match value:
        case Design():
            return "a program"
        case str():
            return "a text" if value else "an empty text"
        case bool():
            return "true" if value else "false"
        case int():
            return "a number"
        case None:
            return "no value: the command has no result"
        case Named():
            return value.noun
    return OTHER


def text_of(value: object) -> str:
    """Returns the printed text of a value; its description, if it has none."""
    match value:
        case bool():
            return described(value)
        case int():
            return str(value)
        case None:
            return "nothing"
    return described(value) if type(value).__str__ is object.__str__ else str(value)
