"""The storage of the values of a mapped system: cell(v, z) = (space of v, m_v(z) modulo the factors).

A space is an array over the bounding box of all its cells. It is the caller's own array where the two coincide: for an
input that is alone in its space, and for an output, or an input that may be overwritten, with the identity as its map
when no other variable of the space leaves its domain. Otherwise inputs are copied in first and outputs out last.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain

from alphaz.c import tree as c
from alphaz.codegen.c.arrays import FlatArray, array_over, stored_array
from alphaz.codegen.c.names import Identifiers, identifier
from alphaz.diagnostics import Diagnostic, Label, Rejected
from alphaz.diagnostics.rules import UNBOUNDED
from alphaz.mapping.factors import Factor
from alphaz.mapping.resolved_mapping import ResolvedMapping
from alphaz.mapping.spaces import callers_own, is_own, occupants, space_of_cells
from alphaz.mapping.statement import Cell
from alphaz.model.expression import Access
from alphaz.model.interpreter.evaluation_order import unneeded
from alphaz.model.program import Kind, System, Variable
from alphaz.poly import Affine, Domain, Unbounded
from alphaz.poly.algorithms.bounds import is_non_negative
from alphaz.poly.plain.integer_expression import Integer, IntegerConstant


@dataclass(frozen=True, slots=True)
class StoragePlace:
    """The storage of a variable: its array, and its cell in it (None: at its own point)."""

    array: FlatArray
    cell: Cell | None = None
    folds: tuple[tuple[Factor, bool], ...] = ()

    def element(self, point: Sequence[Affine], names: Mapping[str, Affine]) -> c.Expression:
        """Returns the element that holds the variable at a point over C identifiers; `names` are the parameters
        in C.
        """
        folds = [(m if isinstance(m, int) else m.substitute(names), negative) for m, negative in self.folds]
        return self.array.element(self._components(point, names), folds)

    def read(self, point: Sequence[Affine], names: Mapping[str, Affine], _access: Access) -> c.Expression:
        """Returns the value that an access at a point reads."""
        return self.element(point, names)

    @property
    def ghost(self) -> "StoragePlace | None":
        """Returns the storage of received copies, if they have one of their own."""
        return None

    @property
    def own(self) -> "StoragePlace":
        """Returns the storage without the arrays of received copies."""
        return self

    def is_chosen(self, _access: Access) -> bool:
        """Returns True if the cell that an access reads is known at run time alone."""
        return False

    def stride(self, point: Sequence[Affine], name: str) -> int | None:
        """Returns by how many elements the element at the point moves when the identifier grows by 1; None
        if unknown.
        """
        components = self._components(point, {})
        if not any(component.coefficient(name) for component in components):
            return 0
        folds = self.folds if self.array.layout is not None else self.folds[-1:]
        return None if any(modulus for modulus, _ in folds) else self.array.stride(components, name)

    def _components(self, point: Sequence[Affine], names: Mapping[str, Affine]) -> Sequence[Affine]:
        if self.cell is None:
            return point
        values = {**names, **dict(zip(self.cell.function.domain.names, point, strict=True))}
        return [o.substitute(values) for o in self.cell.function.outputs]


@dataclass(frozen=True, slots=True)
class Storage:
    """The arrays of a system. `places` has every variable; `callers` the arrays of inputs and outputs by variable, in
    the order of the system.

    `allocated` are the arrays to be made; `copied_in` and `copied_out` the variables that move between the two. The
    arrays of inputs that are `overwritten` also hold other variables. Of a pair `in_place` the caller may pass one
    array for both: an input that may be overwritten, and the output in whose array it begins. The arrays `private` are
    those of an iteration, by their spaces.
    """

    places: Mapping[str, StoragePlace]
    callers: Mapping[str, FlatArray]
    allocated: tuple[FlatArray, ...]
    copied_in: tuple[Variable, ...]
    copied_out: tuple[Variable, ...]
    overwritten: tuple[Variable, ...] = ()
    in_place: tuple[tuple[Variable, Variable], ...] = ()
    private: Mapping[str, FlatArray] = field(default_factory=dict)

    @property
    def arrays(self) -> tuple[FlatArray, ...]:
        return (*self.callers.values(), *self.allocated)

    @property
    def limit(self) -> int:
        """Returns the limit on parameters for storage formats; 0: there is none."""
        limits = [array.layout.limit for array in self.arrays if array.layout is not None]
        return min((limit for limit in limits if limit), default=0)

    @property
    def constants(self) -> tuple[c.Declare, ...]:
        return tuple(chain.from_iterable(array.constants for array in self.arrays))


def storage_of(mapping: ResolvedMapping, names: Identifiers, parameters: Mapping[str, Affine]) -> Storage:
    """Returns the arrays of a mapped system. Raises Rejected (AZ307) when one is not bounded."""
    system, gone = mapping.system, unneeded(mapping.system)
    spaces = {
        space: remaining
        for space, together in occupants(system, mapping.cells).items()
        if (remaining := [variable for variable in together if variable.name not in gone])
    }
    owners = {
        space: callers_own(system, mapping.cells, together, mapping.overwritable) for space, together in spaces.items()
    }
    lent = {owner.name for space, owner in owners.items() if owner is not None and len(spaces[space]) > 1}
    callers = {
        v.name: stored_array(
            v,
            identifier(v.name),
            system.context,
            parameters,
            is_constant=v.kind is Kind.INPUT and v.name not in lent,
            layout=mapping.layouts.get(v.name),
        )
        for v in (*system.inputs, *system.outputs)
    }
    pairs = tuple(
        (variable, owner)
        for space, owner in owners.items()
        for variable in spaces[space]
        if owner is not None and _is_in_place(mapping, variable, owner, callers)
    )
    for variable in (variable for pair in pairs for variable in pair):
        callers[variable.name] = replace(callers[variable.name], is_alone=False)
    places: dict[str, StoragePlace] = {}
    allocated: list[FlatArray] = []
    private: dict[str, FlatArray] = {}
    for space, together in spaces.items():
        owner = owners[space]
        if owner is not None:
            array = callers[owner.name]
        elif mapping.cells[together[0].name].outer:
            array = private[space] = _private_array(mapping, space, together, names)
        else:
            array = _space_array(mapping, space, together, names, parameters)
            allocated.append(array)
        for variable in together:
            places[variable.name] = placed(mapping.cells[variable.name].within, variable, array, system.context)
    moved_in = tuple(v for v in system.inputs if places[v.name].array is not callers[v.name])
    moved_out = tuple(v for v in system.outputs if places[v.name].array is not callers[v.name])
    return Storage(
        places=places,
        callers=callers,
        allocated=tuple(allocated),
        copied_in=moved_in,
        copied_out=moved_out,
        overwritten=tuple(v for v in system.inputs if v.name in lent),
        in_place=pairs,
        private=private,
    )


def _is_in_place(
    mapping: ResolvedMapping, variable: Variable, owner: Variable, callers: Mapping[str, FlatArray]
) -> bool:
    """Returns True if the input begins in the array of the output, each point where it is in its own array: copying it
    there changes nothing if the two are one.
    """
    if owner.kind is not Kind.OUTPUT or variable.name not in mapping.overwritable:
        return False
    return is_own(mapping.cells[variable.name]) and callers[variable.name].is_laid_out_as(callers[owner.name])


def _space_array(
    mapping: ResolvedMapping,
    space: str,
    together: Sequence[Variable],
    names: Identifiers,
    parameters: Mapping[str, Affine],
) -> FlatArray:
    name = names.new(identifier(space) if not _is_caller(mapping.system, space) else f"{identifier(space)}_space")
    owner = next((v for v in together if v.kind is Kind.LOCAL and v.name in mapping.layouts), None)
    if owner is not None:
        layout = mapping.layouts[owner.name]
        return stored_array(owner, name, mapping.system.context, parameters, layout=layout)
    whole, moduli = space_of_cells(mapping.system, mapping.cells, together)
    try:
        return array_over(name, together[0].type, whole, mapping.system.context, parameters, moduli)
    except Unbounded:
        message = f"the memory space {space} has infinitely many cells"
        raise Rejected(Diagnostic(UNBOUNDED, message, Label(mapping.cells[together[0].name].span))) from None


def _private_array(mapping: ResolvedMapping, space: str, together: Sequence[Variable], names: Identifiers) -> FlatArray:
    """Returns the array of one iteration. Raises Rejected (AZ307) where its size is not a number."""
    cells = {variable.name: mapping.cells[variable.name].within for variable in together}
    whole, moduli = space_of_cells(mapping.system, cells, together)
    lower, extents = list[Integer](), list[Integer]()
    for name, modulus in zip(whole.space.names, moduli, strict=True):
        low, high = whole.least(name), whole.greatest(name)
        if isinstance(modulus, int) and modulus:
            low, high = 0, modulus - 1
        if low is None or high is None:
            message = f"the private memory {space} has no constant number of cells"
            help_ = "let each component of the memory map count from the beginning of a tile, as in `i-16b`"
            raise Rejected(Diagnostic(UNBOUNDED, message, Label(mapping.cells[together[0].name].span), help=help_))
        lower.append(IntegerConstant(low))
        extents.append(IntegerConstant(high - low + 1))
    array = names.new(identifier(space))
    return FlatArray(name=array, type=together[0].type, lower=tuple(lower), extents=tuple(extents))


def _is_caller(system: System, space: str) -> bool:
    return any(v.name == space for v in (*system.inputs, *system.outputs))


def placed(cell: Cell, variable: Variable, array: FlatArray, context: Domain) -> StoragePlace:
    """Returns the place of a variable, with this cell, in the array of its space."""
    if array.is_constant or is_own(cell):
        return StoragePlace(array)
    domain = variable.domain.in_context(context)
    values = dict(zip(cell.function.domain.names, (Affine.name(n) for n in domain.space.names), strict=True))
    outputs = [o.substitute(values) for o in cell.function.outputs]
    folds = tuple((m, m != 0 and not is_non_negative(o, domain)) for o, m in zip(outputs, cell.moduli, strict=True))
    return StoragePlace(array, cell, folds)
