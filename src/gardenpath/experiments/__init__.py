"""Experiments: grids of treebanks, systems, oracles, models and seeds, their runs and their results."""

import warnings
from typing import Any

from gardenpath.experiments.experiment import Progress, missing, run_experiment
from gardenpath.experiments.grid import read_plan
from gardenpath.experiments.plan import ExperimentPlan
from gardenpath.experiments.results import Results, read_results

__all__ = ["ExperimentPlan", "Progress", "Results", "missing", "read_plan", "read_results", "run_experiment"]


def __getattr__(name: str) -> Any:
    if name == "Plan":
        message = "gardenpath.experiments.Plan is now called ExperimentPlan; the old name will be removed"
        warnings.warn(message, DeprecationWarning, stacklevel=2)
        return ExperimentPlan
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
