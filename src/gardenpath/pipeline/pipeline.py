"""The steps from text to trees: segment, tag, parse; and out as CoNLL-U or as a document."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from gardenpath.core.draft import Draft
from gardenpath.errors import UsageError
from gardenpath.formats.document import EMPTY, Document, Sentence, Word
from gardenpath.pipeline.writer import COLUMNS, Writer

if TYPE_CHECKING:
    from gardenpath.search.parser import Parser
    from gardenpath.segmentation.tokenizer import Tokenizer
    from gardenpath.tagging.tagger import Tagger

INPUTS = ("text", "lines", "tokens")


class Pipeline:
    """Tokenizer, tagger and parser in a row."""

    def __init__(self, tokenizer: Tokenizer | None, tagger: Tagger, parser: Parser) -> None:
        self.tokenizer = tokenizer
        self.tagger = tagger
        self.parser = parser
        self.drafts = parser.for_drafts(tagger.tags)
        self.writer = Writer(tagger.tags, self.drafts.labels)

    def run(self, text: str, input: str = "text", offset: int = 0, continues: bool = False) -> Draft:
        """A text through all steps; the arguments are those of `divide`."""
        draft = self.divide(text, input, offset, continues)
        self.analyse([draft])
        return draft

    def divide(self, text: str, input: str = "text", offset: int = 0, continues: bool = False) -> Draft:
        """The sentences and words of a text.

        `input` says what is given: running `text`, `lines` that are sentences, or `tokens`, lines of what stands between spaces. `offset` is where the text
        begins in its document, and `continues` whether that is in the middle of a paragraph.
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
        """Tag and parse what is divided, the GIL released; columns that are not asked for stay empty."""
        for draft in drafts if tag or parse else ():
            self.tagger.tag(draft)
        if parse:
            self.drafts.parse(drafts)
        for draft in drafts if parse and not tag else ():
            draft.forget_tags()

    def document(self, draft: Draft, number: int = 1, new_document: bool = True, ranges: bool = False) -> Document:
        """What came out, as a document."""
        return self.writer.document(draft, number, new_document, ranges)

    def conllu(self, draft: Draft, number: int = 1, new_document: bool = True, ranges: bool = False) -> bytes:
        """What came out, as CoNLL-U in UTF-8."""
        return self.writer.conllu(draft, number, new_document, ranges)

    def tag(self, sentences: list[Sentence], columns: Sequence[str] = COLUMNS) -> None:
        """Fill in these columns; LEMMA only if the tagger knows lemmas."""
        tag_sentences(self.tagger, self.writer, sentences, columns)

    def complete(self, sentence: Sentence) -> None:
        """Fill in those columns that are empty throughout the sentence."""
        self.tag([sentence], [column for column in COLUMNS if all(getattr(word, column) == EMPTY for word in sentence)])


def tag_sentences(tagger: Tagger, writer: Writer, sentences: Sequence[Iterable[Word]], columns: Sequence[str] = COLUMNS) -> None:
    """Fill in these columns of words; LEMMA only if the tagger knows lemmas. The writer knows the tagger's tags."""
    draft = Draft.of([[word.form for word in words] for words in sentences])
    tagger.tag(draft)
    writer.fill(draft, sentences, columns)


def checked_input(input: str) -> str:
    """The name of a kind of input, if it is one."""
    if input not in INPUTS:
        raise UsageError(f"no input is called {input!r}; there are {', '.join(INPUTS)}")
    return input
