"""The sample treebank, and models trained on it. Each model is trained once per test run."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import gardenpath as gp

SAMPLE = Path(__file__).parents[1] / "data" / "sample"
TRAIN, DEV, TEST = (SAMPLE / f"sample-{part}.conllu" for part in ("train", "dev", "test"))


@cache
def trained(system: str = "arc-eager-unshift", **settings) -> gp.Model:
    """Train a model on the sample, by default with gold tags."""
    return gp.train(TRAIN, dev=DEV, system=system, **{"epochs": 6, "tags": "gold"} | settings)


def small(tmp_path: Path, sentences: int = 40) -> Path:
    """Write the first sentences of the sample to a file of their own."""
    path = tmp_path / "small.conllu"
    gp.write_conllu(list(gp.read_conllu(TRAIN))[:sentences], path)
    return path
