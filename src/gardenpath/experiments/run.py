"""One run of an experiment: train, parse, score, and return everything as plain files."""

from __future__ import annotations

import json
import tempfile
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from gardenpath import version as package
from gardenpath.analysis.repairs import analyse_repairs, can_repair
from gardenpath.evaluation import Evaluation, evaluate
from gardenpath.experiments.plan import Run
from gardenpath.formats.conllu import read_conllu
from gardenpath.formats.document import EMPTY, Sentence
from gardenpath.formats.joining import conllu_parts
from gardenpath.machine import machine, peak_memory
from gardenpath.models.model import Model
from gardenpath.models.training import train_steps

RECORD, SENTENCES, MODEL = "run.json", "sentences.json", "model.gp"
ROUNDS = 3       # rounds of parsing; the fastest one counts

Files = dict[str, bytes]


@dataclass(frozen=True, slots=True)
class Trained:
    """A trained model with its learning curve and training time."""

    model: Model
    curve: list[dict[str, Any]]
    seconds: float
    cpu_seconds: float


def perform(run: Run, keep_model: bool = False) -> Files:
    """Do a run and return the files of its record by name.

    The results of a run are the same on every machine; its times and memory are not.
    """
    began = datetime.now(UTC)
    run.settings.scorer_type.use_one_thread()
    trained = _train(run)
    files: Files = {MODEL: _saved(trained.model)} if keep_model else {}
    parses, sentences = [], {}
    for beam in run.beams:
        name = f"parsed-beam{beam}.conllu" if beam else "parsed.conllu"
        parsed, speed = _parse(trained.model, run, beam)
        evaluation = evaluate(run.treebank.file(run.score), parsed, multi_root=not run.settings.parser.single_root)
        files[name] = "".join(conllu_parts(parsed)).encode()
        sentences[name] = _by_sentence(evaluation)
        parses.append({"file": name, "beam": beam, "words_per_second": speed} | evaluation.to_dict())
    record = {
        "key": run.key,
        "gardenpath": package.__version__,
        "treebank": run.treebank.name,
        "files": run.treebank.digests(),
        "scored_on": run.score,
        "settings": run.settings.for_treebank(trained.model.about.words).to_flat_dict(),
        "sentences": trained.model.about.sentences,
        "words": trained.model.about.words,
        "curve": trained.curve,
        "best_pass": trained.model.about.epoch,
        "parses": parses,
        "repairs": _repairs(trained.model, run),
        "began": began.isoformat(timespec="seconds"),
        "machine": machine(),
        "memory_mb": peak_memory(),
        "seconds": {
            "training": trained.seconds,
            "training_cpu": trained.cpu_seconds,
            "all": (datetime.now(UTC) - began).total_seconds(),
        },
    }
    return files | {RECORD: to_json(record), SENTENCES: to_json(sentences)}


def _train(run: Run) -> Trained:
    began, cpu = time.perf_counter(), time.process_time()
    curve, best = [], None
    for step in train_steps(run.treebank.train, dev=run.treebank.dev, name=run.treebank.name, config=run.settings):
        if step.ended:
            curve.append(
                {
                    "pass": step.number,
                    "accuracy": step.accuracy,
                    "dev_uas": step.uas,
                    "dev_las": step.las,
                    "cpu_seconds": time.process_time() - cpu,
                }
            )
            best = step.model if step.is_best else best
    assert best is not None              # every epoch ends with a model, and the first one is the best so far
    return Trained(best, curve, time.perf_counter() - began, time.process_time() - cpu)


def _parse(model: Model, run: Run, beam: int | None) -> tuple[list[Sentence], float]:
    """Parse the input of a run.

    Return it with the words per second of processor time on one thread, without reading and writing.
    """
    fastest = float("inf")
    for _ in range(ROUNDS if run.settings.scorer_type.runs_natively and not beam else 1):
        sentences, seconds = timed_parse(model, run, beam)
        fastest = min(fastest, seconds)
    return sentences, sum(map(len, sentences)) / fastest


def timed_parse(model: Model, run: Run, beam: int | None) -> tuple[list[Sentence], float]:
    """Parse the input of a run. Return its sentences and the processor time, without reading."""
    sentences = _untouched(run)
    began = time.process_time()
    model.parse(sentences, beam=beam, retag=model.tagger is not None)
    return sentences, time.process_time() - began


def _untouched(run: Run) -> list[Sentence]:
    """Read the sentences to parse without heads and labels, and without tags if the model has a tagger."""
    sentences = list(read_conllu(run.input))
    columns = {} if run.settings.tagger.tags == "gold" else dict.fromkeys(("upos", "xpos", "feats", "lemma"), EMPTY)
    for sentence in sentences:
        for word in sentence.words:
            word.head, word.deprel = None, EMPTY
            for column, value in columns.items():
                setattr(word, column, value)
    return sentences


def _by_sentence(evaluation: Evaluation) -> dict[str, list[int]]:
    counts = evaluation.attachment
    return {
        name: getattr(counts, name).tolist()
        for name in ("lengths", "counted", "right_heads", "right_labels", "right_both")
    }


def _repairs(model: Model, run: Run) -> dict[str, Any] | None:
    """Analyse the repairs of the parser, or return None if there are none to analyse."""
    settings = run.settings
    has_gold_input = settings.tagger.tags == "gold" and run.treebank.input is None
    if not can_repair(model.parser.system) or not settings.scorer_type.runs_natively or not has_gold_input:
        return None
    return analyse_repairs(model, read_conllu(run.treebank.file(run.score))).to_dict()


def _saved(model: Model) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / MODEL
        model.save(path)
        return path.read_bytes()


def to_json(value: object) -> bytes:
    """Return a value as a JSON file."""
    return (json.dumps(value, ensure_ascii=False) + "\n").encode()
