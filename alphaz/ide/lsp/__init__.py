"""The language server: requests of editors, answered by `alphaz.ide.features`; proofs run in other processes."""
