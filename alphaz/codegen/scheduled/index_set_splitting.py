"""Index-set splitting: innermost loops in groups (`alphaz.codegen.scheduled.iteration_groups`), one loop each."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from alphaz.analysis.facts.guarded_reductions import GuardDecision
from alphaz.c import tree as c
from alphaz.codegen.c.expressions import CScope
from alphaz.codegen.c.hoisting import CONSTANT
from alphaz.codegen.c.integers import bound, integer
from alphaz.codegen.c.nest import loops_in_c, node_in_c, reached_instances, where_it_runs, with_used
from alphaz.codegen.scheduled.emit_context import EmitContext
from alphaz.codegen.scheduled.instances import Instances
from alphaz.codegen.scheduled.iteration_groups import selections_in
from alphaz.codegen.scheduled.statement_templates import StatementTemplate
from alphaz.loops.tree import For, Instance, Let, Node, inside
from alphaz.model.expression import Reduce
from alphaz.poly import Affine
from alphaz.poly.plain.integer import IntegerName, as_affine

# Writes a loop in another way than as a loop of statements, or does not.
Write = Callable[[For, EmitContext, Instances], tuple[c.Statement, ...] | None]


def in_groups(
    loop: For, actions: Mapping[str, StatementTemplate], writer: Instances, around: EmitContext, write: Write
) -> tuple[c.Statement, ...] | None:
    """Returns the loop in its groups, each written by `write`; None where it is not split."""
    if loop.split is None:
        return None
    split, declared = loop.split, list[c.Statement]()
    names: dict[str, Affine] = {}
    found: list[tuple[Reduce, tuple[str, ...]]] = []
    for each, wanted in zip(selections_in(loop, actions, writer.guarded.of), split.wanted, strict=True):
        values = tuple(value.substitute(writer.parameters) for value in each.point or ())
        constants, made = writer.lowering(writer.names, around).wanted(each.guarded, CScope(each.guarded.outer, values))
        declared += made
        names |= zip(wanted, map(Affine.name, constants), strict=True)
        found.append((each.guarded.node, constants))
    limits: list[c.Declare] = []
    for limit, value in zip(split.limits, (loop.first, loop.bound), strict=True):
        known = bound(value, writer.parameters)
        affine = as_affine(known)
        if affine is None:
            affine = Affine.name(writer.names.new("limit"))
            limits.append(c.Declare(CONSTANT, affine.names[0], integer(known)))
        names[limit] = affine
    groups = _Groups(
        loop=replace(loop, split=None, runs=False),
        actions=actions,
        writer=replace(writer, parameters={**writer.parameters, **names}),
        write=write,
        around=[_knowing(around, found, group.answers) for group in split.groups],
        vectors=[group.vector for group in split.groups],
    )
    written = (*declared, *with_used(limits, groups.written(split.tree)))
    return (where_it_runs(loop, writer.parameters, written),)


def _knowing(
    around: EmitContext, found: Sequence[tuple[Reduce, tuple[str, ...]]], answers: Sequence[bool]
) -> EmitContext:
    """Returns the context of a group with these answers, two for each reduction."""
    pairs = zip(found, answers[::2], answers[1::2], strict=True)
    return around.knowing({node: GuardDecision(names, *answer) for (node, names), *answer in pairs})


@dataclass(frozen=True, slots=True)
class _Groups:
    """Writes the groups of a loop; `around` has the context of each of them, `vectors` the vectorised ones."""

    loop: For
    actions: Mapping[str, StatementTemplate]
    writer: Instances
    write: Write
    around: Sequence[EmitContext]
    vectors: Sequence[bool]

    def written(self, node: Node) -> tuple[c.Statement, ...]:
        """Returns the loops over the iterations of the groups; calls have the numbers of groups."""
        match node:
            case For(body=Instance(group)):
                here = self.around[int(group)]
                part = replace(
                    self.loop,
                    first=node.first,
                    comparison=node.comparison,
                    bound=node.bound,
                    vector_dimension=self.vectors[int(group)],
                )
                return self.write(part, here, self.writer) or self._plain(part, here)
            case Instance(group, (value,)):
                loop, body = self.loop, self.loop.body
                is_own = value == IntegerName(loop.iterator)
                there = body if is_own else Let(loop.iterator, loop.dimension, value, body)
                return self._plain(there, self.around[int(group)])
        return node_in_c(node, self.writer.parameters, [self.written(child) for child in inside(node)])

    def _plain(self, node: Node, around: EmitContext) -> tuple[c.Statement, ...]:
        parameters = self.writer.parameters
        operations = {
            call: self.writer.operation(self.actions[call.name], arguments, around)
            for call, arguments in reached_instances(node, parameters)
        }
        return loops_in_c(node, parameters, operations)
