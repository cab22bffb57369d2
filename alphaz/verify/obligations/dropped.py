"""Dropped copies (D): where a copy is dropped its value is in its cell already. For every copy v[z] = u[f(z)] that the
mapping drops,
    { z : v[z] is that copy, cell(v, z) != cell(u, f(z)) }
is empty. The mapping finds such copies (`alphaz.mapping.aliases`); here they are proved. Beyond the thesis;
verifier.md, Operations.
"""

from collections.abc import Iterator
from functools import partial

from alphaz.analysis.checks.question import point_text
from alphaz.diagnostics import Label, Witness
from alphaz.diagnostics.rules import DROPPED
from alphaz.mapping.aliases import Copy
from alphaz.mapping.cells import location
from alphaz.poly import Affine
from alphaz.verify.obligations.question import Matter, Question
from alphaz.verify.obligations.scene import Scene
from alphaz.verify.obligations.words import witness
from alphaz.verify.order.operations import Values
from alphaz.verify.order.precedence import Order
from alphaz.verify.reads.table import Operations

ONE_MAP = "the memory maps give the copy and what it copies one cell, as they are written"


def dropped(operations: Operations) -> Iterator[Matter]:
    """For every copy for which nothing is executed."""
    for copy in operations.mapping.aliases.every:
        yield Matter(partial(_stays, operations, copy), _settled(operations, copy))


def _settled(operations: Operations, copy: Copy) -> str:
    """Why nothing has to be asked; empty where something has."""
    cells = operations.mapping.cells
    return ONE_MAP if copy.stays_by_maps(cells[copy.variable], cells[copy.source]) else ""


def _stays(operations: Operations, copy: Copy) -> Question:
    mapping, names = operations.mapping, copy.domain.space.names
    here, there = mapping.cells[copy.variable], mapping.cells[copy.source]
    point = tuple(map(Affine.name, names))
    scene = Scene(operations.system).having("point", copy.domain)
    scene = scene.in_two_cells(here, point, there, copy.function.outputs)

    def recheck(_: Order, values: Values) -> bool:
        cells = location(here, values, [values[n] for n in names]), location(there, values, copy.function.at(values))
        return copy.domain.contains(values) and cells[0] != cells[1]

    def explain(order: Order, values: Values) -> Witness:
        value = point_text(copy.variable, [values[n] for n in names])
        sentence = f"{value} is a copy of {point_text(copy.source, copy.function.at(values))}, in another cell"
        return witness(mapping, order, values, (), sentence)

    span = operations.system.equation(copy.variable).span if copy.reference is None else copy.reference.span
    return Question(
        rule=DROPPED,
        claim=f"every {copy.variable} that is a dropped copy of {copy.source} has its cell",
        scene=scene,
        alternatives=lambda _: (),
        recheck=recheck,
        explain=explain,
        message=f"a copy of {copy.source} is dropped that would move it to another cell",
        remedy=f"report it, and give {copy.variable} another memory space",
        span=span,
        related=tuple(Label(cell.span, f"cells of {cell.variable}") for cell in (here, there)),
        copy=copy,
        ordered=False,
    )
