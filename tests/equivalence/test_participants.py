"""Participants: their conditions, as the text has them, are those of their domains."""

from dataclasses import replace

from alphaz.analysis.read import read_program
from alphaz.diagnostics import Source
from alphaz.equivalence.claims import Claims
from alphaz.equivalence.driver.prove_c import prove_c
from alphaz.equivalence.driver.task import ProofTask
from alphaz.equivalence.participant import Participant, participant
from alphaz.equivalence.proof_context import ProofContext
from alphaz.poly import Affine, Domain, Formula, Space, less

PROGRAM = """affine s {N | N>=4}
input long A {i | 0<=i<N};
output long z {i | 0<=i<N};
let z[i] = case {| i<2} : A[0]; {| i>=2} : A[i]; esac;
."""
KERNEL = """void s(long N, const long A[N], long z[N]) {
    for (long i = 0; i < N; i++) {
        if (i < 3 || i > 5) { z[i] = i < 2 ? A[0] : A[i]; } else { z[i] = A[i]; }
    }
}"""


def proof_context() -> ProofContext:
    proof = prove_c(read_program(Source("s.ab", PROGRAM)), Source("s.c", KERNEL), ProofTask(executes=False)).proof
    assert proof is not None
    assert proof.is_proved
    return proof.proof_context


def but_seven(space: Space) -> Domain:
    i = Affine.name("i")
    return Domain.where(space, [less(i, Affine(constant=7))], [less(Affine(constant=7), i)])


def meant(who: Participant) -> Domain:
    return Formula(who.domain.space, (), who.parts).domain()


def test_conditions_are_those_of_the_domain() -> None:
    for statement in proof_context().kernel.statements:
        who = participant("w", statement)
        assert meant(who).equals(who.domain)


def test_conditions_are_not_multiplied() -> None:
    statement = next(each for each in proof_context().kernel.statements if each.domain.piece_count > 1)
    assert sum(map(len, participant("w", statement).parts)) == statement.domain.piece_count + 1


def test_some_instances_are_not_all() -> None:
    for statement in proof_context().kernel.statements:
        part = statement.domain & but_seven(statement.space)
        for who in (participant("w", statement, part), participant("w", statement).within(part)):
            assert meant(who).renamed(statement.iterators).equals(part)


def test_claims_in_fewer_pieces_are_of_the_same_instances() -> None:
    for value in proof_context().claims.values:
        every = value.statement.domain
        part = every & but_seven(every.space)
        (some, all_) = Claims([replace(value, domain=part), replace(value, domain=every & every)], []).plain().values
        assert some.domain.equals(part)
        assert all_.domain is every


def test_what_is_read_in_part_is_read_by_part() -> None:
    about = proof_context()
    where = about.values["z"].domain
    found = about.origins.read("z", tuple(map(Affine.name, where.space.names)), where)
    assert len(found) > 1
    assert not any(part.equals(where) for part, _, _ in found)
