"""Loops over the points of domains, tiled and in wavefronts; no C."""
