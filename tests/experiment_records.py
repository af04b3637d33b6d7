"""Records of experiments made without training. Scores are random, and better conditions have more correct words."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from gardenpath.evaluation.attachment import Attachment

BINS = ("root", "1", "2", "3-6", "7", "8-")
CONDITIONS = (
    "Gold tokens; gold sentences; gold tags; punctuation counted; label subtypes ignored; all trees; "
    "{} sentences and {} words of gold."
)
MACHINE = {"system": "Linux-6", "processor": "a <fast> one", "cores": 2, "python": "3.11.7"}
OUTCOMES = {"true_positive": 3, "false_positive": 1, "even": 0, "false_negative": 2, "true_negative": 90, "other": 4}
REPAIRS = {
    "conditions": "",
    "oracle": "dynamic",
    "counts": {},
    "kinds": {"left-arc": OUTCOMES, "unshift": OUTCOMES},
    "gain": 5,
    "labels": [
        {"old": "obj", "new": "nsubj", "count": 4, "head_right": 3, "label_right": 2},
        {"old": None, "new": "obl", "count": 1, "head_right": 0, "label_right": 0},
    ],
}


def make_experiment(
    folder: Path,
    qualities: dict[str, float],
    treebanks: list[str],
    seeds: list[int],
    *,
    missing: set[tuple[str, str, int]] = frozenset(),
    claims: list[dict[str, str]] | None = None,
    title: str = "Made up",
    notes: str = "",
    beams: bool = False,
) -> Path:
    """Write an experiment to FOLDER/made and return that folder.

    `qualities` has the share of correct words of each condition. With `beams`, conditions share their runs.
    """
    conditions = [
        {"name": name, "settings": {"system": f"system{i}"}, "beam": i + 1 if beams else None}
        for i, name in enumerate(qualities)
    ]
    runs = [
        {"condition": name, "treebank": treebank, "seed": seed, "key": f"{number}-{0 if beams else i}-{seed}"}
        for i, name in enumerate(qualities) for number, treebank in enumerate(treebanks) for seed in seeds
    ]
    plan = {
        "name": "made",
        "title": title,
        "notes": notes,
        "score": "test",
        "baseline": next(iter(qualities)),
        "seeds": seeds,
        "speed": False,
        "treebanks": treebanks,
        "conditions": conditions,
        "claims": claims or [],
        "runs": runs,
    }
    target = folder / "made"
    target.mkdir(parents=True)
    (target / "plan.json").write_text(json.dumps(plan), encoding="utf-8")
    for run in runs:
        if (run["condition"], run["treebank"], run["seed"]) not in missing:
            _write_run(folder, run, qualities, treebanks, beams)
    return target


def scores(treebank: int, seed: int, quality: float, sentences: int = 60) -> Attachment:
    """Return the counts of a run. The sentences are the same for all runs on a treebank."""
    lengths = np.random.default_rng(treebank).integers(1, 60, sentences)
    heads = np.random.default_rng([treebank, seed, round(quality * 1000)]).binomial(lengths, quality)
    both = np.maximum(heads - 1, 0)
    return Attachment(lengths, lengths, heads, both, both)


def _write_run(folder: Path, run: dict, qualities: dict[str, float], treebanks: list[str], beams: bool) -> None:
    path = folder / "runs" / run["key"]
    path.mkdir(parents=True, exist_ok=True)
    number = treebanks.index(run["treebank"])
    parses, sentences = [], {}
    for i, (name, quality) in enumerate(qualities.items()):
        if beams or name == run["condition"]:
            counts = scores(number, run["seed"], quality)
            parses.append(
                _parse(counts, f"parsed{i}.conllu", i + 1 if beams else None, speed=1000.0 * (i + 1) * (number + 1))
            )
            names = ("lengths", "counted", "right_heads", "right_labels", "right_both")
            sentences[f"parsed{i}.conllu"] = {column: getattr(counts, column).tolist() for column in names}
    record = run_record(
        run["key"], run["treebank"], run["seed"], parses,
        repairs=REPAIRS if run["condition"] != next(iter(qualities)) else None,
    )
    (path / "run.json").write_text(json.dumps(record), encoding="utf-8")
    (path / "sentences.json").write_text(json.dumps(sentences), encoding="utf-8")


def run_record(key: str, treebank: str, seed: int, parses: list[dict], repairs: dict | None = None) -> dict:
    """Return the content of a file run.json."""
    return {
        "key": key,
        "gardenpath": "0.2",
        "treebank": treebank,
        "files": {},
        "scored_on": "test",
        "settings": {"tags": "gold", "scorer": "perceptron", "passes": 3, "seed": seed},
        "sentences": 100,
        "words": 1000,
        "curve": [
            {"pass": i, "accuracy": 90.0, "dev_uas": 80.0, "dev_las": 70.0 + 5 * i + seed, "cpu_seconds": 1.0}
            for i in (1, 2, 3)
        ],
        "best_pass": 3,
        "parses": parses,
        "repairs": repairs,
        "began": "2026-11-16T12:00:00+00:00",
        "machine": MACHINE,
        "memory_mb": 64.0,
        "seconds": {"training": 2.0, "training_cpu": 1.5, "all": 3.0},
    }


def _parse(counts: Attachment, file: str, beam: int | None, speed: float) -> dict:
    half = counts.of(np.arange(counts.sentences) % 2 == 0), counts.of(np.arange(counts.sentences) % 2 == 1)
    arcs = {"gold": 100, "gold_correct": round(counts.las), "system": 50, "system_correct": round(counts.las / 2)}
    return {
        "file": file,
        "beam": beam,
        "words_per_second": speed,
        "conditions": CONDITIONS.format(counts.sentences, counts.words),
        "scores": {"LAS": {"f1": counts.las}, "UAS": {"f1": counts.uas}},
        "by_length": dict.fromkeys(BINS, arcs),
        "by_projectivity": {
            kind: {"las": part.las, "words": part.words, "sentences": part.sentences}
            for kind, part in zip(("projective", "non-projective"), half, strict=True)
        },
        "by_crossing": {"projective arcs": arcs, "non-projective arcs": arcs},
    }
