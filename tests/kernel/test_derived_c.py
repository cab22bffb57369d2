"""The sets about C that the kernel derives are the stated ones, in proofs and refutations; its order is that of the
verifier; and what is changed in an inventory is noticed."""

import json
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from itertools import product
from random import Random
from typing import Any

import pytest

from alphaz.cli.certificate_documents import c_certificate_text
from alphaz.diagnostics import Source
from alphaz.equivalence.certificate_record import order_of
from alphaz.equivalence.claim_inference import Laws
from alphaz.equivalence.driver.prove_c import CVerdict
from alphaz.kernel.c_order import OrderedWays, ways_of
from alphaz.kernel.c_sets import derived_of_c
from alphaz.kernel.cases import conjunctions
from alphaz.kernel.checker import NotConfirmed, check, goal_of
from alphaz.order.happens_before import OrderCase
from alphaz.proof.certificate_formulas import formula_of
from alphaz.proof.refute.search import NotRefuted, proof_of
from tests.cases.proofs import DOCUMENTS, Proof, proofs_of, verdict_of
from tests.cases.proofs import proof_of as case_of
from tests.equivalence.asking import asked, foreign, peer, verdict
from tests.kernel.derived_sets import differences_of_c, read
from tests.kernel.small_sets import Json, at_least, case, total
from tests.order.regions import Region
from tests.thinning import thinned

pytestmark = pytest.mark.slow

# --- the order --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [1, *thinned(range(2, 12), 20)])
def test_the_order_is_that_of_the_verifier(seed: int) -> None:
    """In random texts with a parallel region, at random values of all iterators."""
    random, orders = Random(seed), set()
    for _ in range(12):
        region = Region.drawn(random)
        loops = [{"iterator": loop.iterator, "step": loop.step, "order": str(loop.kind)} for loop in region.loops]
        order = order_of(region.places, {id(loop): number for number, loop in enumerate(region.loops)})
        ways = ways_of(_json(order))
        names = [loop.iterator for loop in region.loops]
        sides = [{name: ({f"{name}.{role}": 1}, 0) for name in names} for role in "xy"]
        for one, other in product(ways, ways):
            cases = OrderedWays(loops, (ways[one], ways[other]), (sides[0], sides[1])).cases()
            for _ in range(4):
                values = {f"{name}.{role}": random.randrange(2) for name in names for role in "xy"}
                (own,) = [pair.order for pair in cases if all(_holds(row, values) for row in pair.rows)]
                assert own == _verdict(region.cases(one, other), values), (region, one, other, values)
                orders.add(own)
    assert orders == {"before", "after", "unordered", "same"}


def _json(order: Any) -> Json:
    return {"kind": order.kind, "numbers": [*order.numbers], "children": [*map(_json, order.children)]}


def _holds(row: Json, values: Mapping[str, int]) -> bool:
    result: int = sum(factor * values[name] for name, factor in row["sum"]["terms"].items()) + row["sum"]["constant"]
    return result == 0 if row["equal"] else result >= 0


def _verdict(cases: tuple[OrderCase, ...], values: Mapping[str, int]) -> str:
    (verdict_,) = [case.verdict.value for case in cases if all(row.holds(values) for row in case.where)]
    return verdict_


# --- the sets ---------------------------------------------------------------------------------------------------------

# The order of the kernel has no barriers of other iterations: it derives larger sets for this case, and confirms none.
OTHER_ITERATIONS = "two vectors by turns, and one barrier"
CASES = [
    (path.stem, proof)
    for path in DOCUMENTS
    for proof in proofs_of(path.read_text(encoding="utf-8"))
    if proof.name != OTHER_ITERATIONS
]
OF_GPU = case_of("cuda", "a vector in shared memory, used under a guard")


@pytest.mark.parametrize(("name", "proof"), thinned(CASES, 150), ids=lambda value: str(getattr(value, "name", value)))
def test_derived_sets_are_the_stated_ones(name: str, proof: Proof) -> None:
    """Kernels of warps and of several streams have no certificate."""
    (program,) = json.loads(c_certificate_text([verdict_of(proof)], [Source(name, "")]))["programs"]
    assert list(differences_of_c(program)) == []


@pytest.mark.parametrize(
    "find",
    [
        lambda: verdict("lu", peer("lu").replace("j < i", "j <= i", 1)),
        lambda: verdict("atax", peer("atax"), laws=Laws(is_exact=True)),
        lambda: verdict("gesummv", foreign("gesummv--region")),
        lambda: verdict_of(OF_GPU),
    ],
)
def test_derived_sets_of_wrong_and_of_parallel_texts(find: Callable[[], Any]) -> None:
    assert list(differences_of_c(program_of(find()))) == []


def program_of(answer: CVerdict) -> Json:
    """Returns the record of a proof in its certificate."""
    program: Json
    (program,) = json.loads(c_certificate_text([answer], [Source("k.ab", "")]))["programs"]
    assert program["inventory"] is not None
    return program


# --- changed inventories ----------------------------------------------------------------------------------------------

THREADS = """void s(long N, const double A[N], double B[N], double C[N])
{
  #pragma omp parallel
  {
    #pragma omp for nowait
    for (long i = 0; i < N; i++) B[i] = A[i];
    #pragma omp barrier
    #pragma omp single nowait
    C[0] = B[N - 1];
    #pragma omp for
    for (long i = 1; i < N; i++) C[i] = B[N - 1 - i];
  }
}
"""
EQUATIONS = """affine s {N | N>=2}
input
 double A {i | 0<=i<N};
output
 double B {i | 0<=i<N};
 double C {i | 0<=i<N};
let
 B[i] = A[i];
 C[i] = A[N-1-i];
.
"""
TEXTS: dict[str, Callable[[], CVerdict]] = {
    "threads": lambda: asked(EQUATIONS, THREADS),
    "collected": lambda: verdict("bicg", foreign("bicg--collected")),
    "lu": lambda: verdict("lu", peer("lu")),
    "atax": lambda: verdict("atax", peer("atax"), laws=Laws(is_exact=True)),
    "gpu": lambda: verdict_of(OF_GPU),
}


@cache
def text_of(name: str) -> str:
    return json.dumps(program_of(TEXTS[name]()))


def not_derived(program: Json) -> set[str]:
    """The kinds of obligations of which a derived set has no proof, or is refused."""
    return {entry["key"]["kind"] for entry in program["obligations"] if not _is_derived(program, entry["key"])}


def _is_derived(program: Json, key: Json) -> bool:
    try:
        goal = goal_of(*derived_of_c(program["inventory"], key))
        check(goal, proof_of(goal, 2_000))
    except (NotRefuted, NotConfirmed):
        return False
    return True


def nodes(order: Json, kind: str) -> Iterator[Json]:
    if order["kind"] == kind:
        yield order
    for child in order["children"]:
        yield from nodes(child, kind)


def first(inventory: Json, kind: str) -> Json:
    return next(nodes(inventory["order"], kind))


def no_barriers(inventory: Json) -> None:
    for block in nodes(inventory["order"], "sequence"):
        block["children"] = [child for child in block["children"] if child["kind"] != "barrier"]


def loops(order: str, *numbers: int) -> Callable[[Json], None]:
    def change(inventory: Json) -> None:
        for number, loop in enumerate(inventory["loops"]):
            if number in numbers or not numbers:
                loop["order"] = order

    return change


def all_of(name: str, key: str, value: Callable[[Any], Any]) -> Callable[[Json], None]:
    def change(inventory: Json) -> None:
        for entry in inventory[name]:
            entry[key] = value(entry[key])

    return change


def reversed_blocks(inventory: Json) -> None:
    for block in nodes(inventory["order"], "sequence"):
        block["children"].reverse()


CHOSEN = """void s(long N, const double A[N], double B[N])
{
  for (long i = 0; i < N; i++)
    if (i < 3 || i > 5) B[i] = A[i];
    else B[i] = 0;
}
"""
BY_CASES = """affine s {N | N>=2}
input
 double A {i | 0<=i<N};
output
 double B {i | 0<=i<N};
let
 B[i] = case {| i<3}: A[i]; {| 3<=i<=5}: 0; {| i>5}: A[i]; esac;
.
"""


def states(inventory: Json, obligations: list[Json]) -> Iterator[tuple[Json, Any]]:
    for entry in obligations:
        yield entry, formula_of(read(*derived_of_c(inventory, entry["key"]))).domain()


@pytest.mark.parametrize("split", [False, True])
def test_parts_of_domains_are_a_conjunction(split: bool) -> None:
    """One part with all cases states the same sets as several parts, also where a claim is about fewer instances."""
    program = program_of(asked(BY_CASES, CHOSEN))
    assert program["verdict"] == "proved"
    inventory, one_part = program["inventory"], json.loads(json.dumps(program["inventory"]))
    if split:
        inventory["claims"][0]["domain"].append([case(at_least(-1, i=1)), case(at_least(-2, i=-1))])
        one_part["claims"][0]["domain"].append([case(at_least(-1, i=1)), case(at_least(-2, i=-1))])
    entries = [entry for name in ("statements", "claims", "readers") for entry in one_part[name]]
    assert any(len(entry["domain"]) > 1 for entry in entries)
    for entry in entries:
        entry["domain"] = [conjunctions(*entry["domain"])]
    pairs = zip(states(inventory, program["obligations"]), states(one_part, program["obligations"]), strict=True)
    for (entry, ours), (_, theirs) in pairs:
        assert ours.equals(theirs), entry["key"]
    assert [entry["key"]["kind"] for entry in program["obligations"]].count("C4") > 0


CHANGES: list[tuple[str, Callable[[Json], None], set[str]]] = [
    ("threads", lambda _: None, set()),
    ("threads", no_barriers, {"C1", "C4"}),
    ("collected", lambda _: None, set()),
    ("collected", all_of("parts", "items", lambda items: [{**item, "domain": [case()]} for item in items]), {"R5"}),
    ("lu", lambda _: None, set()),
    ("lu", loops("parallel"), {"C1", "C4", "R3"}),
    ("lu", all_of("loops", "step", lambda _: -1), {"C1", "C4", "R3"}),
    ("lu", reversed_blocks, {"C1", "C4", "R2", "R3"}),
    ("lu", all_of("claims", "domain", lambda _: [[]]), {"C1"}),
    ("lu", all_of("claims", "shares", lambda _: []), {"R1"}),
    ("lu", all_of("inputs", "cell", lambda cell: cell[::-1]), {"C1"}),
    ("lu", all_of("inputs", "domain", lambda _: []), {"C1"}),
    ("lu", all_of("readers", "statement", lambda _: None), {"C4"}),
    ("atax", lambda _: None, set()),
    ("atax", all_of("loops", "step", lambda _: -1), {"R6"}),
    ("gpu", lambda _: None, set()),
    ("gpu", no_barriers, {"C1", "C6"}),
    ("gpu", all_of("barriers", "domain", lambda domain: domain[:0]), set()),
]


@pytest.mark.parametrize(("name", "change", "expected"), thinned(CHANGES, 3))
def test_a_changed_inventory(name: str, change: Callable[[Json], None], expected: set[str]) -> None:
    """At least the sets of these kinds are not derived any more."""
    program = json.loads(text_of(name))
    change(program["inventory"])
    wrong = not_derived(program)
    assert wrong >= expected
    assert bool(wrong) == bool(expected)


def twice(inventory: Json) -> None:
    first(inventory, "sequence")["children"] *= 2


MALFORMED: list[tuple[str, Callable[[Json], Any], str]] = [
    ("threads", twice, "has a statement twice"),
    ("threads", lambda i: first(i, "statement").update(numbers=[]), "the order lacks a statement"),
    ("threads", lambda i: first(i, "statement").update(kind="leaf"), "it is none of"),
    ("threads", lambda i: first(i, "loop").update(children=[]), "of another length"),
    ("threads", lambda i: first(i, "loop").update(numbers=[]), "no such entry, or several"),
    ("threads", lambda i: first(i, "team").update(numbers=[0]), "a team of no kind"),
    ("threads", lambda i: i["loops"][0].update(step=0), "a loop has no step"),
    ("threads", lambda i: i["loops"][0].update(iterator="x"), "nothing declares x"),
    ("lu", lambda i: i["readers"][1].update(cell=[total(), total()]), "reads another cell"),
    (
        "lu",
        lambda i: i["arrays"][1].update(writers=[0]) or i["statements"][0]["accesses"][0].update(array="A"),
        "writers",
    ),
    ("lu", lambda i: [sum_.update(items=[0]) for sum_ in i["sums"]], "the sum has no such item"),
    ("threads", lambda i: i["statements"][1]["accesses"][0].update(array="A"), "are to two arrays"),
    ("lu", lambda i: i.pop("readers"), "lacks 'readers'"),
]


@pytest.mark.parametrize(("name", "change", "reason"), MALFORMED)
def test_a_malformed_inventory_is_refused(name: str, change: Callable[[Json], Any], reason: str) -> None:
    program = json.loads(text_of(name))
    change(program["inventory"])
    assert any(reason in text for text in refusals(program)), refusals(program)


def test_a_lock_around_the_same_loop() -> None:
    """The two instances of `s[j] += mine[j]` part in the team, inside of which each takes the lock."""
    program = json.loads(text_of("collected"))
    (*_, number) = [at for at, s in enumerate(program["inventory"]["statements"]) if s["lock"] is not None]
    families = {"one": number, "access": 0, "other": number, "other access": 0}
    key = {"kind": "C6", "read": None, "families": families, "tiled": False, "sized": False}
    statement = program["inventory"]["statements"][number]
    assert _is_derived(program, key)
    for change in {"lock": None}, {"lock": {**statement["lock"], "depth": 0}}:
        changed = {**statement, **change}
        assert not _is_derived({"inventory": _with_statement(program, number, changed)}, key)
    (written, read, *others) = statement["accesses"]
    assert written == read
    elsewhere = {**read, "subscripts": [total(1, j_2=1)]}
    of_a_read = {**key, "families": {**families, "other access": 1}}
    assert _is_derived(program, of_a_read)
    changed = {**statement, "accesses": [written, elsewhere, *others]}
    assert not _is_derived({"inventory": _with_statement(program, number, changed)}, of_a_read)


def _with_statement(program: Json, number: int, statement: Json) -> Json:
    statements = program["inventory"]["statements"]
    return {**program["inventory"], "statements": [*statements[:number], statement, *statements[number + 1 :]]}


def refusals(program: Json) -> list[str]:
    """The reasons why derived sets are refused."""
    reasons = []
    for entry in program["obligations"]:
        try:
            derived_of_c(program["inventory"], entry["key"])
        except NotConfirmed as reason:
            reasons.append(str(reason))
    return reasons
