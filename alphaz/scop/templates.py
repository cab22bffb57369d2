"""Templates of functions of a GPU, as their only instance: `k<256, double><<<..>>>(..)` of
`template <int B, typename T> __global__ void k(..)` is `k<<<..>>>(..)`, where B is 256 and T is double."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from alphaz.c import tree as c
from alphaz.c.preparation import without_comments, without_strings
from alphaz.c.walk import Part, nodes, rebuilt
from alphaz.diagnostics import Source, Span
from alphaz.scop.tree_queries import named_type, targets
from alphaz.scop.unsupported import outside

_TEMPLATE = re.compile(r"\btemplate\s*<([^<>]*)>")
_NAME = re.compile(r"(?:[^;{}()]*?__launch_bounds__\s*\([^()]*\))?[^;{}()]*?\b(\w+)\s*\((?!\s*\()")
_PARAMETER = re.compile(r"^\s*(?P<kind>typename|class|(?:const\s+)?(?:unsigned\s+)?\w+)\s+(?P<name>\w+)\s*$")
_NUMBER = re.compile(r"^\d+$")


@dataclass(frozen=True, slots=True)
class _Template:
    """A function with its parameters, of which some are `types`, and the part of the text with its definition."""

    name: str
    parameters: tuple[str, ...]
    types: frozenset[str]
    begin: int
    end: int


@dataclass(slots=True)
class TemplateInstances:
    """The text without templates, of which one is at `place`; the types that parameters stand for, and the numbers, by
    function."""

    text: str
    place: Span
    types: dict[str, c.Type] = field(default_factory=dict)
    numbers: dict[str, dict[str, str]] = field(default_factory=dict)

    @property
    def typedefs(self) -> tuple[c.Typedef, ...]:
        return tuple(c.Typedef(type_, name) for name, type_ in self.types.items())

    def applied(self, tree: c.File) -> c.File:
        """Returns the tree with the numbers in their functions."""
        items = (self._applied(item) if isinstance(item, c.Function) else item for item in tree.items)
        return replace(tree, items=tuple(items)) if self.numbers else tree

    def _applied(self, function: c.Function) -> c.Function:
        numbers = self.numbers.get(function.name, {})
        declared = {node.name for node in nodes(function, (c.Declare, c.Parameter))}
        if declared & numbers.keys() or {name.name for name in nodes(targets(function), c.Name)} & numbers.keys():
            raise outside(self.place, "a parameter of a template has another meaning in its function")

        def change(part: Part) -> Part | None:
            match part:
                case c.Name(name) if name in numbers:
                    return c.Literal(numbers[name], at=part.at)
            return None

        if not numbers:
            return function
        names = re.compile(rf"\b(?:{'|'.join(numbers)})\b")
        qualifiers = tuple(names.sub(lambda number: numbers[number[0]], word) for word in function.qualifiers)
        return replace(rebuilt(function, change), qualifiers=qualifiers)


def instances(source: Source, text: str) -> TemplateInstances:
    """Returns the text with each template as its only instance. Raises Rejected for templates of other kinds."""
    plain = without_strings(without_comments(text))
    matches = [*_TEMPLATE.finditer(plain)]
    place = Span(source, matches[0].start(), matches[0].end()) if matches else Span(source, 0, 0)
    templates = {one.name: one for one in (_template(place, plain, match) for match in matches)}
    if len(templates) < len(matches):
        raise outside(place, "several templates have one name")
    blanked, uses = [(match_.start(), match_.end()) for match_ in matches], list[tuple[_Template, tuple[str, ...]]]()
    for name, template in templates.items():
        for use in re.finditer(rf"\b{name}\s*<(?!<)([^<>;]*)>", plain):
            uses.append((template, tuple(" ".join(argument.split()) for argument in use[1].split(","))))
            blanked.append((use.start() + len(name), use.end()))
    values = _values(place, templates, uses)
    result = TemplateInstances(_blanked(text, blanked), place)
    for template in templates.values():
        for name in template.parameters:
            _check_meaning(place, plain, name, templates.values())
            if name not in template.types:
                result.numbers.setdefault(template.name, {})[name] = values[name]
            elif (type_ := named_type(tuple(values[name].split()))) is not None:
                result.types[name] = c.scalar(type_)
    return result


def _values(
    place: Span, templates: Mapping[str, _Template], uses: Sequence[tuple[_Template, tuple[str, ...]]]
) -> Mapping[str, str]:
    """Returns the only value of each parameter, by its name: an argument may be a parameter of another template."""
    values: dict[str, str] = {}
    for template, arguments in [use for _ in templates for use in uses]:
        if len(arguments) != len(template.parameters):
            raise outside(place, f"arguments of the template `{template.name}` are missing")
        for name, argument in zip(template.parameters, arguments, strict=True):
            value = values.get(argument, argument)
            is_type = named_type(tuple(value.split())) is not None
            is_known = is_type if name in template.types else _NUMBER.match(value)
            if is_known and values.setdefault(name, value) != value:
                raise outside(place, f"the template parameter `{name}` has several values")
    for template in templates.values():
        if missing := [name for name in template.parameters if name not in values]:
            message = f"the parameter `{missing[0]}` of the template `{template.name}` has no known value"
            raise outside(place, message, "state numbers and types where it is used: `k<256, double>`")
    return values


def _check_meaning(place: Span, plain: str, name: str, templates: Iterable[_Template]) -> None:
    """Checks that a parameter has no other meaning outside of templates."""
    word = re.compile(rf"\b{name}\b")
    inside = sum(
        len(word.findall(plain[template.begin : template.end])) for template in templates if name in template.parameters
    )
    if inside < len(word.findall(plain)):
        raise outside(place, f"the template parameter `{name}` has another meaning in this file", "rename it")


def _template(place: Span, plain: str, found: re.Match[str]) -> _Template:
    parameters = [_PARAMETER.match(parameter) for parameter in found[1].split(",")]
    named = _NAME.match(plain, found.end())
    open_ = plain.find("{", found.end())
    head = plain[found.end() : open_]
    if None in parameters or named is None or open_ < 0 or not re.search(r"__(?:global|device)__", head):
        raise outside(
            place, "only templates of functions `__global__` and `__device__` by types and numbers are supported"
        )
    depth, end = 1, open_ + 1
    while depth and end < len(plain):
        depth += {"{": 1, "}": -1}.get(plain[end], 0)
        end += 1
    known = [one for one in parameters if one is not None]
    types = frozenset(one["name"] for one in known if one["kind"] in ("typename", "class"))
    names = tuple(one["name"] for one in known)
    return _Template(name=named[1], parameters=names, types=types, begin=found.start(), end=end)


def _blanked(text: str, places: Iterable[tuple[int, int]]) -> str:
    for begin, end in places:
        text = text[:begin] + re.sub(r"[^\n]", " ", text[begin:end]) + text[end:]
    return text
