"""Check a treebank before training: find errors with their places, and count which trees each system derives."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from gardenpath import oracles
from gardenpath import systems as all_systems
from gardenpath.formats.conllu import Source, read_conllu, source_name
from gardenpath.formats.document import EMPTY, Sentence
from gardenpath.formats.treebank import Places, missing_labels, no_sentences, tree_problems
from gardenpath.treebank.column_rules import column_findings
from gardenpath.treebank.leaf_rules import leaf_findings
from gardenpath.treebank.metadata_rules import MetadataRules
from gardenpath.treebank.relation_rules import relation_findings, root_findings
from gardenpath.treebank.rules import ERROR, FEATURE_RULES, RULES, WARNING, Finding, disabled
from gardenpath.treebank.syntax import SyntaxTree
from gardenpath.treebank.tag_rules import tag_findings
from gardenpath.trees import is_tree, nonprojective_arcs, projectivise

# Latvian has one of the largest tagsets of the common treebanks, 1,200 XPOS tags, and no treebank has 100 relations.
# Beyond these limits a column probably holds something else, and training would take very long.
MOST = {"xpos": 2000, "deprel": 200}


class Violation(NamedTuple):
    """A message of `check` with the rule that it belongs to."""

    rule: str
    message: str

    @property
    def level(self) -> str:
        """`error` or `warning`."""
        return RULES[self.rule].level


@dataclass(slots=True)
class Report:
    """The result of `check`: errors make a treebank unusable for training, warnings may be intended."""

    name: str
    violations: list[Violation] = field(default_factory=list)
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
    def errors(self) -> list[str]:
        """The messages of errors."""
        return [found.message for found in self.violations if found.level == ERROR]

    @property
    def warnings(self) -> list[str]:
        """The messages of warnings."""
        return [found.message for found in self.violations if found.level == WARNING]

    @property
    def ok(self) -> bool:
        """Whether there were no errors."""
        return not self.errors

    @property
    def by_rule(self) -> dict[str, int]:
        """The number of violations of each rule, the most frequent first."""
        return dict(Counter(found.rule for found in self.violations).most_common())

    def to_dict(self) -> dict[str, Any]:
        """Return the report as plain values for JSON, with the number of values of each column."""
        plain = {name: getattr(self, name) for name in self.__slots__}
        return plain | {
            "violations": [found._asdict() for found in self.violations], "by_rule": self.by_rule,
            "errors": self.errors, "warnings": self.warnings, "ok": self.ok,
            "values": {column: len(values) for column, values in self.values.items()},
        }


def check(
    source: Source, *, allow_multiple_roots: bool = False, systems: Iterable[str] | None = None,
    disable: Iterable[str] = (),
) -> Report:
    """Check a CoNLL-U treebank (`-` is standard input) sentence by sentence and return a report.

    `systems` are the names of the systems to try on every tree; by default all. `disable` are names of rules or of
    groups of rules (`gardenpath.treebank.rules.RULES`) to leave out.
    """
    static = static_oracles(systems)
    off = disabled(disable)
    report = Report(source_name(source), derived=dict.fromkeys(static, 0))
    metadata = MetadataRules()

    def add(rule: str, message: str) -> None:
        if rule not in off:
            report.violations.append(Violation(rule, message))

    for sentence in read_conllu(source, on_error=lambda error: add("unreadable", str(error))):
        _count(report, sentence)
        for message in tree_problems(sentence, allow_multiple_roots):
            add("tree", message)
        for message in missing_labels(sentence):
            add("missing-deprel", message)
        places = Places(sentence)
        for found in _findings(sentence, metadata):
            add(found.rule, places.message(found.node, found.problem))
        if is_tree(sentence.heads, single_root=False):
            _count_tree(report, [head for head in sentence.heads if head is not None], static)
    for rule, message in _file_problems(report):
        add(rule, message)
    if not report.values["feats"]:
        report.violations = [found for found in report.violations if found.rule not in FEATURE_RULES]
    return report


def _findings(sentence: Sentence, metadata: MetadataRules) -> Iterator[Finding]:
    yield from metadata.findings(sentence)
    yield from column_findings(sentence)
    yield from root_findings(sentence)
    if is_tree(sentence.heads, single_root=False):
        tree = SyntaxTree(sentence)
        for findings in (relation_findings, leaf_findings, tag_findings):
            yield from findings(tree)


def _file_problems(report: Report) -> Iterator[tuple[str, str]]:
    for message in _large_inventories(report):
        yield "large-inventory", message
    if report.words and not any(report.values[column] for column in ("upos", "xpos", "feats")):
        yield "no-tags", f"{report.name}: no word has UPOS, XPOS or FEATS; add UPOS tags before training"
    if not report.sentences and not report.errors:
        yield "no-sentences", no_sentences(report.name)


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


def _large_inventories(report: Report) -> Iterator[str]:
    for column, most in MOST.items():
        found = len(report.values[column])
        if found > most:
            problem = f"{found} different values of {column.upper()}, more than {most}"
            yield f"{report.name}: {problem}; check whether the column holds something else"
