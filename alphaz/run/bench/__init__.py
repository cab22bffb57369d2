"""How fast: a kernel and its peers, run alternately."""
