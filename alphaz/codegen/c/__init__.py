"""C code shared by all generators: index arithmetic, expressions, arrays, names, loops."""
