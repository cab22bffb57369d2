"""Commands as Python functions: `set_memory_map(design, "MCM", "SR_M", "(i,j,k->i,j)", space="M")`.

The arguments are those that a script gives (texts, numbers, designs), in the order of the signature or by name.
"""

import inspect
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, get_type_hints

from alphaz.codegen.sources import Sources
from alphaz.commands.call import carry_out, usage_line
from alphaz.commands.catalogue import commands
from alphaz.commands.declaration import Command, Form, Status
from alphaz.commands.generators import generate
from alphaz.commands.given import from_python
from alphaz.commands.library import Library
from alphaz.commands.outcome import Generation, Outcome, Saving, Verification
from alphaz.diagnostics import Diagnostic, Label, Rejected, Source, Span
from alphaz.diagnostics.rules import ARGUMENT
from alphaz.verify.verify import certify, verify


def as_function(command: Command) -> Callable[..., Any]:
    """The command as a function of Python values.

    It returns what the command gives: a Design, or another value; the report of a verification; the Sources of
    generated code (Rejected when a mapping is not proved); the text that would be printed or saved.
    """

    def call(*args: Any, **kwargs: Any) -> Any:
        signature = _signature(command)
        bound = signature.bind(*args, **kwargs).arguments
        span = _span(command, bound)
        form = _form(command, bound, span)
        arguments = [from_python(bound[parameter.name]) for parameter in form]
        return _result(carry_out(command, form, arguments, span, Library(Path())))

    call.__name__ = call.__qualname__ = command.python_name
    call.__doc__ = inspect.getdoc(command.function)
    call.__signature__ = _signature(command)  # type: ignore[attr-defined]
    return call


def _signature(command: Command) -> inspect.Signature:
    """As Python sees it: without the call, with the types that people may give."""
    whole = inspect.signature(command.function)
    types = get_type_hints(command.function)
    kept = [p.replace(annotation=types[n]) for n, p in whole.parameters.items() if n != "call"]
    return whole.replace(parameters=kept)


def _span(command: Command, bound: Mapping[str, Any]) -> Span:
    """A call has no text of its own: it is shown as it would be written."""
    written = ", ".join(repr(value) if isinstance(value, str | int) else name for name, value in bound.items())
    text = f"{command.python_name}({written})"
    return Span(Source("<python>", text), 0, len(text))


def _form(command: Command, bound: Mapping[str, Any], span: Span) -> Form:
    """The form with just these parameters."""
    for form in command.forms:
        if {parameter.name for parameter in form} == set(bound):
            return form
    message = f"{command.python_name}: these arguments do not go together"
    raise Rejected(Diagnostic(ARGUMENT, message, Label(span), help=f"the forms are those of {usage_line(command)}"))


def _result(outcome: Outcome) -> Any:
    if outcome.value is not None or not (outcome.requests or outcome.printed):
        return outcome.value
    if outcome.printed:
        return outcome.printed
    match outcome.requests[0]:
        case Verification() as asked:
            return verify(asked.design, [asked.system])
        case Generation() as wanted:
            proof = certify(verify(wanted.design, [wanted.system])) if wanted.needs_proof else None
            return generate(wanted, proof)
        case Saving() as saved:
            return Sources({saved.name: saved.text})


@cache
def functions() -> dict[str, Callable[..., Any]]:
    """Every command that does something, by its Python name."""
    return {each.python_name: as_function(each) for each in commands() if each.status is Status.DONE}
