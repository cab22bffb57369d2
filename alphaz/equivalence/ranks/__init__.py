"""C for ranks of MPI against equations: protocol, messages, one rank as a C function (docs/distributed.md).

The text is read by `rank_text_reader.py` against the protocol; its messages are sets in `rank_messages.py`; one rank is
made equations in `rank_equations.py`, and a function in `rank_function.py`.

Entry points, for `driver/rank_proof.py`: `read_rank_text` in `rank_text_reader.py`, `RankModeller` in `rank_model.py`.
"""
