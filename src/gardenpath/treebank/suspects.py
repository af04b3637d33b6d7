"""Suspects: words whose annotation is probably wrong, the most suspicious first.

Parsers that were trained on the other sentences parse each sentence. A word is suspect if a parser disagrees with its
head or label, or if the same words are annotated differently elsewhere (`variation`). The score is the sum of

    log p / (1 - p)           p is the parser's calibrated probability that the annotation is wrong (mean over systems)
    0.5 log n' / n            n and n' are the numbers of arcs of the treebank of the same kind as the annotated and as
                              the predicted arc: UPOS of both words, label, direction
    log m' / m                m and m' are the numbers of occurrences of the words in the same context with this and
                              with another annotation, if that is at least as frequent
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gardenpath.errors import UsageError
from gardenpath.formats.conllu import Source, line_of
from gardenpath.formats.document import Sentence, Word
from gardenpath.formats.treebank import read_treebank
from gardenpath.models.settings import Settings
from gardenpath.systems import DEFAULT
from gardenpath.treebank.folds import PredictedArc, Tree, Watch, cross_validated
from gardenpath.treebank.variation import Variation, find_variations

KIND_WEIGHT = 0.5          # chosen on a spoiled en_partut, see benchmarks/suspects.py
SMOOTHING = 0.5            # added to counts
LIMITS = (1e-4, 1 - 1e-4)  # of probabilities
EPOCHS = 5

Kind = tuple[str, str, str, bool]


@dataclass(frozen=True, slots=True)
class Suspect:
    """A word with its annotated and its predicted head and label.

    `confidence` is the probability of the prediction. `agreeing` is the number of systems with this prediction, 0 if it
    comes from a variation only. `system` is the number of the first of them.
    """

    sentence: int
    word: int
    head: int
    label: str
    predicted_head: int
    predicted_label: str
    score: float
    confidence: float
    agreeing: int
    system: int
    variation: Variation | None

    @property
    def kind(self) -> str:
        """What differs: `head`, `label` or `both`; `variation` if the systems agree with the annotation."""
        heads, labels = self.head != self.predicted_head, self.label != self.predicted_label
        return "both" if heads and labels else "head" if heads else "label" if labels else "variation"


@dataclass(frozen=True, slots=True)
class Suspects:
    """The suspects of a treebank, the most suspicious first, and the trees that the systems predict."""

    sentences: list[Sentence]
    found: list[Suspect]
    systems: list[str]
    trees: list[list[Tree]]

    def __len__(self) -> int:
        return len(self.found)

    def __iter__(self) -> Iterator[Suspect]:
        return iter(self.found)

    def line(self, suspect: Suspect) -> int:
        """Return the line of the word in its file."""
        sentence = self.sentences[suspect.sentence]
        first = int(sentence.place.rpartition(":")[2])
        return line_of(sentence, sentence.words[suspect.word - 1], first)

    def form(self, suspect: Suspect, word: int) -> str:
        """Return the form of a word in the sentence of a suspect, `ROOT` for word 0."""
        return self.sentences[suspect.sentence].words[word - 1].form if word else "ROOT"

    def predicted(self, suspect: Suspect) -> Sentence:
        """Return the sentence with the tree that a system predicts."""
        sentence = self.sentences[suspect.sentence]
        tree = self.trees[suspect.system][suspect.sentence]
        words = [
            Word(word.id, word.form, word.lemma, word.upos, word.xpos, word.feats, arc.head, arc.label)
            for word, arc in zip(sentence, tree, strict=True)
        ]
        return Sentence(words, sentence.comments, sentence.ranges, place=sentence.place)


def find_suspects(
    source: Source, *, systems: Sequence[str] = (DEFAULT,), folds: int | None = None, epochs: int = EPOCHS,
    seed: int = 1, workers: int = 1, variation: bool = True, allow_multiple_roots: bool = False,
    watch: Watch | None = None,
) -> Suspects:
    """Return the words of a CoNLL-U treebank whose head or label is probably wrong, the most suspicious first.

    Perceptrons with these transition systems are trained and tested by cross-validation, with the tags of the file.
    `folds` is the number of folds, by default 10. `variation=False` leaves out variation n-grams. `workers` is the
    number of processes; the result does not depend on it.
    """
    if not systems:
        raise UsageError(f"no transition system; give at least one, such as {DEFAULT}")
    sentences = read_treebank(source, allow_multiple_roots=allow_multiple_roots)
    settings = [
        Settings.configured(
            None, system=name, tags="gold", epochs=epochs, seed=seed, single_root=not allow_multiple_roots
        )
        for name in systems
    ]
    trees = cross_validated(sentences, settings, folds=folds, seed=seed, workers=workers, watch=watch)
    variations = find_variations(sentences) if variation else []
    return Suspects(sentences, rank(sentences, trees, variations), list(systems), trees)


def rank(
    sentences: Sequence[Sentence], trees: Sequence[Sequence[Tree]], variations: Sequence[Variation] = ()
) -> list[Suspect]:
    """Return the suspects of sentences with predicted trees, the most suspicious first."""
    kinds = Counter(
        _kind(sentence, word.id, word.head or 0, word.deprel) for sentence in sentences for word in sentence
    )
    strongest: dict[tuple[int, int], Variation] = {}
    for each in sorted(variations, key=_weight_of, reverse=True):
        strongest.setdefault((each.sentence, each.word), each)
    found = []
    for number, sentence in enumerate(sentences):
        for word in sentence:
            arcs = [system[number][word.id - 1] for system in trees]
            variation = strongest.get((number, word.id))
            if variation or any(not _agrees(word, arc) for arc in arcs):
                found.append(_suspect(number, sentence, word, arcs, kinds, variation))
    return sorted(found, key=lambda suspect: (-suspect.score, suspect.sentence, suspect.word))


def _suspect(
    number: int, sentence: Sentence, word: Word, arcs: list[PredictedArc], kinds: Counter[Kind],
    variation: Variation | None,
) -> Suspect:
    score = sum(_evidence(sentence, word, arc, kinds) for arc in arcs) / len(arcs)
    score += _weight_of(variation) if variation else 0
    votes = Counter((arc.head, arc.label) for arc in arcs if not _agrees(word, arc))
    if votes:
        (head, label), agreeing = votes.most_common(1)[0]
        system = next(i for i, arc in enumerate(arcs) if (arc.head, arc.label) == (head, label))
        confidence = _probability(word, arcs[system])
    else:
        assert variation is not None
        agreeing, system, confidence = 0, 0, variation.others / (variation.others + variation.same)
        head = word.head or 0 if variation.head is None else variation.head
        label = variation.label or word.deprel
    return Suspect(
        number, word.id, word.head or 0, word.deprel, head, label, score, confidence, agreeing, system, variation
    )


def _evidence(sentence: Sentence, word: Word, arc: PredictedArc, kinds: Counter[Kind]) -> float:
    """Return how much the prediction of one system speaks against the annotation."""
    odds = _log_odds(_probability(word, arc))
    if _agrees(word, arc):
        return odds
    own = kinds[_kind(sentence, word.id, word.head or 0, word.deprel)] - 1 + SMOOTHING       # without this arc
    other = kinds[_kind(sentence, word.id, arc.head, arc.label)] + SMOOTHING
    return odds + KIND_WEIGHT * math.log(other / own)


def _agrees(word: Word, arc: PredictedArc) -> bool:
    return (arc.head, arc.label) == (word.head, word.deprel)


def _probability(word: Word, arc: PredictedArc) -> float:
    """Return the probability that the annotation of a word is wrong, according to one system."""
    if arc.head != word.head:
        return arc.head_confidence
    if arc.label != word.deprel:
        return arc.label_confidence
    return 1 - arc.head_confidence * arc.label_confidence


def _log_odds(probability: float) -> float:
    bounded = min(max(probability, LIMITS[0]), LIMITS[1])
    return math.log(bounded / (1 - bounded))


def _weight_of(variation: Variation) -> float:
    return math.log((variation.others + SMOOTHING) / (variation.same + SMOOTHING))


def _kind(sentence: Sentence, word: int, head: int, label: str) -> Kind:
    upos = sentence.words[head - 1].upos if head else "ROOT"
    return upos, sentence.words[word - 1].upos, label, head < word
