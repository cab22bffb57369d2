"""What follows from a program: domains, dependences, counts."""
