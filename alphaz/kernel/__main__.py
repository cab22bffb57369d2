"""`python -m alphaz.kernel c.json c.proofs.json`."""

import sys

from .certificate_check import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
