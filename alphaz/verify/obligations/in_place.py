"""Outputs in place (I): a call that writes an output in the cells of the caller's variable writes all its points, so
that the caller's variable has to have them. For every such output, with e the points of the extension domain,
    { (e, x) : the called system, called at e, computes x; the caller's variable has no point x }
is empty. Beyond the thesis; verifier.md, Calls.
"""

from collections.abc import Iterator
from functools import partial

from alphaz.analysis.checks.question import point_text
from alphaz.diagnostics import Label, Witness
from alphaz.diagnostics.rules import IN_PLACE
from alphaz.mapping.uses import Argument, Use
from alphaz.verify.obligations.question import Matter, Question
from alphaz.verify.obligations.scene import Scene
from alphaz.verify.obligations.words import witness
from alphaz.verify.order.operations import Values
from alphaz.verify.order.precedence import Order
from alphaz.verify.reads.table import Operations


def in_place(operations: Operations) -> Iterator[Matter]:
    """For every output of a call that has no array."""
    for use in operations.mapping.uses:
        for argument in use.outputs:
            if argument.in_place:
                yield Matter(partial(_all_there, operations, use, argument))


def _all_there(operations: Operations, use: Use, argument: Argument) -> Question:
    assert argument.variable is not None
    mapping, variable, theirs = operations.mapping, argument.variable, argument.theirs.name
    (writer,) = operations.writers[variable]
    names, width = argument.domain.space.names, len(writer.operation.names)
    scene = Scene(operations.system).having("point", argument.domain).outside(argument.used)

    def recheck(_: Order, values: Values) -> bool:
        return argument.domain.contains(values) and not argument.used.contains(values)

    def explain(order: Order, values: Values) -> Witness:
        call, point = ([values[n] for n in part] for part in (names[:width], names[width:]))
        sentence = f"{point_text(use.label, call)} computes {point_text(theirs, point)}; there is no "
        return witness(mapping, order, values, (), f"{sentence}{point_text(variable, (*call, *point))}")

    return Question(
        rule=IN_PLACE,
        claim=f"{variable} has every point of the output {theirs} that {use.label} leaves there",
        scene=scene,
        alternatives=lambda _: (),
        recheck=recheck,
        explain=explain,
        message=f"{use.callee.name} computes points of {theirs} that {variable} lacks",
        remedy="without a space of the caller's the points that it lacks are left out by the copy",
        span=argument.span,
        related=(Label(use.equation.span, "called here"),),
        families=(("writer", writer),),
        ordered=False,
    )
