"""The equations of one rank: values at other places, and those that ranks combine, are received."""

from collections.abc import Sequence
from dataclasses import replace

from alphaz.analysis.checks.checked_program import Checked
from alphaz.analysis.read import read_program
from alphaz.analysis.texts.program_reflection import program_tree
from alphaz.analysis.texts.show import identity_lines
from alphaz.diagnostics import Source
from alphaz.equivalence.ranks.rank_messages import Message, RankSubject
from alphaz.equivalence.ranks.rank_statement_checks import UnexpectedText
from alphaz.model.expression import Access, Case, Expression, Reduce, Restrict
from alphaz.model.program import Equation, Kind, Variable
from alphaz.poly import Affine, AffineFunction, Constraint, Domain, Space, at_least, less
from alphaz.syntax.printer import print_program


def received(name: str) -> str:
    """Returns the name of an input: the values of a variable that a rank receives."""
    return f"{name}_received"


def sent(name: str, message: Message) -> str:
    """Returns the name of an output: the values of a variable that a rank sends."""
    return f"{name}_sent{message.suffix}"


def result(name: str) -> str:
    """Returns the name of an output: an output of the system."""
    return f"{name}_result"


def partial(name: str) -> str:
    """Returns the name of an output: what the contributions of a rank to a variable amount to."""
    return f"{name}_partial"


def rank_equations(subject: RankSubject) -> Checked:
    """Returns the checked program of one rank. Raises UnexpectedText."""
    system, program = subject.system, subject.checked.program
    variables = [replace(v, domain=_domain(subject, v.domain)) for v in system.inputs]
    equations = list[Equation]()
    for variable in subject.computed:
        domain = _domain(subject, variable.domain)
        variables.append(replace(variable, kind=Kind.LOCAL, domain=domain))
        variables.append(replace(variable, name=received(variable.name), kind=Kind.INPUT, domain=domain))
        outputs = list[Equation]()
        if variable.name in subject.combined:
            outputs.append(_partial_equation(subject, variable))
            equations.append(_copy(subject, variable.name, received(variable.name), variable))
        else:
            equations.append(_own_equation(subject, variable))
        if variable.kind is Kind.OUTPUT:
            outputs.append(_copy(subject, result(variable.name), variable.name, variable))
        for message in subject.messages:
            if any(value.about.variable == variable.name for value in message.values):
                outputs.append(_sent_equation(subject, message, variable))
        for output in outputs:
            variables.append(replace(variable, name=output.variable, kind=Kind.OUTPUT, domain=domain))
        equations += outputs
    extended = replace(
        system,
        context=_domain(subject, system.context) & subject.owners((*system.parameters, *subject.more)),
        variables=tuple(variables),
        equations=tuple(equations),
    )
    text = print_program(program_tree(replace(program, systems=(extended,)), array=True))
    return read_program(Source("rank.ab", "".join([*identity_lines(program), text])))


def _domain(subject: RankSubject, domain: Domain) -> Domain:
    return domain.with_parameters(subject.more)


def _parameters(subject: RankSubject) -> tuple[str, ...]:
    return (*subject.system.parameters, *subject.more)


def _own_places(subject: RankSubject, places: Sequence[Affine]) -> tuple[list[Constraint], list[list[Constraint]]]:
    """Returns the conditions for places of the rank, and the cases in which one of them does not hold."""
    inside, outside = list[Constraint](), list[list[Constraint]]()
    for (low, high), place in zip(subject.text.outline.own, places, strict=True):
        begin, end = Affine.name(low), Affine.name(high)
        outside += [[*inside, less(place, begin)], [*inside, at_least(place - end, 0)]]
        inside += [at_least(place - begin, 0), less(place, end)]
    return inside, outside


def _own_equation(subject: RankSubject, variable: Variable) -> Equation:
    """Returns the equation that gives the rank its own values, and received ones at other places."""
    equation = subject.system.equation(variable.name)
    if not isinstance(equation, Equation):
        raise UnexpectedText(f"{variable.name} is computed by another system")
    space = Space(_parameters(subject), equation.indices)
    renaming = dict(zip(variable.domain.space.names, map(Affine.name, equation.indices), strict=True))
    places = [place.substitute(renaming) for place in subject.places[variable.name]]
    inside, outside = _own_places(subject, places)
    elsewhere = Access(received(variable.name), AffineFunction.identity(space))
    branches: list[Expression] = [Restrict(Domain.where(space, inside), equation.expression)]
    branches += [Restrict(Domain.where(space, case), elsewhere) for case in outside]
    return replace(equation, expression=Case(tuple(branches)), named=True)


def _partial_equation(subject: RankSubject, variable: Variable) -> Equation:
    """Returns the equation of what the contributions of the rank to a variable amount to."""
    reduction = subject.reduction(variable)
    names = reduction.projection.domain.names
    inside, _ = _own_places(subject, subject.places[variable.name])
    own = Restrict(Domain.where(Space(_parameters(subject), names), inside), reduction.body)
    equation = subject.system.equation(variable.name)
    assert isinstance(equation, Equation)
    combined = Reduce(reduction.operator, reduction.projection, own)
    return replace(equation, variable=partial(variable.name), expression=combined, named=True)


def _sent_equation(subject: RankSubject, message: Message, variable: Variable) -> Equation:
    domain, parameters = _domain(subject, variable.domain), _parameters(subject)
    points, names = subject.sent(message, variable, parameters), variable.domain.space.names
    function = AffineFunction.identity(Space(parameters, names))
    known = domain & subject.owners(parameters).embedded(domain.space)
    inside, others = (part.gist(known).coalesced() for part in (points & known, known - points))
    branches = [(inside, variable.name), (others, received(variable.name))]
    cases = tuple(Restrict(d, Access(name, function)) for d, name in branches if not d.is_empty())
    return Equation(sent(variable.name, message), names, Case(cases))


def _copy(subject: RankSubject, target: str, source: str, variable: Variable) -> Equation:
    names = variable.domain.space.names
    return Equation(target, names, Access(source, AffineFunction.identity(Space(_parameters(subject), names))))
