"""Search for mappings: `schedule/` (dates), `memory/` (memory maps), `cost/` (estimated time). All are verified.

Entry points: `propose` in `schedule/propose.py`, `propose` in `memory/proposal.py`, `estimate` in `cost/estimate.py`.
"""
