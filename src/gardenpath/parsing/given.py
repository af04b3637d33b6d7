"""The given heads of sentences: which of them a parse keeps."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from gardenpath import constraints
from gardenpath.constraints.base import Constraint, GivenArcs
from gardenpath.constraints.conflicts import consistent_arcs, find_conflict, without_conflicts
from gardenpath.errors import GardenpathWarning, InputError
from gardenpath.formats.document import EMPTY, Sentence
from gardenpath.parsing.parser import Parser
from gardenpath.trees import find_problems

NONE = -1                      # the number of a label that is not given, or that the model does not know
_REMEDY = (
    "ignore such heads (`drop_conflicts=True`, `--drop-conflicts`), "
    "or ignore all heads (`keep_heads=False`, `--reparse`)"
)


class HeadPolicy(NamedTuple):
    """Which given heads a parse keeps.

    `keep` is True for all given heads, False for none, and None for those of sentences in which other words have no
    head. `drop_conflicts` ignores heads that contradict others, with a warning; otherwise they are an error.
    """

    keep: bool | None = None
    drop_conflicts: bool = False

    def is_complete(self, sentence: Sentence) -> bool:
        """Return whether nothing is left to parse, because all heads and relations of a sentence are kept."""
        if not self.keep or not all(word.head is not None and word.deprel != EMPTY for word in sentence.words):
            return False
        problems = find_problems([word.head for word in sentence.words], single_root=False)
        if problems and not self.drop_conflicts:
            raise InputError(f"{sentence.where}: {problems[0].fault}; {problems[0].remedy}, {_REMEDY}")
        return not problems

    def arcs(self, parser: Parser, sentences: Sequence[Sentence]) -> list[GivenArcs | None] | None:
        """Return the arcs to keep of each sentence, None for a sentence and for all sentences without any."""
        chosen = [self._heads(sentence) for sentence in sentences] if self.keep is not False else []
        if not any(chosen):
            return None
        constraint = constraints.of(parser.system)
        ids = {label: number for number, label in enumerate(parser.classes.labels)}
        return [
            self._consistent(sentence, heads, ids, constraint, parser.single_root) if heads else None
            for sentence, heads in zip(sentences, chosen, strict=True)
        ]

    def _heads(self, sentence: Sentence) -> list[int | None]:
        """Return the heads of a sentence if some of them are to be kept, and an empty list otherwise."""
        heads = [word.head for word in sentence.words]
        missing = heads.count(None)
        return heads if missing < len(heads) and (missing or self.keep) else []

    def _consistent(
        self, sentence: Sentence, heads: list[int | None], ids: Mapping[str, int], constraint: Constraint,
        single_root: bool,
    ) -> GivenArcs | None:
        """Return the given arcs, without those that contradict others if these are to be dropped."""
        words = zip(sentence.words, heads, strict=True)
        labels = [NONE if head is None else ids.get(word.deprel, NONE) for word, head in words]
        arcs = consistent_arcs(heads, constraint, single_root=single_root, labels=labels)
        if arcs is not None:
            return arcs
        conflict = find_conflict(heads, constraint, single_root=single_root)
        if not self.drop_conflicts:
            raise InputError(f"{sentence.where}: {conflict.fault}; {conflict.remedy}, {_REMEDY}")
        kept, dropped = without_conflicts(heads, constraint, single_root=single_root)
        warnings.warn(
            f"{sentence.where}: the given heads of these words are ignored: {', '.join(map(str, dropped))}; "
            f"{conflict.fault}",
            GardenpathWarning, stacklevel=2,
        )
        return GivenArcs(kept, labels) if any(head is not None for head in kept) else None


PARTIAL = HeadPolicy()         # the default: keep the heads of sentences in which other words have none
