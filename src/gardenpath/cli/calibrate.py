"""`gardenpath calibrate`: fit the confidence of a model on a treebank."""

from __future__ import annotations

from typing import Annotated

import typer

from gardenpath import models
from gardenpath.cli.options import MODEL_HELP
from gardenpath.cli.tables import Rows, show
from gardenpath.files import require_other_file
from gardenpath.formats.treebank import read_treebank

MEANINGS = {
    "upos": "UPOS right",
    "tag": "UPOS, XPOS and FEATS right",
    "head": "head right",
    "label": "label right, if the head is right",
    "arc": "head and label right",
}


def command(
    model: Annotated[
        str, typer.Argument(metavar="MODEL", help=MODEL_HELP)
    ],
    treebank: Annotated[
        str, typer.Argument(metavar="TREEBANK", help="Treebank that the model was not trained on, in CoNLL-U.")
    ],
    output: Annotated[str, typer.Option("--output", "-o", metavar="MODEL", help="Model file to write.")],
) -> None:
    """Fit the confidence of a model on a treebank. The parses of the model do not change.

    `gardenpath train` does this with the dev set. The table shows the expected calibration error, in per cent: ten bins
    of the same size, probabilities from five-fold cross-fitting, gold tokens, tags of the model.

    Example: gardenpath calibrate old.gp en-dev.conllu -o new.gp
    """
    require_other_file(output, [treebank], "the model")
    loaded = models.load(model)
    several = not loaded.about.settings.parser.single_root
    calibrated = loaded.calibrated(read_treebank(treebank, allow_multiple_roots=several))
    calibrated.save(output)
    errors = (calibrated.about.calibration or {})["ece"]
    rows: Rows = [(name, f"{100 * errors[name]:.2f}", meaning) for name, meaning in MEANINGS.items() if name in errors]
    show("Expected calibration error", ("Probability", "Per cent", "Meaning"), rows)
