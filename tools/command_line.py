"""The command lines of the tools."""

import argparse


def parser(command: str, description: str, *examples: str) -> argparse.ArgumentParser:
    """A parser whose help has the command as it is typed (`scripts/fuzz-language`), what it does, and examples."""
    return argparse.ArgumentParser(
        prog=command,
        description=description,
        epilog="\n".join(("example:", *(f"  {example}" for example in examples))),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
