"""Scheduled C, from a proved mapping to text.

`loop_levels` names the loops, `statements` says what they execute and `memory` where the values are. The scan makes the
tree of loops (`alphaz.loops`), the passes of `pipeline` rewrite it, and `emit` writes it in C; `scheduled_c` leads
through all of it.
"""
