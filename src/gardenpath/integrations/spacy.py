"""gardenpath for spaCy: a pipeline component, a tokenizer, and a complete pipeline.

`nlp.add_pipe("gardenpath", config={"model": "en"})` works without an import, because the package registers its
component with an entry point. Every spaCy token except white space is parsed as a word. A `Doc` cannot represent
multi-word tokens and empty nodes. In spaCy, a root is its own head and has the label `ROOT`.
"""

from __future__ import annotations

import tempfile
import warnings
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import spacy
from spacy.attrs import DEP, HEAD
from spacy.language import Language
from spacy.pipeline import Pipe
from spacy.scorer import Scorer
from spacy.tokens import Doc, Token
from spacy.training import Example
from spacy.util import get_lang_class, minibatch, registry
from spacy.vocab import Vocab

from gardenpath.catalogue import find_language, find_treebank
from gardenpath.errors import UsageError
from gardenpath.formats.document import EMPTY, Sentence, Word
from gardenpath.formats.document import Token as MultiWordToken
from gardenpath.models import Model
from gardenpath.models import load as load_model
from gardenpath.models.lookup import FAST

ROOT = "ROOT"              # spaCy's name for the label `root`
SPACE = "dep"              # the label of white space tokens
PUNCTUATION = ("p", "punct")
FILE = "model.gp"
ASSIGNS = [
    "token.head", "token.dep", "token.is_sent_start", "doc.sents", "token.tag", "token.pos", "token.morph",
    "token.lemma",
]
SCORES = {"dep_uas": 0.5, "dep_las": 0.5, "dep_las_per_type": None, "sents_p": None, "sents_r": None, "sents_f": 0.0}
DEFAULTS = {
    "model": "en", "tags": False, "lemmas": False, "keep_tags": False, "score_punctuation": False, "threads": 1,
}


class _Stored:
    """Base class with a model that is saved to disk or to bytes.

    A model given by name or path is loaded on first use. It is never loaded if `from_disk` or `from_bytes` replaces it.
    """

    def __init__(self, model: str | Path | Model) -> None:
        self._named = model

    @property
    def trained(self) -> Model:
        """The model. The attribute is not called `model` because spaCy expects a Thinc network under that name."""
        if not isinstance(self._named, Model):
            self._named = load_model(self._named)
        return self._named

    def to_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> None:
        """Write the model to a folder."""
        folder = Path(path)
        folder.mkdir(parents=True, exist_ok=True)
        self.trained.save(folder / FILE)

    def from_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> Any:
        """Load the model from a folder."""
        self._named = load_model(Path(path) / FILE)
        return self

    def to_bytes(self, *, exclude: Iterable[str] = ()) -> bytes:
        """Return the content of the model file."""
        with tempfile.TemporaryDirectory() as folder:
            self.to_disk(folder)
            return (Path(folder) / FILE).read_bytes()

    def from_bytes(self, content: bytes, *, exclude: Iterable[str] = ()) -> Any:
        """Load the model from the content of a model file."""
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / FILE).write_bytes(content)
            return self.from_disk(folder)


@Language.factory("gardenpath", assigns=ASSIGNS, default_score_weights=SCORES, default_config=DEFAULTS)
def make_component(
    nlp: Language, name: str, model: str | Path, tags: bool, lemmas: bool, keep_tags: bool, score_punctuation: bool,
    threads: int,
) -> Component:
    """Create the component for `nlp.add_pipe("gardenpath")`."""
    return Component(
        nlp.vocab, model, name, tags=tags, lemmas=lemmas, keep_tags=keep_tags, score_punctuation=score_punctuation,
        threads=threads,
    )


class Component(_Stored, Pipe):
    """Pipeline component that sets heads, labels and sentence starts.

    With `tags` it also sets `tag`, `pos` and `morph`, with `lemmas` the lemmas. Existing sentence starts are kept. The
    parser uses its own predicted tags, or with `keep_tags` the tags of the document. `threads` is the number of parser
    threads.
    """

    def __init__(
        self, vocab: Vocab, model: str | Path | Model = "en", name: str = "gardenpath", *, tags: bool = False,
        lemmas: bool = False, keep_tags: bool = False, score_punctuation: bool = False, threads: int = 1,
    ) -> None:
        super().__init__(model)
        self.vocab = vocab
        self.name = name
        self.tags, self.lemmas, self.keep_tags = tags, lemmas, keep_tags
        self.score_punctuation = score_punctuation
        self.threads = threads

    def __call__(self, doc: Doc) -> Doc:
        """Annotate a document in place."""
        self._annotate([doc])
        return doc

    def pipe(self, stream: Iterable[Doc], *, batch_size: int = 128) -> Iterator[Doc]:
        """Annotate a stream of documents in batches."""
        for docs in minibatch(stream, batch_size):
            try:
                self._annotate(docs)
            except Exception:
                yield from self._one_by_one(docs)
            else:
                yield from docs

    def _one_by_one(self, docs: Sequence[Doc]) -> Iterator[Doc]:
        """Annotate documents one by one, and pass errors to the error handler of the pipeline."""
        handle = self.get_error_handler()
        for doc in docs:
            try:
                yield self(doc)
            except Exception as error:
                handle(self.name, self, [doc], error)

    def _annotate(self, docs: Sequence[Doc]) -> None:
        tokens = [_sentences(doc, self._starts(doc)) for doc in docs]
        sentences = [[self._sentence(each) for each in found] for found in tokens]
        self.trained.parse(list(chain.from_iterable(sentences)), self.threads, retag=not self.keep_tags)
        for doc, found, parsed in zip(docs, tokens, sentences, strict=True):
            self._set_trees(doc, found, parsed)
            for token, word in zip(chain.from_iterable(found), chain.from_iterable(parsed), strict=True):
                self._set_tags(token, word)
            for token in doc:
                if token.is_space:
                    self._set_tags(token, Word(1, token.text, token.text, "SPACE", "_SP"))    # as in spaCy's pipelines

    def _starts(self, doc: Doc) -> set[int]:
        """Return the tokens that start a sentence: those already set, and those that the model's segmenter finds."""
        known = {token.i: token.is_sent_start for token in doc if token.is_sent_start is not None}
        starts = {i for i, is_start in known.items() if is_start}
        if doc.has_annotation("SENT_START", require_complete=True):
            return starts
        if self.trained.tokenizer is None:
            remedy = "add a component that sets sentence starts before it, such as spaCy's `sentencizer`"
            raise UsageError(f"this model has no segmenter; {remedy}")
        ends = [token.idx + len(token) for token in doc]
        found = (bisect_right(ends, spans[0][0]) for spans in self.trained.tokenizer.segment_text(doc.text).spans)
        return starts | {i for i in found if known.get(i) is not False or i == 0}

    def _sentence(self, tokens: Sequence[Token]) -> Sentence:
        words = [Word(i, token.text) for i, token in enumerate(tokens, 1)]
        for word, token in zip(words, tokens, strict=True) if self.keep_tags else ():
            word.upos, word.xpos = token.pos_ or EMPTY, token.tag_ or EMPTY
            word.feats = str(token.morph) or EMPTY
        return Sentence(words)

    def _set_trees(self, doc: Doc, tokens: Iterable[list[Token]], sentences: Iterable[Sentence]) -> None:
        """Set heads and labels of a document. White space is attached to the token before it."""
        strings = self.vocab.strings
        numbers, heads = np.arange(len(doc)), _heads_of_space(doc)
        labels = np.where(heads == numbers, strings.add(ROOT), strings.add(SPACE)).astype(np.uint64)
        for found, sentence in zip(tokens, sentences, strict=True):
            for token, word in zip(found, sentence, strict=True):
                heads[token.i] = found[word.head - 1].i if word.head else token.i
                labels[token.i] = strings.add(word.deprel if word.head else ROOT)
        doc.from_array([HEAD, DEP], np.column_stack([(heads - numbers).view(np.uint64), labels]))

    def _set_tags(self, token: Token, word: Word) -> None:
        if self.tags:
            token.pos_, token.tag_ = ("" if column == EMPTY else column for column in (word.upos, word.xpos))
            token.set_morph(None if word.feats == EMPTY else word.feats)
        if self.lemmas:
            token.lemma_ = word.lemma

    def score(self, examples: Iterable[Example], **settings: Any) -> dict[str, Any]:
        """Return the scores of spaCy's own parser: UAS, LAS with full labels, and sentence boundaries.

        Punctuation is counted if `score_punctuation` is set.
        """
        ignored = () if self.score_punctuation else PUNCTUATION
        examples = list(examples)
        scores = Scorer.score_spans(examples, "sents", has_annotation=lambda doc: doc.has_annotation("SENT_START"))
        scores.pop("sents_per_type", None)
        return scores | Scorer.score_deps(
            examples, "dep", getter=_label, ignore_labels=ignored, missing_values={"", None}
        )


class SpacyTokenizer(_Stored):
    """Tokenizer for spaCy that splits text into words and sentences with a model.

    `doc.text` equals the text. White space gets tokens of its own, as in spaCy's tokenizer. A multi-word token is split
    into its words if their forms add up to it (`do`, `n't`). Otherwise it stays one token (`du` for `de le`).
    """

    def __init__(self, vocab: Vocab, model: str | Path | Model = "en") -> None:
        super().__init__(model)
        self.vocab = vocab

    def __call__(self, text: str) -> Doc:
        """Tokenize a text and set sentence starts."""
        pipeline = self.trained.pipeline()
        words: list[str] = []
        spaces: list[bool] = []
        starts: list[bool] = []
        end = 0
        for sentence in pipeline.output().document(pipeline.divide(text)):
            for number, token in enumerate(sentence.tokens):
                assert token.start is not None
                assert token.end is not None
                self._add_space(text[end : token.start], words, spaces, starts)
                parts = _parts(sentence, token, text[token.start : token.end])
                words += parts
                spaces += [False] * len(parts)
                starts += [number == 0] + [False] * (len(parts) - 1)
                end = token.end
        self._add_space(text[end:], words, spaces, starts)
        return Doc(self.vocab, words=words, spaces=spaces, sent_starts=starts if words else None)

    def pipe(self, texts: Iterable[str], batch_size: int = 128) -> Iterator[Doc]:
        """Tokenize a stream of texts."""
        return map(self, texts)

    @staticmethod
    def _add_space(space: str, words: list[str], spaces: list[bool], starts: list[bool]) -> None:
        """Add the white space between two tokens: one space belongs to the token before it, the rest is a token."""
        if spaces and space.startswith(" "):
            spaces[-1] = True
            space = space[1:]
        if space:
            words.append(space)
            spaces.append(False)
            starts.append(len(words) == 1)


@registry.tokenizers("gardenpath.Tokenizer.v1")
def make_tokenizer(model: str | Path = "en") -> Callable[[Language], SpacyTokenizer]:
    """Return a function that creates the tokenizer, for the configuration of a pipeline."""
    return lambda nlp: SpacyTokenizer(nlp.vocab, model)


def load(model: str | Path = "en", *, language: str | None = None, **config: Any) -> Language:
    """Create a complete pipeline with gardenpath's tokenizer, tags, lemmas and trees.

    `language` is spaCy's language code. `config` has the settings of the component.
    """
    tokenizer = {"@tokenizers": "gardenpath.Tokenizer.v1", "model": str(model)}
    nlp = spacy.blank(language or _language_of(str(model)), config={"nlp": {"tokenizer": tokenizer}})
    nlp.add_pipe("gardenpath", config={"tags": True, "lemmas": True, **config, "model": str(model)})
    return nlp


def _language_of(model: str) -> str:
    """Return spaCy's code for the language of a model with this name, or `xx`, its code for any language."""
    base = model.removesuffix(FAST)
    treebank, language = find_treebank(base), find_language(base)
    code = treebank.code.partition("_")[0] if treebank else language.code if language else model
    try:
        get_lang_class(code)
    except ImportError:
        return "xx"
    return code


def _label(token: Token, attribute: str) -> str:
    return token.vocab.strings[getattr(token, attribute)]


def _sentences(doc: Doc, starts: set[int]) -> list[list[Token]]:
    """Return the tokens of each sentence, without white space and without empty sentences."""
    sentences: list[list[Token]] = [[]]
    for token in doc:
        if token.i in starts:
            sentences.append([])
        if not token.is_space:
            sentences[-1].append(token)
    return [sentence for sentence in sentences if sentence]


def _heads_of_space(doc: Doc) -> np.ndarray:
    """Return for each token the last token up to it that is not white space.

    White space at the beginning gets the first token that is not white space. If there is none, each token gets itself.
    """
    words = [token.i for token in doc if not token.is_space]
    if not words:
        return np.arange(len(doc))
    places = np.searchsorted(words, np.arange(len(doc)), side="right") - 1
    return np.asarray(words)[np.maximum(places, 0)]


def _parts(sentence: Sentence, token: Word | MultiWordToken, surface: str) -> list[str]:
    """Return the spaCy tokens for a token: its words if their forms add up to it, otherwise the token itself."""
    if isinstance(token, Word):
        return [surface]
    forms = [word.form for word in sentence.words[token.first - 1 : token.last]]
    return forms if "".join(forms) == surface else [surface]


def __getattr__(name: str) -> Any:
    """Keep the old name `Tokenizer` working for one release."""
    if name == "Tokenizer":
        warnings.warn("Tokenizer is now called SpacyTokenizer; use the new name", DeprecationWarning, stacklevel=2)
        return SpacyTokenizer
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
