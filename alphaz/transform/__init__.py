"""Program transformations: each checks its conditions first, and preserves the meaning of the program."""
