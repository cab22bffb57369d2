"""From the tree of loops after the last pass to C: instances, merges, packing, register tiles, vectors."""
