"""Treebanks: checks before training, and statistics. Downloads are in `gardenpath.treebank.fetch`."""

from gardenpath.formats.treebank import read_treebank
from gardenpath.treebank.checking import Report, check
from gardenpath.treebank.statistics import Statistics, describe, together

__all__ = ["Report", "Statistics", "check", "describe", "read_treebank", "together"]
