"""Index-set splitting: innermost loops in the groups of `alphaz.codegen.scheduled.groups`, each a loop of its own."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from alphaz.analysis.facts.guarded_reductions import Decision
from alphaz.codegen.c import c_tree as c
from alphaz.codegen.c.expressions import Scope
from alphaz.codegen.c.hoisting import CONSTANT
from alphaz.codegen.c.integers import bound, integer
from alphaz.codegen.c.nest import loops_in_c, node_in_c, reached, where_it_runs
from alphaz.codegen.scheduled.actions import Action
from alphaz.codegen.scheduled.groups import Found, Selection, groups_of, selections_in
from alphaz.codegen.scheduled.instances import Instances
from alphaz.codegen.scheduled.surroundings import Surroundings
from alphaz.loops.scanning import readable_scan
from alphaz.loops.tree import Call, For, Let, Node, Scan, inside
from alphaz.poly import Affine
from alphaz.poly.plain.integer import Integer, Name, as_affine

# Writes a loop in another way than as a loop of statements, or does not.
Write = Callable[[For, Surroundings], tuple[c.Statement, ...] | None]


def in_groups(
    loop: For, actions: Mapping[str, Action], writer: Instances, around: Surroundings, write: Write
) -> tuple[c.Statement, ...] | None:
    """The loop in its groups, each written by `write`; None where it is not split."""
    if not loop.splits:
        return None
    declared: list[c.Statement] = []
    wanted = selections_in(loop, actions, writer.mapping, writer.guarded.of)
    found = [_named(each, writer, around, declared) for each in wanted]
    first, end = (_limit(value, writer, declared) for value in (loop.first, loop.bound))
    groups, known = groups_of(loop, actions, writer.mapping.system.context, found, first, end)
    scans = [Scan(str(at), group.iterations, (Affine.name(loop.iterator),)) for at, group in enumerate(groups)]
    within = [_knowing(around, found, group.answers) for group in groups]
    tree = readable_scan(scans, known, [loop.iterator])
    done_in_vectors = {each.answers for each in loop.splits if each.vector}
    split = _Groups(
        loop=loop,
        actions=actions,
        writer=writer,
        write=write,
        around=within,
        vectors=[group.answers in done_in_vectors for group in groups],
    )
    return (where_it_runs(loop, writer.parameters, (*declared, *split.written(tree))),)


def _named(each: Selection, writer: Instances, around: Surroundings, declared: list[c.Statement]) -> Found:
    """The values in constants of their own."""
    guarded = each.guarded
    values = tuple(value.substitute(writer.parameters) for value in each.point)
    names, constants = writer.lowering(writer.names, around).wanted(guarded, Scope(guarded.outer, values))
    declared += constants
    return Found(guarded, names, each.point)


def _limit(value: Integer, writer: Instances, declared: list[c.Statement]) -> Affine:
    """A limit of the loop, in a constant of its own where it is not affine."""
    affine = as_affine(value)
    if affine is None:
        name = writer.names.new("limit")
        declared.append(c.Declare(CONSTANT, name, integer(bound(value, writer.parameters))))
        affine = Affine.name(name)
    return affine


def _knowing(around: Surroundings, found: Sequence[Found], answers: Sequence[bool]) -> Surroundings:
    """What surrounds a group with these answers, two for each reduction."""
    pairs = zip(found, answers[::2], answers[1::2], strict=True)
    return around.knowing({each.guarded.node: Decision(each.names, *answer) for each, *answer in pairs})


@dataclass(frozen=True, slots=True)
class _Groups:
    """Writes the groups of a loop; `around` has what surrounds each of them, `vectors` which are in vectors."""

    loop: For
    actions: Mapping[str, Action]
    writer: Instances
    write: Write
    around: Sequence[Surroundings]
    vectors: Sequence[bool]

    def written(self, node: Node) -> tuple[c.Statement, ...]:
        """The loops over the iterations of the groups, of which calls have the numbers."""
        match node:
            case For(body=Call(group)):
                here = self.around[int(group)]
                part = replace(
                    self.loop,
                    first=node.first,
                    comparison=node.comparison,
                    bound=node.bound,
                    runs=False,
                    vector_dimension=self.vectors[int(group)],
                )
                return self.write(part, here) or self._plain(part, here)
            case Call(group, (value,)):
                loop, body = self.loop, self.loop.body
                is_own = value == Name(loop.iterator)
                there = body if is_own else Let(loop.iterator, loop.dimension, value, body)
                return self._plain(there, self.around[int(group)])
        return node_in_c(node, self.writer.parameters, [self.written(child) for child in inside(node)])

    def _plain(self, node: Node, around: Surroundings) -> tuple[c.Statement, ...]:
        parameters = self.writer.parameters
        operations = {
            call: self.writer.operation(self.actions[call.name], arguments, around)
            for call, arguments in reached(node, parameters)
        }
        return loops_in_c(node, parameters, operations)
