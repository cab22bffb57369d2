"""The language server: `alphaz.ide.features` answers requests of editors; proofs run in other processes."""
