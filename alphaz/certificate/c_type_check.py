"""The types in the record of a C function: they must follow from those of the cells by the conversion rules of C."""

from collections.abc import Iterator, Sequence

from alphaz.certificate.c_arithmetic import (
    ARITHMETIC,
    BOOL,
    CALL,
    CONVERSION,
    LOGICAL,
    OPERANDS,
    SUMMING,
    TRUTHS,
    CType,
    NoResult,
    holds,
    literal,
    operations_in,
    type_named,
)
from alphaz.certificate.c_inventory import CAccess, CClaim, CInventory, CTerm

# The conversion that rounds, and arithmetic, give other values in other types.
_TYPED = (*ARITHMETIC, "as float")
# Types that hold all indices.
_OF_INDICES = ("double", "long", "longlong")

Signatures = dict[str, tuple[str, int]]


def type_faults(inventory: CInventory) -> Iterator[str]:
    """Yields the types that do not fit each other."""
    cells = {array.name: array.type for array in inventory.arrays}
    unknown = [*(array.type for array in inventory.arrays), *(value.type for value in inventory.values)]
    unknown += [sum_.type for sum_ in inventory.sums]
    for name in dict.fromkeys(unknown):
        if type_named(name) is None:
            yield f"there is no type {name!r}"
            return
    additive = [(d.operator, value.type) for value in inventory.values for d in value.definitions if d.items]
    signatures: Signatures = {operator: (type_, 2) for operator, type_ in additive if operator.startswith(CALL)}
    for statement in inventory.statements:
        if statement.value is None:
            yield f"{statement.name} has no expression"
            continue
        stored = type_named(cells[statement.accesses[0].array])
        fault = _fault(statement.value, statement.accesses, cells, signatures)
        if not fault and not _is_held(stored, statement.value):
            fault = f"stores {_shown(statement.value)} in {cells[statement.accesses[0].array]}"
        if fault:
            yield f"{statement.name} {fault}"
    yield from _of_equations(inventory, signatures)
    yield from _of_cells(inventory, cells)


def _of_cells(inventory: CInventory, cells: dict[str, str]) -> Iterator[str]:
    types = {value.key: value.type for value in inventory.values}
    for held in (*inventory.inputs, *inventory.outputs):
        own = types.get(held.variable)
        if own is not None and cells.get(held.array) != own:
            yield f"{held.array} has type {cells.get(held.array)}, and {held.variable} has type {own}"
    operators = {value.key: {d.operator for d in value.definitions if d.operator} for value in inventory.values}
    for sum_ in inventory.sums:
        if {sum_.operator} != operators.get(sum_.key):
            yield f"{sum_.array} sums up {sum_.key} by `{sum_.operator}`, the equations do not"
        if not sum_.type == types.get(sum_.key) == cells.get(sum_.array):
            yield f"{sum_.array} sums up {sum_.key} in {cells.get(sum_.array)}, the equations in {types.get(sum_.key)}"


def _of_equations(inventory: CInventory, signatures: Signatures) -> Iterator[str]:
    types = {value.key: value.type for value in inventory.values}
    for value in inventory.values:
        own = type_named(value.type)
        operators = {definition.operator for definition in value.definitions if definition.items}
        for operator in sorted(operators):
            if operator not in SUMMING and not operator.startswith(CALL):
                yield f"the equation of {value.key} sums up by `{operator}`"
        for definition in value.definitions:
            terms = [(item.term, True) for item in definition.items]
            terms += [] if definition.term is None else [(definition.term, False)]
            for term, is_summed in terms:
                fault = _equation_fault(term, types, signatures)
                if not fault and own is not None and not _fits(own, term, types, is_widened=is_summed):
                    fault = f"gives {_shown(term)} as {value.type}"
                if fault:
                    yield f"the equation of {value.key} {fault}"


def _fault(term: CTerm, accesses: Sequence[CAccess], cells: dict[str, str], signatures: Signatures) -> str:
    """Returns the first type in an expression of C that does not follow from others; empty if there is none."""
    if not _has_form(term):
        return f"has a `{term.operator}` of another form"
    if type_named(term.type) is None:
        return f"computes `{term.operator}` in no type ({term.type!r})"
    match term.operator:
        case "read":
            if term.access is None or not 0 < term.access < len(accesses):
                return f"reads access {term.access}, which it does not have"
            cell = cells[accesses[term.access].array]
            return "" if term.type == cell else f"reads {accesses[term.access].array} as {term.type}, which is {cell}"
        case "number":
            return "" if _is_exact(term) else f"has a number {term.name} of type {term.type}, which does not hold it"
        case "index":
            return "" if len(term.at) == 1 and term.type != "float" else f"has an index of type {term.type}"
    inner = next(filter(None, (_fault(operand, accesses, cells, signatures) for operand in term.operands)), "")
    return inner or _operation_fault(term, signatures)


def _operation_fault(term: CTerm, signatures: Signatures) -> str:
    """Returns the fault in an operation on operands that have none."""
    fault = _shape_fault(term, signatures)
    if fault or term.operator.startswith((CALL, CONVERSION)):
        return fault
    type_ = type_named(term.type)
    for operand in term.operands[term.operator == "if" :]:
        if not _is_held(type_, operand):
            return f"computes `{term.operator}` of {_shown(operand)} in {term.type}"
    return ""


def _shape_fault(term: CTerm, signatures: Signatures) -> str:
    """Returns the fault in the number of operands or in the name of an operator."""
    if term.operator.startswith(CALL):
        own = term.type, len(term.operands)
        is_one = signatures.setdefault(term.operator, own) == own
        return "" if is_one else f"has a `{term.operator}` of another type than elsewhere"
    if term.operator.startswith(CONVERSION) or term.operator == "widened":
        is_one = len(term.operands) == 1 and term.operator in (f"{CONVERSION}{term.type}", "widened")
        return "" if is_one else f"has a conversion `{term.operator}` of type {term.type}"
    if OPERANDS.get(term.operator) != len(term.operands):
        return f"has an operator `{term.operator}` of {len(term.operands)} operands"
    if (term.operator in LOGICAL) > (term.type == "bool") or (term.operator in ARITHMETIC and term.type == "bool"):
        return f"computes `{term.operator}` in {term.type}"
    is_rest_of_float = term.operator == "%" and term.type in ("float", "double")
    return "computes `%` in a floating-point type" if is_rest_of_float else ""


def _has_form(term: CTerm) -> bool:
    """Returns True if an expression has those fields alone that belong to its operator."""
    leaf = {"read": (False, False, True), "number": (True, False, False), "index": (False, True, False)}
    fields = leaf.get(term.operator, (False, False, False))
    has = bool(term.name), bool(term.at), term.access is not None
    if term.operator == "value":
        return bool(term.name) and term.access is None and not (term.operands or term.type)
    return has == fields and bool(term.operands) == (term.operator not in leaf)


def _equation_fault(term: CTerm, types: dict[str, str], signatures: Signatures) -> str:
    if not _has_form(term):
        return f"has a `{term.operator}` of another form"
    if term.operator == "value":
        return "" if term.name in types else f"refers to {term.name}, which is not listed"
    if term.operator == "number":
        return "" if _is_exact(term) else f"has a number {term.name} of type {term.type}, which does not hold it"
    if type_named(term.type) is None or term.operator == "read":
        return f"computes `{term.operator}` in no type ({term.type!r})"
    if term.operator == "index":
        return "" if len(term.at) == 1 and term.type == "long" else f"has an index of type {term.type}"
    inner = next(filter(None, (_equation_fault(operand, types, signatures) for operand in term.operands)), "")
    return inner or _shape_fault(term, signatures) or _operand_fault(term, types)


def _operand_fault(term: CTerm, types: dict[str, str]) -> str:
    """Returns the fault in the types of the operands of the equations: integers are converted to the type of an integer
    operation where it does not hold them; a floating-point operation has that of an operand, and no wider one.
    """
    type_ = type_named(term.type)
    if type_ is None or term.operator.startswith((CALL, CONVERSION)):
        return ""
    operands = term.operands[term.operator == "if" :]
    wrong = next((operand for operand in operands if not _fits(type_, operand, types, is_widened=True)), None)
    if wrong is not None:
        return f"computes `{term.operator}` of {_shown(wrong)} in {term.type}"
    own = [_type_of(operand, types) for operand in operands]
    if type_.kind == "float" and not any(
        operand_type is not None and operand_type.kind == "float" for operand_type in own
    ):
        return f"computes `{term.operator}` of integers in {term.type}"
    return ""


def _is_exact(term: CTerm) -> bool:
    """Returns True if the type of a literal holds its number."""
    type_ = type_named(term.type)
    return type_ is not None and _is_number_of(term, type_)


def _is_number_of(term: CTerm, type_: CType) -> bool:
    if type_.kind == "float":
        # A decimal fraction of C is the nearest double, which a float cannot be asked to hold.
        try:
            return literal(term.name, type_) is not None
        except NoResult:
            return False
    if not term.name.removeprefix("-").isdecimal():
        return False
    low, high = (0, 1) if type_ == BOOL else type_.range
    return low <= int(term.name) <= high


def _is_held(target: CType | None, term: CTerm) -> bool:
    """Returns True if a type holds all values of an expression of C, which is then not converted to it."""
    own = _type_of(term, {})
    return target is not None and own is not None and holds(target, own)


def _fits(target: CType, term: CTerm, types: dict[str, str], *, is_widened: bool = False) -> bool:
    """Returns True if a value of the equations may have this definition: it has its type, or another that it holds.
    With `is_widened`, floating-point types may take all integers, as they do for the terms of a sum.
    """
    if term.operator == "index":
        return target.kind != "bool"
    own = _type_of(term, types)
    if own is None:
        return False
    if is_widened and target.kind == "float" and own.kind != "float":
        return True
    return _is_number_of(term, target) if term.operator == "number" and own.kind != "float" else holds(target, own)


def _type_of(term: CTerm, types: dict[str, str]) -> CType | None:
    """Returns the type of the values of an expression."""
    if term.operator in TRUTHS:
        return BOOL
    return type_named(types.get(term.name, "") if term.operator == "value" else term.type)


def _shown(term: CTerm) -> str:
    return f"`{term.operator}` of type {term.type}"


# --- the types of C and of the equations ------------------------------------------------------------------------------


def type_mistakes(inventory: CInventory) -> Iterator[str]:
    """Yields the values that are computed in a type other than that of the equations."""
    values = {value.key: value for value in inventory.values}
    for claim in inventory.claims:
        statement = inventory.statements[claim.statement]
        operations = [] if statement.value is None else operations_in(statement.value)
        of_equations = _operations_of(claim, inventory)
        types = {operation.type for operation in of_equations if operation.operator in _TYPED}
        if claim.role != "value" and claim.key in values:
            types.add(values[claim.key].type)
        for operation in operations if types else ():
            if operation.operator in _TYPED and operation.type not in types:
                computed = f"{statement.name} computes `{operation.operator}` in {operation.type}"
                yield f"{computed}, the equations compute {claim.key} in {' and '.join(sorted(types))}"


def _operations_of(claim: CClaim, inventory: CInventory) -> list[CTerm]:
    """Returns the operations of the equations that lead from the needs of a claim to the value, or to the shares."""
    values = {value.key: value for value in inventory.values}
    seen = {claim.key, *(need.key for need in claim.needs)}
    definitions = values[claim.key].definitions if claim.key in values else ()
    if claim.role == "value":
        waiting = [definition.term for definition in definitions if definition.term is not None]
    else:
        items = {share.item for share in claim.shares}
        waiting = [d.items[at].term for d in definitions for at in items if 0 <= at < len(d.items)]
    operations = []
    while waiting:
        term = waiting.pop()
        operations += operations_in(term)
        for name in names_in(term):
            if name not in seen and name in values:
                seen.add(name)
                waiting += [d.term for d in values[name].definitions if d.term is not None]
    return operations


def names_in(term: CTerm) -> Iterator[str]:
    """Yields the keys of the values of the equations in an expression."""
    if term.operator == "value":
        yield term.name
    for operand in term.operands:
        yield from names_in(operand)
