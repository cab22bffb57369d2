"""Whether a C program computes what the equations say: families of obligations over what was read of its text."""
