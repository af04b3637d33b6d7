"""Parse inputs of any kind to one output, with the options of `gardenpath parse`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from rich.console import Console

from gardenpath.cli import convert
from gardenpath.cli.inputs import CONLLU, TEXT, TEXT_KINDS
from gardenpath.cli.options import PLAIN, binary_output
from gardenpath.errors import UsageError
from gardenpath.formats import registry
from gardenpath.formats.confidence import with_confidence
from gardenpath.formats.document import Sentence
from gardenpath.formats.texts import read_texts
from gardenpath.models import Model
from gardenpath.pipeline.pipeline import INPUTS


@dataclass(frozen=True, slots=True)
class ParseOptions:
    """A model, and how to read, parse and write."""

    model: Model
    model_name: str
    threads: int
    encoding: str
    text_field: str
    id_field: str
    ranges: bool
    confidence: bool
    retag: bool
    keep_heads: bool | None
    drop_conflicts: bool
    beam: int | None
    kbest: int
    table: Mapping[str, Any]           # columns and rows of tables
    replaced: list[int] = field(default_factory=list)      # by input: sentences whose whole tree was replaced

    def parse(
        self, sources: Sequence[str], kinds: Sequence[str], output_file: str, written: str, *,
        ids: Sequence[str] = (), prefix: str = "",
    ) -> None:
        """Parse sources of these kinds, all of them texts or all in one format with columns, to a file.

        `ids` are those of the documents, and `prefix` begins the ids of the sentences, if the sources are texts.
        """
        self._check(kinds[0])
        # With --kbest, the first parse of a text only provides words and tags, so greedy search is enough.
        first = self.beam if self.kbest == 1 else 1
        if kinds[0] in TEXT_KINDS:
            pieces = chain.from_iterable(
                read_texts(
                    source, kind, encoding=self.encoding, text_field=self.text_field, id_field=self.id_field, id=id
                ) for source, kind, id in zip(sources, kinds, ids or [""] * len(sources), strict=True)
            )
            input = kinds[0] if kinds[0] in INPUTS else TEXT
            if written == CONLLU and self.kbest == 1:
                with binary_output(output_file) as target:
                    for part in self.model.to_conllu(
                        pieces, self.threads, input=input, ranges=self.ranges, confidence=self.confidence,
                        beam=self.beam, prefix=prefix,
                    ):
                        target.write(part)
                return
            parsed = self.model.to_sentences(
                pieces, self.threads, input=input, ranges=self.ranges, confidence=self.confidence, beam=first,
                prefix=prefix,
            )
        else:
            sentences = self._counted(
                chain.from_iterable(registry.read(source, kinds[0], self.encoding) for source in sources)
            )
            if self.kbest == 1:
                parsed = self.model.stream(sentences, self.threads, first, retag=self.retag, **self._heads())
            else:
                parsed = self.model.tagged(sentences, retag=self.retag)
            if self.confidence:
                parsed = map(confidence_in_misc, parsed)
        found = parsed if self.kbest == 1 else self._best_parses(parsed)
        convert.write(found, output_file, written, **self.table)

    def tell_replaced(self) -> None:
        """Report on standard error how many sentences had a whole tree that was replaced, unless this was an option."""
        if total := sum(self.replaced):
            had = f"{total:,} sentence{'s' * (total > 1)} had a whole tree, which was replaced"
            remedy = "--keep-heads keeps such trees, --reparse replaces them without this note"
            Console(stderr=True).print(f"gardenpath: {had}; {remedy}", **PLAIN)

    def _counted(self, sentences: Iterable[Sentence]) -> Iterator[Sentence]:
        """Count the sentences in which all words have a head, and which are parsed anew nevertheless."""
        count = 0
        for sentence in sentences:
            count += self.keep_heads is None and all(word.head is not None for word in sentence)
            yield sentence
        self.replaced.append(count)

    def _heads(self) -> dict[str, Any]:
        """Return the options about given heads."""
        return {"keep_heads": self.keep_heads, "drop_conflicts": self.drop_conflicts}

    def _check(self, kind: str) -> None:
        """Raise `UsageError` if an option does not fit this kind of input."""
        if self.ranges and kind not in TEXT_KINDS:
            raise UsageError(f"--ranges needs text input, not {kind}; leave it out")
        if self.retag and kind in TEXT_KINDS:
            raise UsageError(f"--retag needs input with columns, such as CoNLL-U, not {kind}; leave it out")
        if kind in TEXT_KINDS and (self.keep_heads is not None or self.drop_conflicts):
            options = "--keep-heads, --reparse and --drop-conflicts"
            raise UsageError(f"{options} need input with columns, such as CoNLL-U, not {kind}; leave them out")
        if self.confidence and self.kbest > 1:
            raise UsageError("--confidence needs a single parse of each sentence; leave out --kbest")
        if self.confidence and not self.model.is_calibrated:
            raise UsageError(
                f"--confidence needs a calibrated model; calibrate {self.model_name} first (`gardenpath calibrate`)"
            )

    def _best_parses(self, sentences: Iterable[Sentence]) -> Iterator[Sentence]:
        """Yield the k best parses of each sentence, with rank and score as comments."""
        for sentence in sentences:
            parses = self.model.kbest(sentence, self.kbest, self.beam, **self._heads())
            for rank, (score, parse) in enumerate(parses, 1):
                parse.comments += [f"# parse = {rank}", f"# score = {score:.6g}"]
                yield parse


def confidence_in_misc(sentence: Sentence) -> Sentence:
    """Write the confidence of the words of a sentence to MISC, in place."""
    for word in sentence:
        word.misc = with_confidence(word.misc, word.confidence)
    return sentence
