"""The command line: `gardenpath` and `python -m gardenpath`."""

import sys


def run() -> None:
    """Run the command line. Ctrl-C never gives a traceback, not even while modules are being imported."""
    try:
        from gardenpath.cli.main import main

        main()
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    run()
