"""The steps from text to trees: segment, tag, parse; and out as CoNLL-U or as a document."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from gardenpath.document import EMPTY, Document, Sentence, Word
from gardenpath.errors import UsageError
from gardenpath.search.greedy import GreedyParser
from gardenpath.text.draft import Draft
from gardenpath.text.parsing import DraftParser
from gardenpath.text.writer import COLUMNS, Writer

if TYPE_CHECKING:
    from gardenpath.search import Parser
    from gardenpath.text.tagger import Tagger
    from gardenpath.text.tokenizer import Tokenizer

INPUTS = ("text", "lines", "tokens")


class Pipeline:
    """Tokenizer, tagger and parser in a row."""

    def __init__(self, tokenizer: Tokenizer | None, tagger: Tagger, parser: Parser) -> None:
        self.tokenizer = tokenizer
        self.tagger = tagger
        self.parser = parser
        self.native = DraftParser(parser, tagger.tags) if isinstance(parser, GreedyParser) else None
        self.writer = Writer(tagger.tags, self.native.labels if self.native else parser.classes.labels)

    def run(self, text: str, input: str = "text", offset: int = 0, continues: bool = False) -> Draft:
        """A text through all steps; a parser that works on words leaves its part to `document`.

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
        self.tagger.tag(draft)
        if self.native:
            self.native.parse(draft)
        return draft

    def document(self, draft: Draft, number: int = 1, new_document: bool = True, ranges: bool = False) -> Document:
        """What came out, as a document."""
        document = self.writer.document(draft, number, new_document, ranges)
        if not self.native:
            self.parser.parse([sentence.words for sentence in document])
        return document

    def conllu(self, draft: Draft, number: int = 1, new_document: bool = True, ranges: bool = False) -> bytes:
        """What came out, as CoNLL-U in UTF-8."""
        if not self.native:
            return self.document(draft, number, new_document, ranges).to_conllu().encode()
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
