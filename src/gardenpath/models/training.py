"""Training from treebanks: tokenizer, tagger and parser, with any scorer."""

from __future__ import annotations

import hashlib
import io
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, NamedTuple, Unpack

from gardenpath import oracles, systems
from gardenpath import version as package
from gardenpath.errors import UsageError
from gardenpath.features.clusters import read_clusters
from gardenpath.formats.conllu import source_name
from gardenpath.formats.document import Sentence, Word
from gardenpath.formats.treebank import read_treebank, treebank_of
from gardenpath.formats.treebank_folder import training_files
from gardenpath.models.arguments import TrainingArguments
from gardenpath.models.calibration import MIN_SENTENCES
from gardenpath.models.completion import with_settings
from gardenpath.models.description import ModelDescription
from gardenpath.models.model import Model
from gardenpath.models.profile import Profile
from gardenpath.models.settings import Settings
from gardenpath.parsing.parser import Parser
from gardenpath.parsing.training import Scores, TrainingStep, TrainingTask, Watch, learnable
from gardenpath.pipeline.pipeline import tag_sentences
from gardenpath.pipeline.writer import Writer
from gardenpath.segmentation import tokenizers
from gardenpath.systems.classes import Classes
from gardenpath.tagging.joint import JointTagging, retagged, tagged
from gardenpath.tagging.tagger import Tagger


@dataclass(frozen=True, slots=True)
class Step(TrainingStep):
    """A step of the training with the model at the end of an epoch."""

    model: Model | None = None
    epochs: int = 0               # of the whole training


Config = str | Path | Mapping[str, Any] | Settings | None
TreebankSource = str | Path | Iterable[Sentence]
IN_MEMORY = "sentences"      # the name of a treebank that is not a file


class _Treebank(NamedTuple):
    sentences: list[Sentence]
    name: str
    sha256: str


@with_settings
def train(
    treebank: TreebankSource, *, dev: TreebankSource | None = None, name: str | None = None, licence: str | None = None,
    citation: str | None = None, checkpoint: str | Path | None = None, resume: bool = False, config: Config = None,
    **settings: Unpack[TrainingArguments],
) -> Model:
    """Train tokenizer, tagger and parser on a treebank and return the best model.

    `treebank` is a CoNLL-U file, a folder in which training and dev set have UD's names, such as
    `en_ewt-ud-train.conllu`, or sentences in memory, which are not changed. `dev` is a treebank to choose the best
    epoch by (LAS with gold tokens and predicted tags), and to calibrate the model on. Without one, the last epoch is
    the best, and words get no confidence. `name`, `licence` and `citation` of the treebank are stored in the model. If
    the scorer has checkpoints, one is written to the file `checkpoint` after each epoch. `resume` continues from there,
    and the model is the same as without the interruption.

    `config` holds settings: a TOML file, a mapping or a `Settings` object. All other arguments are single settings,
    such as `system`, `epochs` or `seed`; they override those of `config`.
    """
    return best_of(train_steps(
        treebank, dev=dev, name=name, licence=licence, citation=citation, checkpoint=checkpoint, resume=resume,
        config=config, **settings,
    ))


@with_settings
def train_steps(
    treebank: TreebankSource, *, dev: TreebankSource | None = None, name: str | None = None, licence: str | None = None,
    citation: str | None = None, checkpoint: str | Path | None = None, resume: bool = False, config: Config = None,
    **settings: Unpack[TrainingArguments],
) -> Iterator[Step]:
    """Train as `train` does, step by step: yield the progress, and a model at the end of each epoch."""
    chosen = Settings.configured(config, **settings)
    scorer = chosen.scorer_type
    if (checkpoint or resume) and not scorer.has_checkpoints:
        raise UsageError(f"the {scorer.title} has no checkpoints; train from the start, without checkpoint and resume")
    if resume and not checkpoint:
        raise UsageError("to resume training, give the checkpoint to resume from: checkpoint=PATH")
    if isinstance(treebank, (str, Path)):
        treebank, dev = training_files(treebank, dev)
    several = not chosen.parser.single_root
    learned = _treebank(treebank, several)
    held_out = _treebank(dev, several).sentences if dev is not None else None
    description = {
        "treebank": name or learned.name, "licence": licence, "citation": citation, "treebank_sha256": learned.sha256,
    }
    yield from training(
        learned.sentences, held_out, chosen, description, checkpoint=Path(checkpoint) if checkpoint else None,
        resume=resume, with_tokenizer=True,
    )


def training(
    train: Sequence[Sentence], dev: Sequence[Sentence] | None, settings: Settings,
    description: dict[str, Any] | None = None, watch: Watch | None = None, *, checkpoint: Path | None = None,
    resume: bool = False, with_tokenizer: bool = False,
) -> Iterator[Step]:
    """Train on sentences in memory.

    Yield a step every few hundred sentences, and one with a model at the end of each epoch. `watch` is called with
    every configuration that training visits, and the gold heads.
    """
    settings = settings.for_treebank(sum(map(len, train)))
    profile = Profile.of(train)
    assert settings.epochs is not None
    scorer, parser_settings, tags = settings.scorer_type, settings.parser, settings.tagger.tags
    tokenizer = tokenizers.train(train, dev, settings.tokenizer, settings.seed) if with_tokenizer else None
    tagger: Tagger | None = None
    gold_dev = dev
    if tags == "jackknife" and not scorer.learns_with_tagger:
        train, tagger = retagged(train, settings.tagger, settings.seed)
        dev = tagged(dev, tagger) if dev else None
    system = systems.for_parsing(parser_settings.system, single_root=parser_settings.single_root)
    oracle = oracles.of(
        system, parser_settings.oracle, prefer=parser_settings.preference, lookahead=parser_settings.lookahead,
        postpone=parser_settings.postpone,
    )
    chosen, trees = learnable(train, oracle, parser_settings.nonprojective)
    classes = Classes.of_trees(system, trees, **parser_settings.class_options)
    clusters = read_clusters(settings.clusters) if settings.clusters else None
    joint = None
    if tags != "gold" and scorer.learns_with_tagger:
        prune = settings.scorer.tagger_prune
        joint = JointTagging(chosen, settings.tagger, seed=settings.seed, prune=prune, clusters=clusters)
    facts: dict[str, Any] = {
        "sentences": len(chosen), "words": sum(map(len, chosen)), "skipped": len(train) - len(chosen),
        "lifted": sum(tree[0] != sentence.heads for tree, sentence in zip(trees, chosen, strict=True)),
        "clusters": clusters.record() if clusters else None,
        "profile": profile.record() if profile else None, **(description or {}),
    }

    def evaluate(parser: Parser, trained: Tagger | None) -> Scores:
        return dev_scores(parser, dev, trained) if dev else (None, None)

    task = TrainingTask(
        parser_settings, settings.scorer, settings.epochs, settings.seed, settings.to_flat_dict(), oracle, classes,
        chosen, trees, evaluate, dev or (), clusters, joint, watch, checkpoint, resume,
    )
    for step in scorer.train(task):
        model = None
        if step.parser is not None:
            about = ModelDescription(
                settings, package.__version__, step.tag, classes.inventories, epoch=step.number,
                scorer=step.record | step.parser.scorer.record(),
                dev_uas=_rounded(step.uas), dev_las=_rounded(step.las), **facts,
            )
            model = Model(step.parser, about, tokenizer, step.tagger or tagger)
            if step.is_best and gold_dev and len(gold_dev) >= MIN_SENTENCES:
                model = model.calibrated(gold_dev)
        known = {field.name: getattr(step, field.name) for field in fields(step)}
        yield Step(**known, model=model, epochs=settings.epochs)


def _rounded(score: float | None) -> float | None:
    return None if score is None else round(score, 4)


def dev_scores(parser: Parser, dev: Sequence[Sentence], tagger: Tagger | None = None) -> tuple[float, float]:
    """Return UAS and LAS in per cent over all words, without comparing subtypes.

    The tags are those of the tagger, or those of the file if there is no tagger.
    """
    parsed = [
        [Word(word.id, word.form, upos=word.upos, xpos=word.xpos, feats=word.raw_feats) for word in sentence.words]
        for sentence in dev
    ]
    if tagger:
        tag_sentences(tagger, Writer(tagger.tags, ()), parsed)
    parser.parse(parsed)
    pairs = [
        pair for sentence, words in zip(dev, parsed, strict=True) for pair in zip(sentence.words, words, strict=True)
    ]
    attached = [(word, other) for word, other in pairs if word.head == other.head]
    labelled = sum(word.deprel.partition(":")[0] == other.deprel.partition(":")[0] for word, other in attached)
    return 100 * len(attached) / len(pairs), 100 * labelled / len(pairs)


def best_of(steps: Iterator[Step]) -> Model:
    """Run the training and return the best model; after an interrupt, the best model so far."""
    best: Model | None = None
    try:
        for step in steps:
            best = step.model if step.is_best else best
    except KeyboardInterrupt:
        if best is None:
            raise
    if best is None:
        raise UsageError("training yielded no model")
    return best


def _treebank(source: TreebankSource, several: bool) -> _Treebank:
    """Read a treebank from a file, or take it from memory. The checksum is that of its CoNLL-U."""
    if isinstance(source, (str, Path)):
        content = _content(source)
        sentences, name = read_treebank(content, allow_multiple_roots=several), Path(content.name).stem
        return _Treebank(sentences, name, hashlib.sha256(content.getbuffer()).hexdigest())
    sentences = treebank_of(source, allow_multiple_roots=several)
    checksum = hashlib.sha256()
    for sentence in sentences:
        checksum.update(sentence.to_conllu().encode("utf-8", "surrogatepass"))
    return _Treebank(sentences, IN_MEMORY, checksum.hexdigest())


def _content(source: str | Path) -> io.BytesIO:
    """Read a file (`-` is standard input) into memory: a pipe cannot be read again for its checksum."""
    content = io.BytesIO(sys.stdin.buffer.read() if str(source) == "-" else Path(source).read_bytes())
    content.name = source_name(str(source))
    return content
