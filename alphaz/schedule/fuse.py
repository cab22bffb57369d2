"""Fusion: which statements share loops."""

from enum import StrEnum


class Fuse(StrEnum):
    """Which statements share loops: those of one strongly connected component only; those that gain by it; all."""

    NO = "no"
    SMART = "smart"
    MAX = "max"
