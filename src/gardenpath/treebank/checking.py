"""Check a treebank before training: find errors with their places, and count which trees each system derives."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from gardenpath import oracles
from gardenpath import systems as all_systems
from gardenpath.formats.conllu import Source, read_conllu, source_name
from gardenpath.formats.document import EMPTY, Sentence
from gardenpath.formats.treebank import missing_labels, no_sentences, problem_at, tree_problems
from gardenpath.trees import find_problems, nonprojective_arcs, projectivise

# Latvian has one of the largest tagsets of the common treebanks, 1,200 XPOS tags, and no treebank has 100 relations.
# Beyond these limits a column probably holds something else, and training would take very long.
MOST = {"xpos": 2000, "deprel": 200}


@dataclass(slots=True)
class Report:
    """The result of `check`: errors make a treebank unusable for training, warnings may be intended."""

    name: str
    errors: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    sentences: int = 0
    words: int = 0
    ranges: int = 0
    empty_nodes: int = 0
    comments: int = 0
    longest: int = 0
    longest_at: str = ""
    several_roots: int = 0
    trees: int = 0
    arcs: int = 0
    nonprojective_trees: int = 0
    nonprojective_arcs: int = 0
    lifted_arcs: int = 0
    values: dict[str, Counter[str]] = field(
        default_factory=lambda: {column: Counter() for column in ("upos", "xpos", "feats", "deprel")}
    )
    derived: dict[str, int] = field(default_factory=dict)

    @property
    def ok(self) -> bool:
        """Whether there were no errors."""
        return not self.errors

    def to_dict(self) -> dict[str, Any]:
        """Return the report as plain values for JSON, with the number of values of each column."""
        plain = {name: getattr(self, name) for name in self.__slots__}
        return plain | {"ok": self.ok, "values": {column: len(values) for column, values in self.values.items()}}


def check(source: Source, *, allow_multiple_roots: bool = False, systems: Iterable[str] | None = None) -> Report:
    """Check a CoNLL-U treebank (`-` is standard input) sentence by sentence and return a report.

    `systems` are the names of the systems to try on every tree; by default all.
    """
    static = static_oracles(systems)
    report = Report(source_name(source), derived=dict.fromkeys(static, 0))
    ids: dict[str, str] = {}
    for sentence in read_conllu(source, on_error=lambda error: report.errors.append(str(error))):
        _count(report, sentence)
        report.errors += _reused_id(sentence, ids)
        report.warnings += _label_problems(sentence)
        report.errors += tree_problems(sentence, allow_multiple_roots)
        report.errors += missing_labels(sentence)
        heads = [head for head in sentence.heads if head is not None]
        if not find_problems(sentence.heads, single_root=False):
            _count_tree(report, heads, static)
    report.warnings += _large_inventories(report)
    if report.words and not any(report.values[column] for column in ("upos", "xpos", "feats")):
        report.warnings.append(f"{report.name}: no word has UPOS, XPOS or FEATS; add UPOS tags before training")
    if not report.sentences and not report.errors:
        report.errors.append(no_sentences(report.name))
    return report


def static_oracles(names: Iterable[str] | None) -> dict[str, oracles.Oracle]:
    """Return the static oracles of these systems, or of all systems. They show which trees a system derives."""
    return {name: oracles.get(name, "static") for name in (all_systems.names() if names is None else names)}


def _count(report: Report, sentence: Sentence) -> None:
    report.sentences += 1
    report.words += len(sentence)
    report.ranges += len(sentence.ranges)
    report.empty_nodes += len(sentence.empty_nodes)
    report.comments += len(sentence.comments)
    if len(sentence) > report.longest:
        report.longest, report.longest_at = len(sentence), sentence.where
    for column, values in report.values.items():
        values.update(value for word in sentence if (value := getattr(word, column)) != EMPTY)


def _count_tree(report: Report, heads: list[int], static: dict[str, oracles.Oracle]) -> None:
    crossing = len(nonprojective_arcs(heads))
    report.trees += 1
    report.arcs += len(heads)
    report.several_roots += heads.count(0) > 1
    report.nonprojective_arcs += crossing
    if crossing:
        report.nonprojective_trees += 1
        report.lifted_arcs += sum(old != new for old, new in zip(heads, projectivise(heads), strict=True))
    for name, oracle in static.items():
        report.derived[name] += oracle.derives(heads)


def _label_problems(sentence: Sentence) -> Iterator[str]:
    for word in sentence:
        is_root = word.deprel.partition(":")[0] == "root"
        if word.head is None or word.deprel == EMPTY:
            continue
        if word.head == 0 and not is_root:
            yield problem_at(
                sentence, word, f"word {word.id} has HEAD 0 but DEPREL {word.deprel!r}; use `root` for HEAD 0"
            )
        elif word.head != 0 and is_root:
            yield problem_at(
                sentence,
                word,
                f"word {word.id} has DEPREL {word.deprel!r} but HEAD {word.head}; use `root` for HEAD 0 only",
            )


def _reused_id(sentence: Sentence, ids: dict[str, str]) -> Iterator[str]:
    identity = sentence.sent_id
    if identity is None:
        return
    if identity in ids:
        yield problem_at(sentence, None, f"the sent_id is already used at {ids[identity]}; give every sentence its own")
    ids.setdefault(identity, sentence.place)


def _large_inventories(report: Report) -> Iterator[str]:
    for column, most in MOST.items():
        found = len(report.values[column])
        if found > most:
            problem = f"{found} different values of {column.upper()}, more than {most}"
            yield f"{report.name}: {problem}; check whether the column holds something else"
