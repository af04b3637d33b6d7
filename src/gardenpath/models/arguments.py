"""The keyword arguments of `train` that are settings, as a type for editors and type checkers."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, TypedDict


class TrainingArguments(TypedDict, total=False):
    """Every setting by its flat name, and a table for each part.

    Defaults, bounds and meanings are in the settings classes; a test compares the two.
    """

    epochs: int | None
    seed: int
    clusters: str | os.PathLike[str] | None

    parser: Mapping[str, Any]
    system: str
    oracle: str
    prefer: str
    lookahead: int
    postpone: float
    wrong_arc_labels: str
    nonprojective: str
    single_root: bool
    labelled_reduce: bool
    separate_unshift: bool
    beam: int | None

    scorer: str | Mapping[str, Any]
    features: str | os.PathLike[str]
    tag: str
    margin: int
    min_updates: int | None
    prune: float
    explore: float | None
    explore_from: int
    beam_from: int
    update: str
    encoder: str
    batch_size: int
    learning_rate: float
    learning_rate_decay: float
    dropout: float
    ema_decay: float
    vectors: str | os.PathLike[str] | None
    max_vectors: int
    networks: int
    layers: int
    hidden_size: int
    input_dropout: float
    replace_words: float | None
    batch_words: int

    tagger: Mapping[str, Any]
    tags: str
    folds: int

    tokenizer: str | Mapping[str, Any]
