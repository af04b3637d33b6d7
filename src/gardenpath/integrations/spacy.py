"""gardenpath for spaCy: a pipeline component, a tokenizer, and a complete pipeline.

`nlp.add_pipe("gardenpath", config={"model": "en"})` works without an import, because the package registers its
component with an entry point. Every spaCy token except white space is parsed as a word. A `Doc` cannot represent
multi-word tokens and empty nodes. In spaCy, a root is its own head and has the label `ROOT`.
"""

from __future__ import annotations

import tempfile
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import spacy
from spacy.language import Language
from spacy.pipeline import Pipe
from spacy.scorer import Scorer
from spacy.tokens import Doc, Token
from spacy.training import Example
from spacy.util import get_lang_class, minibatch, registry
from spacy.vocab import Vocab

from gardenpath.batches import batches
from gardenpath.catalogue import find_language, find_treebank
from gardenpath.core.draft import Draft
from gardenpath.errors import UsageError
from gardenpath.integrations.noun_chunks import noun_chunks
from gardenpath.integrations.spacy_arrays import (
    DocWords,
    SpacyAnnotation,
    SpacyNumbers,
    of_sentences,
)
from gardenpath.models import Model
from gardenpath.models import load as load_model
from gardenpath.models.lookup import FAST
from gardenpath.threads import in_order

ENGLISH = "en"             # the language whose noun chunks are found from Universal Dependencies
PUNCTUATION = ("p", "punct")
FILE = "model.gp"
ASSIGNS = [
    "token.head", "token.dep", "token.is_sent_start", "doc.sents", "token.tag", "token.pos", "token.morph",
    "token.lemma",
]
SCORES = {"dep_uas": 0.5, "dep_las": 0.5, "dep_las_per_type": None, "sents_p": None, "sents_r": None, "sents_f": 0.0}
DEFAULTS = {
    "model": "en", "tags": True, "lemmas": True, "keep_tags": False, "score_punctuation": False, "threads": 1,
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
    """Pipeline component that sets heads, labels, sentence starts, tags (`tag`, `pos`, `morph`) and lemmas.

    Without `tags` or `lemmas`, these are not set. Existing sentence starts are kept. The parser uses its own predicted
    tags, or with `keep_tags` the tags of the document. `threads` is the number of parser threads.
    """

    def __init__(
        self, vocab: Vocab, model: str | Path | Model = "en", name: str = "gardenpath", *, tags: bool = True,
        lemmas: bool = True, keep_tags: bool = False, score_punctuation: bool = False, threads: int = 1,
    ) -> None:
        super().__init__(model)
        self.vocab = vocab
        self.name = name
        self.tags, self.lemmas, self.keep_tags = tags, lemmas, keep_tags
        self.score_punctuation = score_punctuation
        self.threads = threads
        self._numbers: SpacyNumbers | None = None
        if vocab.lang == ENGLISH:
            vocab.get_noun_chunks = noun_chunks          # for documents that are read from disk

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
        words = [self._divided(doc) for doc in docs]
        annotations = list(self._parsed(words))          # a document is not changed if another one fails
        for each, annotation in zip(words, annotations, strict=True):
            annotation.set(each, self.vocab, self.tags, self.lemmas)
            if self.vocab.lang == ENGLISH:
                each.doc.noun_chunks_iterator = noun_chunks

    def _parsed(self, docs: Sequence[DocWords]) -> Iterator[SpacyAnnotation]:
        """Yield the annotation of each document."""
        if self.keep_tags:
            sentences = [words.sentences() for words in docs]
            self.trained.parse(list(chain.from_iterable(sentences)), self.threads)
            yield from (of_sentences(found, self.vocab) for found in sentences)
            return
        pipeline = self.trained.pipeline()
        if self._numbers is None or self._numbers.pipeline is not pipeline:
            self._numbers = SpacyNumbers(pipeline, self.vocab)

        def run(drafts: list[Draft]) -> list[Draft]:
            pipeline.analyse(drafts)
            return drafts

        made = (Draft.of(words.forms()) for words in docs)
        batched = batches(made, self.trained.parser.batch_words, lambda draft: draft.size)
        for drafts in in_order(run, batched, self.threads):
            yield from map(self._numbers.of_draft, drafts)

    def _divided(self, doc: Doc) -> DocWords:
        """Return the words in sentences: at the starts already set, and at those that the model's segmenter finds."""
        words = DocWords(doc)
        if doc.has_annotation("SENT_START", require_complete=True):
            words.divide()
            return words
        if self.trained.tokenizer is None:
            remedy = "add a component that sets sentence starts before it, such as spaCy's `sentencizer`"
            raise UsageError(f"this model has no segmenter; {remedy}")
        words.divide(self.trained.tokenizer.segment_text(words.text).sentence_starts)
        return words

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
        draft = self.trained.pipeline().divide(text)
        words: list[str] = []
        spaces: list[bool] = []
        starts: list[bool] = []
        end = 0
        for spans, forms in zip(draft.spans, draft.forms, strict=True):
            place = 0                # of the token's first word in the sentence
            for start, stop, count in spans:
                self._add_space(text[end:start], words, spaces, starts)
                parts = _parts(forms[place : place + count], text[start:stop])
                words += parts
                spaces += [False] * len(parts)
                starts += [place == 0] + [False] * (len(parts) - 1)
                place, end = place + count, stop
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
    nlp.add_pipe("gardenpath", config={**config, "model": str(model)})
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


def _parts(forms: list[str], surface: str) -> list[str]:
    """Return the spaCy tokens for a token: its words if their forms add up to it, otherwise the token itself."""
    return forms if "".join(forms) == surface else [surface]


def __getattr__(name: str) -> Any:
    """Keep the old name `Tokenizer` working for one release."""
    if name == "Tokenizer":
        warnings.warn("Tokenizer is now called SpacyTokenizer; use the new name", DeprecationWarning, stacklevel=2)
        return SpacyTokenizer
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
