"""`gardenpath language`: store the language profile of a treebank in a model."""

from __future__ import annotations

from typing import Annotated

import typer

from gardenpath import models
from gardenpath.files import require_other_file
from gardenpath.formats.conllu import read_conllu
from gardenpath.formats.treebank_folder import training_files
from gardenpath.models.languages import own_language


def command(
    model: Annotated[
        str, typer.Argument(metavar="MODEL", help="Name of a shipped model, or a model file.")
    ],
    treebank: Annotated[
        str, typer.Argument(metavar="TREEBANK", help="Treebank that the model was trained on: CoNLL-U or its folder.")
    ],
    output: Annotated[str, typer.Option("--output", "-o", metavar="MODEL", help="Model file to write.")],
) -> None:
    """Store the language profile of a treebank in a model, which then warns of text in other languages.

    `gardenpath train` does this with the training set. The parses of the model do not change.

    Example: gardenpath language old.gp en-train.conllu -o new.gp
    """
    source, _ = training_files(treebank)
    require_other_file(output, [source], "the model")
    profiled = models.load(model).with_profile(read_conllu(source))
    profiled.save(output)
    assert profiled.profile is not None
    print(f"wrote {output}; language: {own_language(profiled.profile) or 'unknown name'}")
