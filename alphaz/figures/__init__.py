"""Figures: `trace/` (a mapping at small parameters as plain data), `drawing/` (SVG), `report/` (a page of HTML).

Entry points: `trace` in `trace/tracing.py`, `figure` in `drawing/figures.py`, `report_page` in `report/page.py`.
"""
