"""C for ranks of MPI against equations: protocol, messages, one rank as a C function (docs/distributed.md).

Entry points, for `driver/rank_proof.py`: `read_rank_text` in `rank_text_reader.py`, `RankModeller` in `rank_model.py`.
"""
