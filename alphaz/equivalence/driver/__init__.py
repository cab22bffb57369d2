"""Drivers of the C prover: preprocess and read C, prove it, execute it under sanitizers, report findings.

Entry points: `driver.proof.prove_c` (`alphaz prove`), `driver.generated_code` (proof of generated C),
`driver.equations_from_c` (`alphaz from-c`).
"""
