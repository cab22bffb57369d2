"""C from checked programs (demand-driven) and from verified mappings (scheduled): pure functions to `Sources`."""
