"""Programs as values: systems, variables, equations, expressions."""
