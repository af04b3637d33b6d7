"""`gardenpath info`: describe a model file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from gardenpath import models
from gardenpath.cli.options import MODEL_HELP
from gardenpath.models import lookup
from gardenpath.models.languages import own_language
from gardenpath.models.record import dev_conditions


def command(
    model: Annotated[
        str, typer.Argument(metavar="MODEL", help=MODEL_HELP)
    ] = "en",
    as_json: Annotated[bool, typer.Option("--json", help="Print the complete description as JSON.")] = False,
) -> None:
    """Show the training data, settings, scores, licence and size of a model.

    Example: gardenpath info en
    """
    print_model(lookup.path_of(model), as_json=as_json)


def print_model(path: Path, *, as_json: bool) -> None:
    """Print the facts about a model file, or its complete description as JSON."""
    loaded = models.load(path)
    if as_json:
        print(json.dumps(loaded.description, ensure_ascii=False, indent=2))
        return
    for name, value in rows(path, loaded):
        print(f"{name:18}{value}")


def rows(path: Path, model: models.Model) -> list[tuple[str, Any]]:
    """Return the most important facts about a model as pairs of name and value."""
    about, settings = model.about, model.about.settings
    scores = "no dev set was given"
    if about.dev_las is not None:
        scores = f"UAS {about.dev_uas:.2f}, LAS {about.dev_las:.2f} ({dev_conditions(settings)})"
    return [
        ("model", path),
        ("size", f"{path.stat().st_size / 1e6:.1f} MB"),
        ("system", settings.parser.system),
        ("oracle", f"{settings.parser.oracle}, preference {settings.parser.preference}"),
        *model.parser.scorer.summary(settings.scorer, about),
        ("classes", model.parser.classes.size),
        ("beam", model.parser.width if model.parser.width > 1 else "none, greedy"),
        ("labels", f"{len(model.parser.classes.labels)}: {' '.join(model.parser.classes.labels)}"),
        ("treebank", about.treebank),
        ("licence", about.licence or "not recorded"),
        ("citation", about.citation or "not recorded"),
        ("trained on", f"{about.sentences:,} sentences, {about.words:,} words"),
        ("non-projective",
         f"{settings.parser.nonprojective}: {about.lifted} trees lifted, {about.skipped} skipped"),
        ("epochs", f"{about.epoch} of {settings.epochs}, seed {settings.seed}"),
        ("scores", scores),
        *([("test scores", raw_text_scores(about.test_scores))] if about.test_scores else []),
        ("confidence", _confidence(about.calibration)),
        ("language", _language(model)),
        *_text(model),
        ("made by", f"gardenpath {about.version}"),
    ]


def raw_text_scores(scores: dict[str, float]) -> str:
    """Return the scores on the raw text of the test set."""
    shown = ", ".join(f"{name} {scores[name]:.2f}" for name in ("UPOS", "UAS", "LAS") if name in scores)
    return f"{shown} (test set, raw text, F1)"


def _confidence(calibration: dict[str, Any] | None) -> str:
    if calibration is None:
        return "not calibrated"
    errors = ", ".join(f"{name} {100 * error:.2f}" for name, error in sorted(calibration["ece"].items()))
    return f"calibrated on {calibration['words']:,} words; expected calibration error in per cent: {errors}"


def _language(model: models.Model) -> str:
    if model.profile is None:
        return "no profile, so text in other languages is not noticed"
    return f"{own_language(model.profile) or 'unknown name'}; text in other languages gives a warning"


def _text(model: models.Model) -> list[tuple[str, Any]]:
    """Describe the steps before the parser, and the input that the model needs."""
    if model.tagger is None:
        return [("needs", "tokens, sentences and tags")]
    settings = model.about.settings
    tokenizer = settings.tokenizer.tokenizer
    lemmas = "with lemmas" if model.tagger.has_lemmas else "no lemmas"
    clusters = model.about.clusters
    training_tags = f"parser trained on {settings.tagger.tags} tags"
    return [
        ("tokenizer", tokenizer),
        ("tagger", f"{len(model.tagger.tags):,} tags, {lemmas}; {training_tags}"),
        ("clusters", f"{clusters['words']:,} words" if clusters else "none"),
        ("needs", "raw text" if tokenizer != "none" else "tokens and sentences"),
    ]
