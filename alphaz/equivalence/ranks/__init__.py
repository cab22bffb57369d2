"""C for ranks of MPI against equations: protocol, messages, one rank as a C function (docs/distributed.md).

Entry points: `read_rank_text` in `rank_text.py`, `RankModeller` in `rank_model.py`; `driver/rank_proof.py` uses them.
"""
