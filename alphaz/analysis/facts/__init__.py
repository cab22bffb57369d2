"""Facts derived from a program: domains, dependences, counts."""
