"""Loading of models: from a name or a file to a `Model` whose parts are checked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from gardenpath import systems
from gardenpath.core import storage
from gardenpath.core.stored import BadModelError, require
from gardenpath.errors import InputError
from gardenpath.features.clusters import Clusters
from gardenpath.models import lookup
from gardenpath.models.description import ModelDescription
from gardenpath.models.model import Model
from gardenpath.parsing.parser import Parser
from gardenpath.parsing.scorers import StoredScorer
from gardenpath.pipeline import steps
from gardenpath.pipeline.steps import PipelineStep, TaggerPart
from gardenpath.segmentation import tokenizers
from gardenpath.systems.classes import Classes
from gardenpath.tagging.tagger import Tagger


def load(name: str | Path) -> Model:
    """Load a model by its name (`en`), by the name of a treebank or a language (`de_gsd`, `German`), or from a file.

    Names are those of shipped models, of models that were made or installed with `gardenpath models`, and of models in
    Python packages. The file is checked and mapped into memory, which takes milliseconds.
    """
    return load_file(lookup.path_of(name))


def load_file(path: Path) -> Model:
    """Load a model file. Raise `InputError` if it is not a usable model."""
    arrays, stored = storage.load(path)
    try:
        return build(stored, arrays)
    except BadModelError as error:
        remedy = "" if isinstance(error, _UnknownSystemError) else "; train it again"
        raise InputError(f"{path}: not a usable gardenpath model: {error}{remedy}") from None


class _UnknownSystemError(BadModelError):
    """The system of a model is not registered. The message says how to register it."""


def build(stored: dict[str, Any], arrays: storage.Arrays) -> Model:
    """Build a model; raise `BadModelError` if the content of the file is not valid."""
    _require_system(stored)
    about = ModelDescription.from_dict(stored)
    clusters = Clusters.build(about.clusters, arrays) if about.clusters else None
    parser = _build_parser(about, arrays, clusters)
    tagger = _build_tagger(about.tagger, parser, arrays, clusters) if about.tagger else None
    tokenizer = tokenizers.build(about.tokenizer, arrays) if about.tokenizer else None
    additional = [_build_step(record, arrays) for record in about.steps]
    return Model(parser, about, tokenizer, tagger, additional)


def _build_tagger(
    record: dict[str, Any], parser: Parser, arrays: storage.Arrays, clusters: Clusters | None,
) -> TaggerPart:
    """Build the tagger: one of its own, or the one that is part of the scorer."""
    if record.get("source") != "scorer":
        return Tagger.build(record, arrays, clusters)
    tagger: TaggerPart | None = parser.scorer.tagger()
    if tagger is None:
        raise BadModelError("the scorer has no tagger")
    return tagger


def _require_system(stored: Any) -> None:
    """Raise an error if the system of a model is not registered."""
    settings = stored.get("settings") if isinstance(stored, dict) else None
    name = settings.get("system") if isinstance(settings, dict) else None
    if isinstance(name, str) and not systems.is_known(name):
        remedy = "register it (gardenpath.systems.register) or load its code (gardenpath --code FILE COMMAND)"
        raise _UnknownSystemError(f"the system {name!r} is not known here; {remedy}")


def _build_parser(about: ModelDescription, arrays: storage.Arrays, clusters: Clusters | None) -> Parser:
    settings = about.settings.parser
    system = systems.for_parsing(settings.system, single_root=settings.single_root)
    classes = Classes(system, about.labels, **settings.class_options)
    stored = StoredScorer(system, classes, about.settings.scorer, about.scorer, arrays, about.tag, clusters)
    scorer = about.settings.scorer_type.build(stored)
    return Parser(scorer, settings.single_root, settings.nonprojective, settings.width)


def _build_step(record: dict[str, Any], arrays: storage.Arrays) -> PipelineStep:
    require(record, {"name": str}, "a pipeline step")
    name = record["name"]
    prefix = steps.array_prefix(name)
    own = {key.removeprefix(prefix): array for key, array in arrays.items() if key.startswith(prefix)}
    return steps.get(name).build(record, own)
