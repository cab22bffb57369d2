"""The studio: a page of this machine with an editor, verdicts and figures; all work on texts is done in processes."""
