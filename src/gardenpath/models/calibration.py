"""Fitting of calibrations: logistic regression on sentences with gold trees, and its calibration error.

The form of the probabilities is in `core.calibration`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gardenpath.core.calibration import MARGIN_NAMES, TARGET_NAMES, features
from gardenpath.core.draft import Draft
from gardenpath.errors import UsageError
from gardenpath.formats.document import Sentence, Word
from gardenpath.pipeline.writer import Writer

if TYPE_CHECKING:
    from gardenpath.parsing.parser import Parser
    from gardenpath.pipeline.steps import TaggerStep

Floats = NDArray[np.float64]

MIN_SENTENCES = 20
FOLDS = 5                # of the cross-fitted calibration error
BINS = 10                # of the calibration error, with the same number of words in each
SCALE = 8.0              # the scale of a margin, in medians
RIDGE = 1e-3             # keeps the regression solvable if features are constant
ITERATIONS = 100
DIGITS = 6               # significant digits of stored numbers
INFINITY = float("inf")
Row = tuple[float, ...]


class Evidence(NamedTuple):
    """The margins of words and whether their annotations are right."""

    rows: list[Row]                      # margins, focus margin of the head, distance: see `core.calibration`
    right: dict[str, list[bool]]         # by target; without tags if they were given
    sentences: list[int]                 # by word: the number of its sentence


def calibrate(parser: Parser, tagger: TaggerStep | None, gold: Sequence[Sentence]) -> dict[str, Any]:
    """Fit a calibration on sentences with gold tags and trees, and return its record.

    The words are those of the sentences. The tags are predicted if there is a tagger. The calibration error (`ece`) is
    the expected calibration error with ten bins, from probabilities of models that were fitted on other sentences.
    """
    if len(gold) < MIN_SENTENCES:
        raise UsageError(
            f"a calibration needs at least {MIN_SENTENCES} sentences with gold trees, not {len(gold)}; give more"
        )
    evidence = collect(parser, tagger, gold)
    scales = {name: _scale([row[number] for row in evidence.rows]) for number, name in enumerate(MARGIN_NAMES)}
    weights, held_out = {}, {}
    folds = np.array(evidence.sentences) % FOLDS
    for target, outcomes in evidence.right.items():
        design, right = np.array(features(target, scales, evidence.rows)), np.array(outcomes, float)
        # The probability of a label assumes that the head is right.
        chosen = np.array(evidence.right["head"]) if target == "label" else np.ones(len(right), bool)
        weights[target] = [_rounded(weight) for weight in fit(design[chosen], right[chosen])]
        held_out[target] = cross_fitted(design, right, chosen, folds)
    if "upos" in held_out:
        held_out["upos"] = np.maximum(held_out["upos"], held_out["tag"])
    return {
        "words": len(evidence.rows), "scales": scales, "weights": weights, "ece": _errors(evidence.right, held_out),
    }


def collect(parser: Parser, tagger: TaggerStep | None, gold: Sequence[Sentence]) -> Evidence:
    """Tag and parse copies of sentences, and return margins and outcomes."""
    copies = [
        [Word(word.id, word.form, upos=word.upos, xpos=word.xpos, feats=word.raw_feats) for word in sentence]
        for sentence in gold
    ]
    draft = Draft.of([[word.form for word in words] for words in copies])
    if tagger:
        tagger.tag(draft)
        Writer(tagger.tags, ()).fill(draft, copies)
    tag_margins = [row[:2] for row in draft.margins]
    arc_margins = parser.margins(copies)
    targets = TARGET_NAMES if tagger else ("head", "label")
    evidence = Evidence([], {target: [] for target in targets}, [])
    for number, (sentence, words) in enumerate(zip(gold, copies, strict=True)):
        first = len(evidence.rows)
        for reference, word in zip(sentence, words, strict=True):
            head_focus, distance = INFINITY, 0
            if word.head:
                head_focus, distance = arc_margins[first + word.head - 1][2], abs(word.head - word.id)
            place = len(evidence.rows)
            evidence.rows.append((*tag_margins[place], *arc_margins[place], head_focus, distance))
            evidence.sentences.append(number)
            for target in targets:
                evidence.right[target].append(_CHECKS[target](word, reference))
    return evidence


_CHECKS = {
    "upos": lambda word, gold: word.upos == gold.upos,
    "tag": lambda word, gold: (word.upos, word.xpos, word.raw_feats) == (gold.upos, gold.xpos, gold.raw_feats),
    "head": lambda word, gold: word.head == gold.head,
    "label": lambda word, gold: word.deprel == gold.deprel,
}


def fit(design: Floats, right: Floats) -> Floats:
    """Fit a logistic regression with Newton's method, and return its weights.

    The targets are those of Platt (1999), section 2.2: a little less than 1 and a little more than 0. So the weights
    are finite even if all decisions are right.
    """
    count = right.sum()
    targets = np.where(right > 0, (count + 1) / (count + 2), 1 / (len(right) - count + 2))
    weights = np.zeros(design.shape[1])
    ridge = RIDGE * np.eye(design.shape[1])
    for _ in range(ITERATIONS):
        predicted = _probabilities(design, weights)
        variance = predicted * (1 - predicted)
        gradient = design.T @ (targets - predicted) - RIDGE * weights
        step = np.linalg.solve((design * variance[:, None]).T @ design + ridge, gradient)
        # Newton's method can diverge if the steps are too large.
        weights += step * min(1.0, 2 / max(np.abs(step).max(), 1e-12))
        if np.abs(step).max() < 1e-9:
            break
    return weights


def cross_fitted(design: Floats, right: Floats, chosen: NDArray[np.bool_], folds: NDArray[np.int64]) -> Floats:
    """Return probabilities of all words, those of each fold from the chosen words of the other folds."""
    predicted = np.empty(len(right))
    for fold in range(FOLDS):
        others = chosen & (folds != fold)
        predicted[folds == fold] = _probabilities(design[folds == fold], fit(design[others], right[others]))
    return predicted


def calibration_error(predicted: Floats, right: Floats) -> float:
    """Return the expected calibration error: the mean distance between confidence and accuracy, over equal bins."""
    bins = np.array_split(np.argsort(predicted, kind="stable"), BINS)
    return float(sum(abs((predicted[each] - right[each]).sum()) for each in bins) / len(right))


def _errors(right: dict[str, list[bool]], predicted: dict[str, Floats]) -> dict[str, float]:
    """Return the calibration error of each target, and of arcs: head and label together."""
    outcomes = {target: np.array(values, float) for target, values in right.items()}
    attached = outcomes["head"] > 0
    errors = {
        target: calibration_error(predicted[target], outcomes[target]) for target in outcomes if target != "label"
    }
    errors["label"] = calibration_error(predicted["label"][attached], outcomes["label"][attached])
    errors["arc"] = calibration_error(predicted["head"] * predicted["label"], outcomes["head"] * outcomes["label"])
    return {target: round(error, 4) for target, error in errors.items()}


def _probabilities(design: Floats, weights: Floats) -> Floats:
    return 1 / (1 + np.exp(-np.clip(design @ weights, -30, 30)))


def _scale(margins: Sequence[float]) -> float:
    known = np.abs(np.array(margins)[np.isfinite(margins)])
    return _rounded(SCALE * float(np.median(known))) or 1.0 if len(known) else 1.0


def _rounded(number: float) -> float:
    return float(f"{number:.{DIGITS}g}")
