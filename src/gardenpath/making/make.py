"""Make a model: get the treebank, check it, train, evaluate on the test set, and install the model.

A command that was interrupted continues where it stopped when it is called again: with the download, with the last
checkpoint of a network, or with the trained model. The model appears under its name only when it is complete.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any

from gardenpath import network
from gardenpath.errors import InputError, UsageError
from gardenpath.evaluation import evaluate
from gardenpath.formats.conllu import read_conllu
from gardenpath.formats.document import EMPTY, Sentence
from gardenpath.making import sources
from gardenpath.making.sources import TreebankSource
from gardenpath.making.state import MakingState
from gardenpath.models import Model, installed, scorers
from gardenpath.models.loading import load_file
from gardenpath.models.lookup import FAST
from gardenpath.models.settings import Settings
from gardenpath.models.training import Step, train_steps
from gardenpath.segmentation.raw import raw_text
from gardenpath.treebank import check, fetch
from gardenpath.treebank.download import Progress, Tell

METRICS = ("Tokens", "Sentences", "Words", "UPOS", "XPOS", "UFeats", "Lemmas", "UAS", "LAS", "CLAS", "MLAS", "BLEX")
UNNEEDED = ("non-unique-sent-id",)          # rules of `check` that training does not depend on
Watch = Callable[[Step], None]


@dataclass(frozen=True, slots=True)
class MakeOptions:
    """What can be chosen when a model is made."""

    source: Path | None = None              # a folder or an archive to use instead of a download
    release: str | None = None              # of Universal Dependencies
    url: str = fetch.BASE
    sha256: str | None = None               # of the downloaded archive
    network: bool = False                   # train a network instead of a perceptron
    config: str | Path | None = None        # settings of the training, as TOML
    settings: dict[str, Any] = field(default_factory=dict)       # single settings, which override `config`
    name: str | None = None                 # of the model
    folder: str | Path | None = None        # of the installed models
    force: bool = False                     # replace a model that is installed


@dataclass(frozen=True, slots=True)
class MadeModel:
    """A model that was made and installed: its name, its file, the model itself and the treebank."""

    name: str
    path: Path
    model: Model
    treebank: TreebankSource
    scored_part: str | None                 # the part of the treebank that the scores are for


def make(
    name: str, options: MakeOptions = MakeOptions(), *, progress: Progress = lambda *_: None,
    watch: Watch = lambda _: None, tell: Tell = lambda _: None,
) -> MadeModel:
    """Make a model for a language or from a treebank, and install it.

    `progress` is called with the bytes of the download, `watch` with the steps of the training, and `tell` with
    messages about what is done.
    """
    asked = sources.wanted(name, is_local=options.source is not None)
    settings = _settings(options)
    ending = FAST if settings.scorer_type is scorers.DEFAULT else ""
    base = options.name or asked.treebank or asked.name
    state = MakingState(installed.prepared(options.folder), f"{base}{ending}")
    if asked.code and options.source is None:
        _name_for(asked.code + ending, options)    # refuses to replace a model before the treebank is downloaded
    with state.held(name):
        treebank = _treebank(asked, options, state.folder, progress, tell)
        model_name = _name_for(treebank.parts.code + ending, options)
        _check(treebank, tell)
        _train(treebank, settings, state, watch, tell)
        tell("evaluating on raw text")
        model, part = _evaluated(load_file(state.model), treebank)
        model.save(state.scored_model)
        path = installed.move_in(state.scored_model, model_name, options.folder, replace=options.force)
    state.discard()
    return MadeModel(model_name, path, model, treebank, part)


def _settings(options: MakeOptions) -> Settings:
    scorer = {"scorer": network.SCORER.name} if options.network else {}
    return Settings.configured(options.config, **scorer, **options.settings)


def _name_for(usual: str, options: MakeOptions) -> str:
    """Return the name of the model. Raise `UsageError` if it is installed and may not be replaced."""
    name = options.name or usual
    path = installed.place(name, options.folder)
    if path.exists() and not options.force:
        raise UsageError(
            f"a model {name} is already installed ({path}); make it again with --force, or choose another --name"
        )
    return name


def _treebank(
    asked: sources.Wanted, options: MakeOptions, folder: Path, progress: Progress, tell: Tell,
) -> TreebankSource:
    if options.source is not None:
        return sources.local(asked, options.source, folder, options.release)
    release = options.release or fetch.RELEASE
    tell(f"getting {asked.treebank} {release}")
    return sources.fetched(
        asked, folder, release=release, url=options.url, sha256=options.sha256, progress=progress, tell=tell,
    )


def _check(treebank: TreebankSource, tell: Tell) -> None:
    """Raise `InputError` if a file of the treebank has errors, or if its words are left out."""
    tell(f"checking {treebank.title}")
    for path in treebank.parts.files():
        report = check(path, systems=(), disable=UNNEEDED)
        if not report.ok:
            more = f", and {len(report.errors) - 1} more errors" if len(report.errors) > 1 else ""
            raise InputError(f"{report.errors[0]}{more}; `gardenpath check {path}` lists all")
    if all(word.form == EMPTY for sentence in _sentences(treebank, "train") for word in sentence):
        raise InputError(
            f"{treebank.title}: the words are left out for copyright reasons; its README says how to get them"
        )


def _train(treebank: TreebankSource, settings: Settings, state: MakingState, watch: Watch, tell: Tell) -> None:
    """Train the model of the state, or continue to train it."""
    credits = {"licence": treebank.licence, "citation": treebank.citation}
    if state.begin(settings, treebank.parts.files(), credits | {"name": treebank.title}):
        tell("the model is trained already")
        return
    has_checkpoints = settings.scorer_type.has_checkpoints
    resume = has_checkpoints and state.checkpoint.exists()
    tell("resuming the training from the last checkpoint" if resume else "training")
    train, dev = (_one_file(treebank, part, state.folder) for part in ("train", "dev"))
    assert train is not None
    steps = train_steps(
        train, dev=dev, name=treebank.title, licence=treebank.licence, citation=treebank.citation, config=settings,
        checkpoint=state.checkpoint if has_checkpoints else None, resume=resume,
    )
    for step in steps:
        if step.is_best and step.model:
            step.model.save(state.model)
        watch(step)
    state.finish_training()


def _one_file(treebank: TreebankSource, part: str, folder: Path) -> Path | None:
    """Return the file of a part. If the part has several files, write them to one."""
    paths = treebank.parts.by_part.get(part, [])
    if len(paths) < 2:
        return paths[0] if paths else None
    joined = folder / f"{treebank.parts.code}-ud-{part}.conllu"
    with open(joined, "wb") as file:
        for path in paths:
            content = path.read_bytes()
            file.write(content if content.endswith(b"\n\n") else content.rstrip(b"\n") + b"\n\n")
    return joined


def _evaluated(model: Model, treebank: TreebankSource) -> tuple[Model, str | None]:
    """Return the model with its scores on the raw text of the test set, or of the dev set if there is no test set."""
    part = next((part for part in ("test", "dev") if part in treebank.parts.by_part), None)
    if part is None or model.tokenizer is None:
        return model, None
    gold = _sentences(treebank, part)
    scores = evaluate(gold, model(raw_text(gold)).sentences).scores
    found = {metric: round(scores[metric].f1, 2) for metric in METRICS if metric in scores}
    return model.described(test_scores=found if part == "test" else None), part


def _sentences(treebank: TreebankSource, part: str) -> list[Sentence]:
    return list(chain.from_iterable(map(read_conllu, treebank.parts.by_part[part])))
