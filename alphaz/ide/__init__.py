"""Support for editing: `features/` (names, completion, findings), `lsp/` (language server), `console/` (REPL).

Entry points: `Workspace` in `features/workspace.py`, `serve` in `lsp/serve.py`, `Console` in `console/console.py`.
"""
