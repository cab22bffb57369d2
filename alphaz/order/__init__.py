"""Operations, and their order under a mapping."""
