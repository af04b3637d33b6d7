"""Evaluation of parsed text against gold.

`evaluate` computes the metrics of the CoNLL 2018 shared task, identical to the official scorer, and the attachment
scores of parsing research (`Evaluation.attachment`). `compare` tests whether two systems differ and shows where;
`compare_runs` tests attachment scores that are already computed. `diff` measures the agreement of two annotators. Every
result states its conditions.
"""

from __future__ import annotations

from gardenpath.evaluation.attachment import Attachment
from gardenpath.evaluation.bootstrap import bootstrap_interval
from gardenpath.evaluation.breakdown import ArcScore
from gardenpath.evaluation.comparison import Comparison
from gardenpath.evaluation.difference import Difference
from gardenpath.evaluation.kappa import Kappa, cohen
from gardenpath.evaluation.result import Evaluation
from gardenpath.evaluation.run import compare, diff, diff_all, evaluate
from gardenpath.evaluation.scores import METRICS, Score
from gardenpath.evaluation.significance import Contrast, compare_runs, holm
from gardenpath.evaluation.wilcoxon import wilcoxon

__all__ = [
    "METRICS", "ArcScore", "Attachment", "Comparison", "Contrast", "Difference", "Evaluation", "Kappa", "Score",
    "bootstrap_interval", "cohen", "compare", "compare_runs", "diff", "diff_all", "evaluate", "holm", "wilcoxon",
]
