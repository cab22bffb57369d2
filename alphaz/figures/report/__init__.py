"""The report of a verification as one page of HTML."""
