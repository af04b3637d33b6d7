"""Small experiments on the sample treebank."""

from __future__ import annotations

from pathlib import Path

from gardenpath.experiments import ExperimentPlan, read_plan
from sample import SAMPLE

GRID = """
title = "A small grid"
treebanks = ["sample"]
seeds = [1, 2]

[settings]
tags = "gold"
epochs = 2
features = "zhang-nivre"

[[grid]]
system = ["arc-eager", "arc-eager-nml"]
oracle = ["static", "dynamic"]
"""


def written(folder: Path, text: str = GRID, name: str = "grid.toml") -> Path:
    """Write the text as a settings file."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def planned(folder: Path, text: str = GRID) -> ExperimentPlan:
    """Return the plan of a settings file."""
    return read_plan(written(folder, text), SAMPLE.parent)
