"""`gardenpath info`: describe a model file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from gardenpath import models
from gardenpath.features.templates import set_for
from gardenpath.models import shipped
from gardenpath.models.record import dev_conditions
from gardenpath.search.settings import preference_for


def command(
    model: Annotated[
        str, typer.Argument(metavar="MODEL", help="Name of a shipped model, or a model file.")
    ] = "en",
    as_json: Annotated[bool, typer.Option("--json", help="Print the complete description as JSON.")] = False,
) -> None:
    """Show the training data, settings, scores, licence and size of a model.

    Example: gardenpath info en
    """
    loaded = models.load(model)
    if as_json:
        print(json.dumps(loaded.description, ensure_ascii=False, indent=2))
        return
    for name, value in rows(shipped.path_of(model), loaded):
        print(f"{name:18}{value}")


def rows(path: Path, model: models.Model) -> list[tuple[str, Any]]:
    """Return the most important facts about a model as pairs of name and value."""
    record, settings = model.description, model.description["settings"]
    scores = "no dev set was given"
    if "dev_las" in record:
        scores = f"UAS {record['dev_uas']:.2f}, LAS {record['dev_las']:.2f} ({dev_conditions(settings)})"
    return [
        ("model", path),
        ("size", f"{path.stat().st_size / 1e6:.1f} MB"),
        ("system", settings["system"]),
        ("oracle", f"{settings['oracle']}, preference {preference_for(settings['prefer'], settings['system'])}"),
        *_scorer(model),
        ("classes", model.parser.classes.size),
        ("beam", model.parser.width if model.parser.width > 1 else "none, greedy"),
        ("labels", f"{len(model.parser.classes.labels)}: {' '.join(model.parser.classes.labels)}"),
        ("treebank", record["treebank"]),
        ("licence", record["licence"] or "not recorded"),
        ("citation", record["citation"] or "not recorded"),
        ("trained on", f"{record['sentences']:,} sentences, {record['words']:,} words"),
        ("non-projective",
         f"{settings['nonprojective']}: {record['lifted']} trees lifted, {record['skipped']} skipped"),
        ("epochs", f"{record['pass']} of {settings['passes']}, seed {settings['seed']}"),
        ("scores", scores),
        *_text(model),
        ("made by", f"gardenpath {record['gardenpath']}"),
    ]


def _scorer(model: models.Model) -> list[tuple[str, Any]]:
    """Describe the scorer of the transitions."""
    record, settings, arrays = model.description, model.description["settings"], model.parser.arrays()
    if "templates" not in record:
        numbers = sum(memoryview(array).nbytes // 4 for array in arrays.values())
        size = f"{numbers:,} parameters, {len(record['symbols']['form']):,} forms"
        return [("scorer", f"{settings['scorer']}, {settings['encoder']}: {size}")]
    templates = set_for(settings["features"], model.parser.system.template_set, bool(settings.get("clusters")))
    return [
        ("scorer", f"perceptron: {len(arrays['parser.rows']):,} entries"),
        ("features", f"{templates}: {len(record['templates'])} templates, p is {record['tag'].upper()}"),
    ]


def _text(model: models.Model) -> list[tuple[str, Any]]:
    """Describe the steps before the parser, and the input that the model needs."""
    if model.tagger is None:
        return [("needs", "tokens, sentences and tags")]
    tokenizer = model.description["settings"]["tokenizer"]
    lemmas = "with lemmas" if model.tagger.has_lemmas else "no lemmas"
    clusters = model.description.get("clusters")
    training_tags = f"parser trained on {model.description['settings']['tags']} tags"
    return [
        ("tokenizer", tokenizer),
        ("tagger", f"{len(model.tagger.tags):,} tags, {lemmas}; {training_tags}"),
        ("clusters", f"{clusters['words']:,} words" if clusters else "none"),
        ("needs", "raw text" if tokenizer != "none" else "tokens and sentences"),
    ]
