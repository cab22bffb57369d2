"""The program of a kernel's values, as text."""

from collections.abc import Sequence

from alphaz.analysis.checks.checked import Checked
from alphaz.analysis.read import read_program
from alphaz.analysis.texts.domain_texts import domain_text
from alphaz.analysis.texts.show import ashow
from alphaz.diagnostics import NOWHERE
from alphaz.diagnostics import Source as Text
from alphaz.frontends.from_c.expression import calls_in, expression
from alphaz.frontends.from_c.values import FlowValue, ValueSource
from alphaz.model.program import Kind
from alphaz.model.types import ScalarType
from alphaz.poly import Affine, AffineFunction, Domain
from alphaz.scop.value_tree import Tree
from alphaz.syntax.printer import print_domain
from alphaz.syntax.words import program_name

# With more branches than this, cases are written at the reads.
_MOST_BRANCHES = 8


def program_text(name: str, context: Domain, values: Sequence[FlowValue]) -> str:
    """Returns the program, laid out as `alphaz show` does. Raises Rejected, Unwritable."""
    return ashow(program_of(name, context, values).program)


def program_of(name: str, context: Domain, values: Sequence[FlowValue]) -> Checked:
    lines = [*_externals(values), f"affine {name} {_context(context)}"]
    for kind, word in ((Kind.INPUT, "input"), (Kind.OUTPUT, "output"), (Kind.LOCAL, "local")):
        found = [value for value in values if value.kind is kind]
        if found:
            lines += [word, *(_declaration(each, context) for each in found)]
    lines += ["let", *(_equation(value, context) for value in values if value.kind is not Kind.INPUT), ".", ""]
    return read_program(Text(f"{name}.ab", "\n".join(lines)))


def _context(context: Domain) -> str:
    text = print_domain(domain_text(context, context.space.parameters, NOWHERE))
    return text if context.space.parameters else "{|}"


def _externals(values: Sequence[FlowValue]) -> list[str]:
    found: dict[str, tuple[ScalarType, tuple[ScalarType, ...]]] = {}
    for value in values:
        if value.tree is not None:
            found |= calls_in(value.tree)
    return [f"{type_} {name}({', '.join(map(str, arguments))});" for name, (type_, arguments) in sorted(found.items())]


def _declaration(value: FlowValue, context: Domain) -> str:
    said = value.domain.within(context).simplify()
    names = tuple(map(program_name, value.indices))
    return f"{value.type} {program_name(value.name)} {print_domain(domain_text(said, names, NOWHERE))};"


def _restrict(domain: Domain, known: Domain, context: Domain) -> str:
    said = domain.gist(known.in_context(context)).simplify()
    return print_domain(domain_text(said, (), NOWHERE))


def _equation(value: FlowValue, context: Domain) -> str:
    indices = ",".join(map(program_name, value.indices))
    head = f"{program_name(value.name)}[{indices}]" if value.indices else program_name(value.name)
    if value.sum is None:
        return f"{head} = {_branches(value, value.domain, context)};"
    sum_ = value.sum
    known = value.domain.preimage(_projection(value)).in_context(context)
    body = _branches(value, sum_.domain.in_context(context), context, known)
    return f"{head} = reduce({sum_.operator}, [{','.join(map(program_name, sum_.names))}], {body});"


def _projection(value: FlowValue) -> AffineFunction:
    assert value.sum is not None
    return AffineFunction(value.sum.domain.space, tuple(map(Affine.name, value.indices)))


Part = tuple[Domain, tuple[ValueSource | None, ...]]


def _branches(value: FlowValue, domain: Domain, context: Domain, known: Domain | None = None) -> str:
    """Returns the value as a case by the sources of its reads. `known`: the conditions that need not be stated."""
    parts: list[Part] = [(domain, ())]
    for sources in value.sources:
        parts = _split(parts, sources, context)
    around = domain if known is None else known
    if len(parts) == 1:
        ((_, chosen),) = parts
        text = _computed(value, value.tree, chosen, domain, context)
        return text if known is None else f"{_restrict(domain, around, context)} : ({text})"
    texts = [
        f"{_restrict(where, around, context)} : ({_computed(value, value.tree, chosen, where, context)});"
        for where, chosen in parts
    ]
    return f"case {' '.join(texts)} esac"


def _split(parts: list[Part], sources: tuple[ValueSource, ...], context: Domain) -> list[Part]:
    if len(sources) < 2:
        return [(where, (*chosen, *(sources or (None,)))) for where, chosen in parts]
    found = [
        (both.simplify(), (*chosen, source))
        for where, chosen in parts
        for source in sources
        if not (both := (where & source.where).in_context(context)).is_empty()
    ]
    if len(found) > max(_MOST_BRANCHES, len(sources)):
        return [(where, (*chosen, None)) for where, chosen in parts]
    return found


def _computed(
    value: FlowValue, tree: Tree | None, chosen: tuple[ValueSource | None, ...], where: Domain, context: Domain
) -> str:
    def read(number: int) -> str:
        source = chosen[number]
        return _inside(value.sources[number], where, context) if source is None else _access(source)

    return read(0) if tree is None else expression(tree, read)


def _inside(sources: Sequence[ValueSource], where: Domain, context: Domain) -> str:
    """Returns the case at a read."""
    met = [source for source in sources if not (source.where & where).in_context(context).is_empty()]
    if len(met) == 1:
        return _access(met[0])
    branches = (f"{_restrict(each.where & where, where, context)} : {_access(each)};" for each in met)
    return f"(case {' '.join(branches)} esac)"


def _access(source: ValueSource) -> str:
    if not source.point:
        return program_name(source.name)
    return f"{program_name(source.name)}[{','.join(map(_affine, source.point))}]"


def _affine(affine: Affine) -> str:
    return str(affine.rename({name: program_name(name) for name in affine.names}))
