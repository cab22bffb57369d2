"""Support for editing: `features/` (names, completion, findings), `lsp/` (language server), `console/` (REPL).

The way in: `ide.features.workspace.Workspace`, `ide.lsp.serve.serve`, `ide.console.console.Console`.
"""
