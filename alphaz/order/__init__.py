"""Operations of a mapping (statement instances, merges, calls) and their order.

Entry points: `operations` in `operation_table.py`, `Order` in `precedence.py`.
"""
