"""`gardenpath systems`: the transition systems and their definitions."""

from __future__ import annotations

from typing import Annotated

import typer

from gardenpath import oracles, systems


def command(name: Annotated[str | None, typer.Argument(help="A system; all are listed if none is given.", metavar="SYSTEM")] = None) -> None:
    """List the transition systems, or show one as its paper defines it.

    Example: gardenpath systems arc-eager-unshift
    """
    if name is None:
        for each in systems.names():
            print(f"{each:20}{systems.get(each).definition.splitlines()[0]}")
        return
    print(systems.get(name).definition)
    print(f"\nOracles: {', '.join(kind for kind in oracles.kinds(name) if kind != 'exact')}; and exact, a search, not for training.")
