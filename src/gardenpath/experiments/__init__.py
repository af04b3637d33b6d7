"""Experiments: grids of treebanks, systems, oracles, models and seeds, their records, and the report."""

from gardenpath.experiments.experiment import Progress, missing, run_experiment
from gardenpath.experiments.grid import read_plan
from gardenpath.experiments.plan import Plan
from gardenpath.experiments.results import Results, read_results

__all__ = ["Plan", "Progress", "Results", "missing", "read_plan", "read_results", "run_experiment"]
