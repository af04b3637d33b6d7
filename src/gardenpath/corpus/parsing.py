"""From documents to output: CoNLL-U, or sentences for Parquet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from functools import cached_property
from itertools import chain, groupby
from typing import NamedTuple

from gardenpath.batches import batches
from gardenpath.core.draft import Draft
from gardenpath.corpus.documents import NEW_DOCUMENT, Failed, Item, Text, Warned
from gardenpath.errors import GardenpathError, UsageError
from gardenpath.formats.document import Sentence
from gardenpath.formats.text import PIECE, TextPiece, pieces_of
from gardenpath.models.model import Model
from gardenpath.models.noticing import forms, with_beginning
from gardenpath.parsing.given import PARTIAL, HeadPolicy
from gardenpath.pipeline.pipeline import Output as NumberedOutput

MOST = 20                # number of documents with warnings that are reported for each part
DIGITS = 3
Output = bytes | Sentence


@dataclass(slots=True)
class Counts:
    """The number of parsed documents, sentences and words, and of failures."""

    documents: int = 0
    sentences: int = 0
    words: int = 0
    failed: int = 0
    warned: int = 0          # documents that are probably not in the language of the model

    def __add__(self, other: Counts) -> Counts:
        mine, theirs = asdict(self), asdict(other)
        return Counts(**{name: mine[name] + theirs[name] for name in mine})


class _Passage(NamedTuple):
    """A document, or a piece of it."""

    text: Text
    piece: TextPiece


class PartParser:
    """Parses the documents of one part.

    `label` is the name of the part; the ids of sentences of raw text begin with it. With `as_rows`, the output is
    sentences instead of CoNLL-U. `heads` says which given heads stay.
    """

    def __init__(self, model: Model, label: str, as_rows: bool, heads: HeadPolicy = PARTIAL) -> None:
        self.counts = Counts()
        self.warned: list[Warned] = []           # the first ones
        self._judge = model.misfit
        self._model = model.described(profile=None)      # warnings are part of the output
        self._as_rows = as_rows
        self._label = label
        self._heads = heads

    @cached_property
    def _output(self) -> NumberedOutput:
        return self._model.pipeline().output(prefix=f"{self._label}-")

    def parse(self, items: Iterable[Item]) -> Iterator[Output | Failed | Warned]:
        """Parse documents and yield the output in their order, failures and warnings included."""
        for kind, group in groupby(items, type):
            if kind is Failed:
                found: Iterable[Output | Failed | Warned] = group    # type: ignore[assignment]  # `kind` guarantees it
            elif kind is Text:
                found = self._parse_texts(group)                     # type: ignore[arg-type]
            else:
                found = self._parse_sentences(group)                 # type: ignore[arg-type]
            for each in found:
                self.counts.failed += isinstance(each, Failed)
                yield each

    def _judged(self, id: str, text: str) -> Iterator[Warned]:
        """Yield a warning if the beginning of a document is probably not in the language of the model."""
        found = self._judge(text)
        if found is None:
            return
        warned = Warned(id, round(found.fit, DIGITS), found.languages)
        self.counts.warned += 1
        if len(self.warned) < MOST:
            self.warned.append(warned)
        yield warned

    def _parse_texts(self, texts: Iterable[Text]) -> Iterator[Output | Failed | Warned]:
        for batch in batches(_passages(texts), PIECE, lambda passage: len(passage.piece.text)):
            for passage, draft in zip(batch, self._drafts(batch), strict=True):
                if passage.piece.offset == 0:
                    self._output.begin_document(passage.text.comment)
                    self.counts.documents += passage.text.begins and isinstance(draft, Draft)
                    if passage.text.begins:
                        yield from self._judged(passage.text.id, passage.text.text)
                if isinstance(draft, Failed):
                    yield draft
                elif len(draft):
                    yield from self._written(draft)

    def _drafts(self, batch: list[_Passage]) -> list[Draft | Failed]:
        """Parse the passages together; if that fails, one by one."""
        pipeline = self._model.pipeline()
        try:
            drafts = [pipeline.divide(piece.text, text.input, piece.offset, piece.continues) for text, piece in batch]
            pipeline.analyse(drafts)
        except (UsageError, MemoryError):        # not the document's fault
            raise
        except Exception as error:
            if len(batch) > 1:
                return list(chain.from_iterable(self._drafts([passage]) for passage in batch))
            [(text, piece)] = batch
            place = text.place if piece.offset == 0 else f"{text.place}, from character {piece.offset}"
            return [Failed(text.id, place, _reason(error), piece.text)]
        return list(drafts)

    def _written(self, draft: Draft) -> Iterator[Output]:
        self.counts.sentences += len(draft)
        self.counts.words += draft.size
        if self._as_rows:
            yield from self._output.document(draft)
        else:
            yield self._output.conllu(draft)

    def _parse_sentences(self, sentences: Iterable[Sentence]) -> Iterator[Output | Failed | Warned]:
        warned: list[Warned] = []
        for batch in batches(self._watched(sentences, warned), self._model.parser.batch_words):
            yield from warned
            warned.clear()
            for each in self._trees(batch):
                if isinstance(each, Failed):
                    yield each
                    continue
                self.counts.documents += any(comment.startswith("# newdoc") for comment in each.comments)
                self.counts.sentences += 1
                self.counts.words += len(each)
                yield each if self._as_rows else each.to_conllu().encode()

    def _watched(self, sentences: Iterable[Sentence], warned: list[Warned]) -> Iterator[Sentence]:
        """Yield the sentences; add a warning for each document that begins here and does not fit the model."""
        for id, group in groupby(_with_documents(sentences), lambda pair: pair[0]):
            document = (sentence for _, sentence in group)
            if id is None:
                yield from document
                continue

            def judge(text: str, id: str = id) -> None:
                warned.extend(self._judged(id, text))

            yield from with_beginning(document, forms, judge)

    def _trees(self, batch: list[Sentence]) -> list[Sentence | Failed]:
        """Parse the sentences together; if that fails, one by one."""
        try:
            keep, drop_conflicts = self._heads
            return list(self._model.parse(batch, keep_heads=keep, drop_conflicts=drop_conflicts))
        except (UsageError, MemoryError):
            raise
        except Exception as error:
            if len(batch) > 1:
                return list(chain.from_iterable(self._trees([sentence]) for sentence in batch))
            [sentence] = batch
            return [Failed(sentence.sent_id or "", sentence.place, _reason(error), sentence.to_conllu())]


def _passages(texts: Iterable[Text]) -> Iterator[_Passage]:
    for text in texts:
        if not text.text:
            yield _Passage(text, TextPiece("", 0, False))
        for piece in pieces_of(text.text, by_line=text.input != "text", continues=text.continues):
            yield _Passage(text, piece)


def _with_documents(sentences: Iterable[Sentence]) -> Iterator[tuple[str | None, Sentence]]:
    """Yield each sentence with the id of its document; None if the document begins in another part."""
    id = None
    for sentence in sentences:
        for comment in sentence.comments:
            id = comment.removeprefix(NEW_DOCUMENT) if comment.startswith(NEW_DOCUMENT) else id
        yield id, sentence


def _reason(error: Exception) -> str:
    return str(error) if isinstance(error, GardenpathError) else f"{type(error).__name__}: {error}"
