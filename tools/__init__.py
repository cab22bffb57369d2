"""Programs for developers of alphaz: fuzzers, mutation, acceptance, measurements. `scripts/` has a command for most."""
