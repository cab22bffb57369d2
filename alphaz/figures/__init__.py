"""Figures: `trace/` (a mapping at small parameters as plain data), `drawing/` (SVG), `report/` (a page of HTML).

Entry points: `figures.trace.tracing.trace`, `figures.drawing.figures.figure`, `figures.report.page.report_page`."""
