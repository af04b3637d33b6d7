"""`gardenpath systems`: the transition systems and their definitions."""

from __future__ import annotations

from typing import Annotated

import typer

from gardenpath import oracles, systems


def command(
    name: Annotated[
        str | None, typer.Argument(help="The name of a system; without it all are listed.", metavar="SYSTEM"),
    ] = None,
) -> None:
    """List the transition systems, or show one as its paper defines it.

    Example: gardenpath systems; gardenpath systems NAME
    """
    if name is None:
        for each in systems.names():
            print(f"{each:20}{systems.get(each).definition.splitlines()[0]}")
        return
    print(systems.get(name).definition)
    kinds = ", ".join(kind for kind in oracles.kinds(name) if kind != "exact")
    print(f"\nOracles: {f'{kinds}; and ' if kinds else ''}exact, a search, not for training.")
