"""C, and what is said in it the same way everywhere: index arithmetic, expressions, arrays, names, loops."""
