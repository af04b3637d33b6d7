"""The symbols of a treebank that the network has parameters for: characters, forms, tags and lemma rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from gardenpath.features.vectors import lower_case
from gardenpath.formats.document import Sentence, Word
from gardenpath.tagging.edits import IDENTITY, rule_of
from gardenpath.tagging.lemma_pairs import Rule, Tag, has_lemma, most_frequent, rules_of_pairs
from gardenpath.tagging.tagset import Tagset, parts_of

UNKNOWN = 0               # the id of an unknown character or form
LONGEST = 32              # longer forms are shortened to their first and last characters
IGNORED = -100            # a target without a loss


def shortened(form: str) -> str:
    """Return the characters of a form that the network reads."""
    return form if len(form) <= LONGEST else form[: LONGEST // 2] + form[-LONGEST // 2 :]


@dataclass(frozen=True)
class Vocabulary:
    """Symbols by id. Characters and forms are numbered from 1."""

    characters: list[str]                  # sorted
    forms: list[str]                       # in lower case
    tags: list[Tag]                        # triples of UPOS, XPOS and FEATS
    rules: list[Rule]                      # lemma rules, those with a class first; empty if there are no lemmas
    rule_classes: int                      # number of rules that the network scores
    lemmas: dict[tuple[str, int], int]     # the most frequent rule of each pair of form and tag
    known_lemmas: set[str]                 # all lemmas
    parts: list[list[int]] = field(init=False)         # by tag: the numbers of the parts that it shares with others
    part_count: int = field(init=False)
    character_ids: dict[str, int] = field(init=False)
    form_ids: dict[str, int] = field(init=False)
    tag_ids: dict[Tag, int] = field(init=False)
    rule_ids: dict[Rule, int] = field(init=False)

    def __post_init__(self) -> None:
        parts = _shared_parts(self.tags)
        found = {
            "parts": parts, "part_count": len({part for numbers in parts for part in numbers}),
            "character_ids": {character: i for i, character in enumerate(self.characters, 1)},
            "form_ids": {form: i for i, form in enumerate(self.forms, 1)},
            "tag_ids": {tag: i for i, tag in enumerate(self.tags)},
            "rule_ids": {rule: i for i, rule in enumerate(self.rules)},
        }
        for name, value in found.items():
            object.__setattr__(self, name, value)

    @classmethod
    def of(cls, sentences: Sequence[Sentence], min_forms: int = 2, min_characters: int = 2) -> Vocabulary:
        """Make the vocabulary of a treebank. Rarer forms and characters are unknown."""
        forms = Counter(word.form for sentence in sentences for word in sentence.words)
        low: Counter[str] = Counter()
        characters: Counter[str] = Counter()
        for form, count in forms.items():
            low[lower_case(form)] += count
            for character in shortened(form):
                characters[character] += count
        tags = Tagset.of([sentence.words for sentence in sentences]).tags
        found = rules_of_pairs(sentences)
        rules, classes = _rules(found)
        tag_ids, rule_ids = ({each: i for i, each in enumerate(symbols)} for symbols in (tags, rules))
        common = [character for character, count in characters.items() if count >= min_characters]
        return cls(
            sorted(common or characters),           # a network has at least one character
            sorted((form for form, count in low.items() if count >= min_forms), key=lambda form: (-low[form], form)),
            tags, rules, classes,
            {(form, tag_ids[tag]): rule_ids[most_frequent(counts)] for (form, tag), counts in found.items()},
            {word.lemma for sentence in sentences for word in sentence.words if has_lemma(word)},
        )

    def spell(self, form: str) -> list[int]:
        """Return the ids of the characters of a form."""
        return [self.character_ids.get(character, UNKNOWN) for character in shortened(form)] or [UNKNOWN]


def _shared_parts(tags: list[Tag]) -> list[list[int]]:
    """Return, for each tag, the parts that it shares with some but not all tags: UPOS, XPOS and single features."""
    parts = [[part for part in parts_of(tag) if part[0] in ("upos", "xpos", "feature")] for tag in tags]
    owners = Counter(part for each in parts for part in each)
    shared = [part for part, count in owners.items() if 1 < count < len(tags)]
    numbers = {part: number for number, part in enumerate(shared)}
    return [[numbers[part] for part in each if part in numbers] for each in parts]


def _rules(found: dict[tuple[str, Tag], Counter[Rule]]) -> tuple[list[Rule], int]:
    """Return all rules, and the number of those that have a class.

    Those with a class come first: the identity, and the rules that more than one form needs.
    """
    users: dict[Rule, set[str]] = {}
    for (form, _), counts in found.items():
        for rule in counts:
            users.setdefault(rule, set()).add(form)
    users.pop(IDENTITY, None)
    if not found:
        return [], 0
    rules = [IDENTITY, *sorted(users, key=lambda rule: (-len(users[rule]), rule))]
    return rules, 1 + sum(len(forms) > 1 for forms in users.values())


class EncodedTreebank:
    """The words of a treebank as numbers, one sentence after the other."""

    def __init__(self, vocabulary: Vocabulary, sentences: Sequence[Sequence[Word]], *, targets: bool = True) -> None:
        words = [word for sentence in sentences for word in sentence]
        self.lengths = np.array([len(sentence) for sentence in sentences], np.int64)
        self.first = np.concatenate([[0], np.cumsum(self.lengths)])
        numbers: dict[str, int] = {}
        self.spellings = np.array([numbers.setdefault(word.form, len(numbers)) for word in words], np.int64)
        self.distinct = list(numbers)                                  # the forms, by the numbers in `spellings`
        ids = [vocabulary.form_ids.get(lower_case(form), UNKNOWN) for form in self.distinct]
        self.form_ids = np.array(ids, np.int64)
        spelt = [vocabulary.spell(form) for form in self.distinct]
        self.spelt_lengths = np.array([len(ids) for ids in spelt], np.int64)
        self.spelt = np.zeros((len(spelt), max(map(len, spelt), default=1)), np.int64)
        for row, ids in zip(self.spelt, spelt, strict=True):
            row[: len(ids)] = ids
        if targets:
            self.tags = np.array([vocabulary.tag_ids[word.upos, word.xpos, word.raw_feats] for word in words], np.int64)
            scored = {rule: number for rule, number in vocabulary.rule_ids.items() if number < vocabulary.rule_classes}
            rules = {
                pair: scored.get(rule_of(*pair), IGNORED)
                for pair in {(word.form, word.lemma) for word in words if has_lemma(word)}
            }
            self.rules = np.array([rules.get((word.form, word.lemma), IGNORED) for word in words], np.int64)

    def places(self, order: Sequence[int]) -> np.ndarray:
        """Return the numbers of the words of some sentences, one sentence after the other."""
        return np.concatenate([np.arange(self.first[i], self.first[i + 1]) for i in order])
