"""The language server: what editors ask, answered by `alphaz.editor`; proofs are found in processes of their own."""
