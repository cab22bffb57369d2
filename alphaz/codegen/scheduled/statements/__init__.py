"""What the loops execute: the statements of a mapping, which of them may run at once, and their expressions in C."""
