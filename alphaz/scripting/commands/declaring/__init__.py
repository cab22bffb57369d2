"""How commands are declared and called."""
