"""Statistics of a treebank: sentences, words, tags, labels, arcs, shapes of trees, and coverage of the systems."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields
from math import ceil, floor
from pathlib import Path
from typing import Any

from gardenpath import oracles
from gardenpath.errors import InputError
from gardenpath.formats.conllu import Source, read_conllu, source_name
from gardenpath.formats.document import EMPTY, Sentence
from gardenpath.formats.treebank import no_sentences
from gardenpath.oracles.swaps import count_swaps, swapping_oracles
from gardenpath.treebank.checking import static_oracles
from gardenpath.treebank.shape import shape_of
from gardenpath.trees import find_problems, projectivise

DISTRIBUTIONS = ("lengths", "roots", "arcs", "depths", "dependents", "gap_degrees", "edge_degrees")
BY_COUNT = ("upos", "features", "labels")


@dataclass(slots=True)
class Statistics:
    """The counts of `describe`. Counts about heads cover `trees` only: sentences whose heads form a tree.

    A tree may have several roots. Distributions are counters: sentences by length, arcs by the position of the
    dependent relative to its head (-2 is two words before it), words by number of dependents, trees by number of
    roots, depth, gap degree and edge degree.
    """

    name: str
    sentences: int = 0
    words: int = 0
    tokens: int = 0
    multiword_tokens: int = 0
    empty_nodes: int = 0
    lengths: Counter[int] = field(default_factory=Counter)
    upos: Counter[str] = field(default_factory=Counter)
    features: Counter[str] = field(default_factory=Counter)
    labels: Counter[str] = field(default_factory=Counter)
    trees: int = 0
    roots: Counter[int] = field(default_factory=Counter)
    arcs: Counter[int] = field(default_factory=Counter)
    depths: Counter[int] = field(default_factory=Counter)
    dependents: Counter[int] = field(default_factory=Counter)
    nonprojective_trees: int = 0
    nonprojective_arcs: int = 0
    lifted_arcs: int = 0
    gap_degrees: Counter[int] = field(default_factory=Counter)
    edge_degrees: Counter[int] = field(default_factory=Counter)
    ill_nested_trees: int = 0
    one_endpoint_crossing_trees: int = 0
    derived: Counter[str] = field(default_factory=Counter)
    swaps: Counter[str] = field(default_factory=Counter)

    @property
    def universal_labels(self) -> Counter[str]:
        """Labels without subtypes: `nsubj:pass` counts as `nsubj`."""
        found: Counter[str] = Counter()
        for label, count in self.labels.items():
            found[label.partition(":")[0]] += count
        return found

    @property
    def tree_arcs(self) -> int:
        """The number of arcs of all trees, including those from the root."""
        return sum(count * roots for roots, count in self.roots.items()) + self.arcs.total()

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values for JSON.

        Distributions come with mean, quartiles and extremes; tags and labels are sorted by frequency.
        """
        plain = {each.name: getattr(self, each.name) for each in fields(self)}
        plain |= {name: summary(plain[name]) for name in DISTRIBUTIONS} | {
            name: dict(by_count(plain[name])) for name in BY_COUNT
        }
        return plain | {
            "universal_labels": dict(by_count(self.universal_labels)),
            "arc_lengths": summary(lengths_of(self.arcs)),
            "tree_arcs": self.tree_arcs,
        }


def describe(source: Source, *, systems: Iterable[str] | None = None) -> Statistics:
    """Count the contents of a CoNLL-U file (`-` is standard input).

    `systems` are the names of the systems to try on every tree; by default all.
    """
    static = static_oracles(systems)
    swapping = swapping_oracles()
    found = Statistics(
        source_name(source), derived=Counter(dict.fromkeys(static, 0)), swaps=Counter(dict.fromkeys(swapping, 0))
    )
    for sentence in read_conllu(source):
        _count_words(found, sentence)
        if not find_problems(sentence.heads, single_root=False):
            _count_tree(found, [head for head in sentence.heads if head is not None], static, swapping)
    if not found.sentences:
        raise InputError(no_sentences(found.name))
    return found


def files_of(folder: str | Path) -> list[Path]:
    """Return the CoNLL-U files of a folder, sorted by name, without those in subfolders."""
    found = sorted(path for path in Path(folder).glob("*.conllu") if path.is_file())
    if not found:
        raise InputError(
            f"{folder}: no file in the folder ends with .conllu; give the folder of the treebank, or its files"
        )
    return found


def together(name: str, parts: Sequence[Statistics]) -> Statistics:
    """Add up the counts of several treebanks."""
    total = Statistics(name)
    for part in parts:
        for each in fields(Statistics)[1:]:
            mine, theirs = getattr(total, each.name), getattr(part, each.name)
            if isinstance(mine, Counter):
                mine.update(theirs)
            else:
                setattr(total, each.name, mine + theirs)
    return total


def lengths_of(arcs: Counter[int]) -> Counter[int]:
    """Return arcs by length, in both directions."""
    found: Counter[int] = Counter()
    for distance, count in arcs.items():
        found[abs(distance)] += count
    return found


def by_count(counts: Counter[str]) -> list[tuple[str, int]]:
    """Return names with their counts, the most frequent first, then in alphabetical order."""
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def summary(counts: Counter[int]) -> dict[str, Any]:
    """Return a distribution as plain values: mean, quartiles, extremes and all counts."""
    return {
        "mean": mean(counts),
        "least": min(counts, default=None),
        "quartiles": [quantile(counts, share) for share in (0.25, 0.5, 0.75)],
        "most": max(counts, default=None),
        "counts": {str(value): counts[value] for value in sorted(counts)},
    }


def mean(counts: Counter[int]) -> float | None:
    """Return the mean of a distribution, or None if it is empty."""
    return sum(value * count for value, count in counts.items()) / counts.total() if counts else None


def quantile(counts: Counter[int], share: float) -> float | None:
    """Return the quantile of a distribution with linear interpolation, or None if it is empty."""
    if not counts:
        return None
    place = share * (counts.total() - 1)
    low, high = _ranked(counts, floor(place)), _ranked(counts, ceil(place))
    return low + (high - low) * (place - floor(place))


def _ranked(counts: Counter[int], rank: int) -> int:
    """Return the value with this rank, from 0."""
    for value in sorted(counts):
        rank -= counts[value]
        if rank < 0:
            break
    return value


def _count_words(found: Statistics, sentence: Sentence) -> None:
    found.sentences += 1
    found.words += len(sentence)
    found.tokens += len(sentence) - sum(token.last - token.first for token in sentence.ranges)
    found.multiword_tokens += len(sentence.ranges)
    found.empty_nodes += len(sentence.empty_nodes)
    found.lengths[len(sentence)] += 1
    for word in sentence:
        found.upos[word.upos] += 1
        if word.deprel != EMPTY:
            found.labels[word.deprel] += 1
        if word.raw_feats != EMPTY:
            found.features.update(word.raw_feats.split("|"))


def _count_tree(
    found: Statistics, heads: list[int], static: dict[str, oracles.Oracle], swapping: dict[str, oracles.Oracle]
) -> None:
    shape = shape_of(heads)
    dependents = Counter(heads)
    found.trees += 1
    found.roots[dependents.pop(0)] += 1
    found.dependents.update(dependents.values())
    found.dependents[0] += len(heads) - len(dependents)
    found.arcs.update([word - head for word, head in enumerate(heads, 1) if head])
    found.depths[shape.depth] += 1
    found.gap_degrees[shape.gap_degree] += 1
    found.edge_degrees[shape.edge_degree] += 1
    found.ill_nested_trees += not shape.is_well_nested
    found.one_endpoint_crossing_trees += shape.is_one_endpoint_crossing
    for name, oracle in static.items():
        found.derived[name] += oracle.derives(heads)
    if shape.nonprojective:
        found.nonprojective_trees += 1
        found.nonprojective_arcs += len(shape.nonprojective)
        found.lifted_arcs += sum(old != new for old, new in zip(heads, projectivise(heads), strict=True))
        for kind, oracle in swapping.items():
            found.swaps[kind] += count_swaps(oracle, heads)
