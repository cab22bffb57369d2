"""Injectivity of a function on a domain: { (z, z') | z, z' in D, z before z', f(z) = f(z') } is empty."""

from alphaz.diagnostics import Label, Place, Span, Witness, rules
from alphaz.poly import Affine, AffineFunction, Domain, equal, fresh_names, less
from alphaz.proof import Obligation, Values


def injective(name: str, domain: Domain, function: AffineFunction, span: Span, declared: Span) -> Obligation:
    """Returns the obligation. `name` is the object that has the domain, `span` the place of the function, `declared`
    that of the domain."""
    parameters, names = domain.space.parameters, domain.space.names
    others = fresh_names(len(names), "other", (*parameters, *names))
    space = domain.space.with_names(names + others)
    here, there = function.renamed(names), function.renamed(others)

    def violations() -> Domain:
        both = domain.embedded(space) & domain.renamed(others).embedded(space)
        same = [equal(a, b) for a, b in zip(here.outputs, there.outputs, strict=True)]
        pairs = [(Affine.name(a), Affine.name(b)) for a, b in zip(names, others, strict=True)]
        ordered = [[*(equal(a, b) for a, b in pairs[:at]), less(*pairs[at])] for at in range(len(pairs))]
        return both & Domain.where(space, same) & Domain.where(space, *ordered)

    def points(values: Values) -> tuple[tuple[int, ...], tuple[int, ...]]:
        return tuple(values[n] for n in names), tuple(values[n] for n in others)

    def explain(values: Values) -> Witness:
        one, other = (",".join(map(str, point)) for point in points(values))
        given = ", ".join(f"{p}={values[p]}" for p in parameters)
        image = ",".join(map(str, here.at(values)))
        sentence = f"{given}{': ' if given else ''}{name}[{one}] and {name}[{other}] both go to [{image}]"
        chosen = tuple((p, values[p]) for p in parameters)
        return Witness(chosen, tuple(Place("point", name, point) for point in points(values)), sentence)

    def recheck(values: Values) -> bool:
        one, other = points(values)
        inside = all(domain.contains({**values, **dict(zip(names, p, strict=True))}) for p in (one, other))
        return inside and one != other and here.at(values) == there.at(values)

    return Obligation(
        rules.PRECONDITION,
        f"{function} is injective on the domain of `{name}`",
        violations,
        (("point", names), ("other point", others)),
        explain,
        recheck,
        span,
        (Label(declared, "its domain"),),
    )
