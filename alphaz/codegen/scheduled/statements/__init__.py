"""The statements that loops execute: their expressions in C, and the statements that may run at the same time."""
