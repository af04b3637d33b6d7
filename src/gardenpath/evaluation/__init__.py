"""Scores of parsed text against gold, each with its conditions.

`evaluate` gives the metrics of the CoNLL 2018 shared task, equal to the official scorer; `Evaluation.attachment` the attachment scores of parsing
research. `compare` says whether and where two systems differ, `compare_runs` the same of scores at hand.
"""

from __future__ import annotations

from gardenpath.evaluation.attachment import Attachment
from gardenpath.evaluation.bootstrap import bootstrap_interval
from gardenpath.evaluation.breakdown import ArcScore
from gardenpath.evaluation.comparison import Comparison
from gardenpath.evaluation.result import Evaluation
from gardenpath.evaluation.run import compare, evaluate
from gardenpath.evaluation.scores import METRICS, Score
from gardenpath.evaluation.significance import Contrast, compare_runs, holm
from gardenpath.evaluation.wilcoxon import wilcoxon

__all__ = [
    "METRICS", "ArcScore", "Attachment", "Comparison", "Contrast", "Evaluation", "Score",
    "bootstrap_interval", "compare", "compare_runs", "evaluate", "holm", "wilcoxon",
]
