"""Index-set splitting: innermost loops in the groups of `alphaz.codegen.scheduled.groups`, each a loop of its own."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from alphaz.analysis.facts.guarded_reductions import Decision, GuardedReduction
from alphaz.codegen.c import c_tree as c
from alphaz.codegen.c.expressions import Scope
from alphaz.codegen.c.hoisting import CONSTANT
from alphaz.codegen.c.integers import bound, integer
from alphaz.codegen.c.nest import loops_in_c, where_it_runs
from alphaz.codegen.scheduled.actions import Action
from alphaz.codegen.scheduled.groups import Found, Group, Point, groups_of, guarded_in
from alphaz.codegen.scheduled.instances import Instances
from alphaz.codegen.scheduled.surroundings import Surroundings
from alphaz.loops.scanning import readable_scan
from alphaz.loops.tree import Call, For, Let, Node, Scan
from alphaz.poly import Affine, Domain
from alphaz.poly.plain.integer import Integer, Name, as_affine

# Writes a loop in another way than as a loop of statements, or does not.
Write = Callable[[For, Surroundings], tuple[c.Statement, ...] | None]


def in_groups(
    loop: For, actions: Mapping[str, Action], writer: Instances, around: Surroundings, write: Write
) -> tuple[c.Statement, ...] | None:
    """The loop in its groups, each written by `write`; None where it is not split."""
    if not loop.splits:
        return None
    declared: list[c.Declare] = []
    wanted = guarded_in(loop, actions, writer.mapping, writer.guarded.of)
    found = [_named(guarded, point, writer, around, declared) for guarded, point in wanted]
    first, end = (_limit(value, writer, declared) for value in (loop.first, loop.bound))
    groups, known = groups_of(loop, actions, writer.mapping.system.context, found, first, end)
    inner = _written(loop, actions, groups, found, known, writer, around, write)
    return (where_it_runs(loop, writer.parameters, (*declared, *inner)),)


def _named(
    guarded: GuardedReduction, point: Point, writer: Instances, around: Surroundings, declared: list[c.Declare]
) -> Found:
    """The values in constants of their own."""
    values = tuple(value.substitute(writer.parameters) for value in point)
    names, constants = writer.lowering(writer.names, around).wanted(guarded, Scope(guarded.outer, values))
    declared += constants
    return Found(guarded, names, point)


def _limit(value: Integer, writer: Instances, declared: list[c.Declare]) -> Affine:
    """A limit of the loop, in a constant of its own where it is not affine."""
    affine = as_affine(value)
    if affine is None:
        name = writer.names.new("limit")
        declared.append(c.Declare(CONSTANT, name, integer(bound(value, writer.parameters))))
        affine = Affine.name(name)
    return affine


def _written(
    loop: For,
    actions: Mapping[str, Action],
    groups: Sequence[Group],
    found: Sequence[Found],
    known: Domain,
    writer: Instances,
    around: Surroundings,
    write: Write,
) -> tuple[c.Statement, ...]:
    iterator = Name(loop.iterator)
    scans = [Scan(str(at), group.iterations, (Affine.name(iterator.name),)) for at, group in enumerate(groups)]

    def inside(group: str) -> Surroundings:
        answers = groups[int(group)].answers
        pairs = (answers[2 * at : 2 * at + 2] for at in range(len(found)))
        return around.knowing(
            {each.guarded.node: Decision(each.names, *pair) for each, pair in zip(found, pairs, strict=True)}
        )

    def operation(here: Surroundings, name: str, arguments: tuple[Integer, ...]) -> tuple[c.Statement, ...]:
        return writer.operation(actions[name], arguments, here)

    def body(group: str, arguments: tuple[Integer, ...]) -> tuple[c.Statement, ...]:
        here = loop.body if arguments[0] == iterator else Let(iterator.name, loop.dimension, arguments[0], loop.body)
        return loops_in_c(here, writer.parameters, partial(operation, inside(group)))

    def special(node: Node) -> tuple[c.Statement, ...] | None:
        if not isinstance(node, For) or not isinstance(node.body, Call):
            return None
        here = inside(node.body.name)
        part = replace(loop, runs=False, first=node.first, comparison=node.comparison, bound=node.bound)
        return write(part, here) or loops_in_c(part, writer.parameters, partial(operation, here))

    tree = readable_scan(scans, known, [iterator.name])
    return loops_in_c(tree, writer.parameters, body, special)
