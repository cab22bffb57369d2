"""`python -m alphaz`: the command line."""

from alphaz.cli.main import main

if __name__ == "__main__":
    main()
