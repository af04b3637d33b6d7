"""Treebanks: the look at one before training, and what is in them. Getting them is in `gardenpath.treebank.fetch`, for whoever wants the network."""

from gardenpath.treebank.checking import Report, check, read_treebank
from gardenpath.treebank.statistics import Statistics, describe, together

__all__ = ["Report", "Statistics", "check", "describe", "read_treebank", "together"]
