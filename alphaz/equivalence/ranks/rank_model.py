"""One rank as a C function without messages, and as equations: the proof of the function is a proof of the rank.

The function executes the steps of a rank with the places `[low, high)`, or of a grid with a box of places. Values that
other ranks compute come from arrays `received`; the values for one other rank, with the places `[peer_low, peer_high)`,
or for all receivers of a message, are stored in arrays `sent`, and what the own contributions to combined values amount
to in arrays `partial`. In the equations a value at another place is the received one, and so is a combined one. Places
of senders are a parallel loop: so nothing depends on the ranks that own them, nor on their number.

docs/distributed.md has the argument by induction from one rank to all of them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from alphaz.analysis.checks.checked_program import Checked
from alphaz.analysis.read import read_program
from alphaz.c import tree as c
from alphaz.c.printer import file_text
from alphaz.codegen.c.arrays import stored_array
from alphaz.codegen.c.expressions import parameter_values
from alphaz.codegen.c.names import identifier
from alphaz.diagnostics import Source
from alphaz.equivalence.ranks.rank_equations import rank_equations
from alphaz.equivalence.ranks.rank_function import RankFunction, has_own_names, included, renamed
from alphaz.equivalence.ranks.rank_messages import Claims, Place, RankSubject
from alphaz.equivalence.ranks.rank_statement_checks import UnexpectedText, integers
from alphaz.equivalence.ranks.rank_text_reader import CombinedText, RankText
from alphaz.model.program import System
from alphaz.poly import Domain

_OPERANDS = ("one", "other")


@dataclass(frozen=True, slots=True, eq=False)
class RankModel:
    """The function and the equations of one rank. `context`: the sizes of its arrays, and the places of the ranks.
    `names` are those of the variables that arguments hold; `claims` are of the lines of the text, and `places` has the
    lines of the text of all ranks by the lines that come from them.
    """

    checked: Checked
    system: str
    function: str
    text: str
    claims: Mapping[int, Mapping[str, object]]
    context: Domain
    names: Mapping[str, str]
    places: Mapping[int, int] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class RankModeller:
    """Makes the models of a text, a system, the claims of the lines of the text, and the claimed places: that of one
    rank, and those of the operators that combine values of ranks.
    """

    text: RankText
    checked: Checked
    system: System
    claims: Claims
    places: Place

    def models(self) -> list[RankModel]:
        """Returns the models. Raises UnexpectedText and NotAffineByCases."""
        outline, system = self.text.outline, self.system
        if tuple(map(identifier, system.parameters)) != outline.parameters or outline.parameters != system.parameters:
            raise UnexpectedText("the parameters are not those of the system")
        subject = RankSubject(
            text=self.text, checked=self.checked, system=system, claims=self.claims, places=self.places
        )
        names = {variable.name for variable in subject.computed}
        if not subject.combined <= names or not has_own_names(subject):
            raise UnexpectedText("a name of the program is one of the proof")
        if not subject.has_known_places():
            raise UnexpectedText("the place of a variable is no affine function of its indices")
        if len(system.equations) != len(subject.computed):
            raise UnexpectedText("a use equation computes several variables")
        subject.check_types()
        subject.check_messages()
        if not subject.has_valid_parameters() or not self._has_sizes_of_arrays():
            raise UnexpectedText("valid parameters are refused")
        if not subject.has_all_places():
            raise UnexpectedText("some values have places that no rank owns")
        checked = rank_equations(subject)
        extended = checked.program.system(system.name)
        text, claims, places = RankFunction(subject, extended).text()
        wholes = {f"whole_{identifier(v.name)}": v.name for v in (*extended.inputs, *extended.outputs)}
        rank = RankModel(
            checked=checked,
            system=system.name,
            function=f"{outline.name}_rank",
            text=text,
            claims=claims,
            context=subject.context(extended.parameters),
            names=wholes,
            places=places,
        )
        return [rank, *(self._operator(subject, one) for one in self.text.combined)]

    def _has_sizes_of_arrays(self) -> bool:
        """Returns True if the sizes that are refused are those of whole arrays."""
        names, wholes = parameter_values(self.system.parameters), dict[str, tuple[c.Expression, ...]]()
        for variable in (*self.system.inputs, *self.system.outputs):
            name = identifier(variable.name)
            wholes[name] = integers(stored_array(variable, name, self.system.context, names).extents_code)
        return all(extents == wholes.get(name) for name, extents in self.text.sized)

    def _operator(self, subject: RankSubject, one: CombinedText) -> RankModel:
        """Returns the model of the function that combines two elements."""
        variable = self.system.variable(one.array)
        operator, name = subject.reduction(variable).operator, f"{self.text.outline.name}_combines"
        is_function = operator in ("min", "max")
        term = f"{operator}(one[i], other[i])" if is_function else f"one[i] {operator} other[i]"
        type_ = variable.type.c_name
        equations = f"""\
affine combining {{N | N>0}}
input {type_} one {{i | 0<=i<N}}; {type_} other {{i | 0<=i<N}};
output {type_} both {{i | 0<=i<N}};
let both[i] = {term};
.
"""
        checked = read_program(Source("operator.ab", equations))
        pairs = zip(one.combining.parameters, _OPERANDS, strict=True)
        element = {parameter.name: c.Index(c.Name(x), c.Name("i")) for parameter, x in pairs}
        (returned,) = one.combining.body or ()
        assert isinstance(returned, c.Return)
        assert returned.value is not None
        assigned = c.Assign(c.Index(c.Name("both"), c.Name("i")), renamed(returned.value, element))
        loop = c.counted(c.INT64, "i", c.ZERO, c.Binary("<", c.Name("i"), c.Name("N")), c.Literal("1"), (assigned,))
        arrays = [c.Parameter(c.pointer(variable.type, const=True), name) for name in _OPERANDS]
        arrays.append(c.Parameter(c.pointer(variable.type), "both"))
        function = c.Function(c.VOID, name, (c.Parameter(c.INT64, "N"), *arrays), (loop,))
        return RankModel(
            checked=checked,
            system="combining",
            function=name,
            text=f"{included(self.text)}\n{file_text(c.File((function,)))}",
            claims={},
            context=checked.program.system("combining").context,
            names={},
        )
