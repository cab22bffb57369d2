"""Target mappings, as stated (`target`), attached to a program (`design`), and resolved (`statements`)."""
