"""The steps from text to trees, and their output as CoNLL-U or as documents."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Protocol

from gardenpath.core.draft import Draft
from gardenpath.core.given_tags import GivenTags
from gardenpath.errors import UsageError
from gardenpath.formats.document import Document, Sentence, Word
from gardenpath.parsing.parser import Parser
from gardenpath.pipeline.given import Columns, TagAgreement
from gardenpath.pipeline.steps import LEMMAS, TAGS, TREES, DraftStep, PipelineStep, TaggerStep, check_order, needed
from gardenpath.pipeline.writer import Writer

INPUTS = ("text", "lines", "tokens")
NEW_DOCUMENT = "# newdoc"


class TokenizerStep(Protocol):
    """A step that splits text into sentences, tokens and words."""

    def divide(self, draft: Draft, by_line: bool) -> None:
        """Fill in the words of a draft. With `by_line`, each line is a sentence."""


class Pipeline:
    """Tokenizer, tagger, parser and additional steps, one after the other."""

    def __init__(
        self, tokenizer: TokenizerStep | None, tagger: TaggerStep, parser: Parser, steps: Sequence[PipelineStep] = (),
    ) -> None:
        self.tokenizer = tokenizer
        self.tagger = tagger
        trees = parser.for_drafts(tagger.tags)
        self.tags, self.labels = tagger.tags, trees.labels       # the names of the numbers in drafts
        self.steps: list[DraftStep] = [tagger, trees, *steps]
        check_order(self.steps)
        self.writer = Writer(tagger.tags, trees.labels, parser.calibration)
        self.agreement = TagAgreement(tagger.tags)

    def run(self, text: str, input: str = "text", offset: int = 0, continues: bool = False) -> Draft:
        """Run all steps on a text; the arguments are those of `divide`."""
        draft = self.divide(text, input, offset, continues)
        self.analyse([draft])
        return draft

    def divide(self, text: str, input: str = "text", offset: int = 0, continues: bool = False) -> Draft:
        """Split a text into sentences and words.

        `input` is the kind of input: running `text`, `lines` that are sentences, or lines of `tokens` separated by
        spaces. `offset` is the position of the text in its document. If `continues` is true, the text begins in the
        middle of a paragraph.
        """
        draft = Draft(text, offset, continues)
        if input == "tokens":
            draft.split_lines()
        elif self.tokenizer is None:
            raise UsageError("this model has no tokenizer: give it sentences (`parse`) or tokens (input='tokens')")
        else:
            self.tokenizer.divide(draft, input == "lines")
        return draft

    def analyse(self, drafts: Sequence[Draft], *, tag: bool = True, parse: bool = True) -> None:
        """Run the steps after tokenization, with the GIL released. Columns that are not wanted stay empty."""
        given = list(drafts)
        unwanted = (set() if tag else {TAGS, LEMMAS}) | (set() if parse else {TREES})
        wanted = {column for step in self.steps for column in step.provides} - unwanted
        for step in needed(self.steps, wanted):
            step.run(given)
        if parse and not tag:
            for draft in given:
                draft.forget_tags()

    def output(self, *, prefix: str = "", ranges: bool = False, confidence: bool = False) -> Output:
        """Return an output for the drafts of one file or text.

        `prefix` begins the ids of sentences; `ranges` and `confidence` add offsets and probabilities to MISC.
        """
        return Output(self.writer, prefix, ranges, confidence)

    def tag(self, sentences: Sequence[Sentence]) -> None:
        """Fill in tags and, if the tagger has them, lemmas. Replace those that are given."""
        tag_sentences(self.tagger, self.writer, sentences)

    def complete(self, sentences: Sequence[Sentence]) -> None:
        """Fill in the tags and lemmas that are not given. They agree with those that are given of the same word."""
        given = [columns for sentence in sentences for columns in self.agreement.columns_of(sentence)]
        tag_sentences(self.tagger, self.writer, sentences, given, self.agreement.choices(given))

    def given_tags(self, sentences: Sequence[Sentence]) -> GivenTags | None:
        """Return the tags that the words of sentences can get, or None if every word can get every tag."""
        return self.agreement.choices(chain.from_iterable(map(self.agreement.columns_of, sentences)))


class Output:
    """Writes drafts one after the other. This is the one place where sentences get their numbers and ids."""

    def __init__(self, writer: Writer, prefix: str, ranges: bool, confidence: bool) -> None:
        self._writer = writer
        self._options = prefix, ranges, confidence
        self._number = 1                     # of the next sentence
        self._heading = NEW_DOCUMENT         # goes above the next sentence

    def begin_document(self, heading: str = NEW_DOCUMENT) -> None:
        """Begin a document: `heading` is the comment above its first sentence."""
        self._heading = heading

    def conllu(self, draft: Draft) -> bytes:
        """Return a draft as CoNLL-U in UTF-8."""
        return self._writer.conllu(draft, *self._next(draft))

    def document(self, draft: Draft) -> Document:
        """Return a draft as a document."""
        return self._writer.document(draft, *self._next(draft))

    def _next(self, draft: Draft) -> tuple[int, str, str, bool, bool]:
        number, heading = self._number, self._heading
        self._number += len(draft)
        if len(draft):
            self._heading = ""
        return number, heading, *self._options


def tag_sentences(
    tagger: TaggerStep, writer: Writer, sentences: Sequence[Iterable[Word]], given: Sequence[Columns] | None = None,
    choices: GivenTags | None = None,
) -> None:
    """Fill in the tags and the lemmas of words. The writer must have the tags of the tagger.

    If `given` has the given columns of all words, these and given lemmas stay. `choices` are the tags that agree.
    """
    draft = Draft.of([[word.form for word in words] for words in sentences])
    if choices is not None:
        draft.give_tags(choices)
    tagger.tag(draft)
    writer.fill(draft, sentences, given)


def checked_input(input: str) -> str:
    """Return the name of a kind of input; raise `UsageError` if there is no such kind."""
    if input not in INPUTS:
        raise UsageError(f"unknown input format {input!r}; choose one of {', '.join(INPUTS)}")
    return input
