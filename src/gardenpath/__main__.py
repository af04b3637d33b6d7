"""`python -m gardenpath`: the command line."""

from gardenpath.cli.main import main

if __name__ == "__main__":
    main()
