"""Support for editing: `features/` (names, completion, findings), `lsp/` (language server), `console/` (REPL).

Entry points: `ide.features.workspace.Workspace`, `ide.lsp.serve.serve`, `ide.console.console.Console`."""
