"""gardenpath in spaCy: a component for any pipeline, a tokenizer, and a whole pipeline.

`nlp.add_pipe("gardenpath", config={"model": "en"})` needs no import, for the package announces its component to spaCy. spaCy's tokens are parsed as words,
white space left out; a `Doc` has no multiword tokens and no empty nodes. A root is its own head in spaCy, and its label is `ROOT`.
"""

from __future__ import annotations

import tempfile
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

from gardenpath.errors import UsageError
from gardenpath.formats.document import EMPTY, Sentence, Word
from gardenpath.formats.document import Token as Range
from gardenpath.models import Model
from gardenpath.models import load as load_model

ROOT = "ROOT"              # spaCy's name for the label `root`
SPACE = "dep"              # the label of white space, which spaCy has as tokens
PUNCTUATION = ("p", "punct")
FILE = "model.gp"
ASSIGNS = ["token.head", "token.dep", "token.is_sent_start", "doc.sents", "token.tag", "token.pos", "token.morph", "token.lemma"]
SCORES = {"dep_uas": 0.5, "dep_las": 0.5, "dep_las_per_type": None, "sents_p": None, "sents_r": None, "sents_f": 0.0}
DEFAULTS = {"model": "en", "tags": False, "lemmas": False, "keep_tags": False, "score_punctuation": False, "threads": 1}


class _Stored:
    """What has a model and goes to disk or into bytes with it. A model that is named is loaded when it is needed, or never, if another comes from there."""

    def __init__(self, model: str | Path | Model) -> None:
        self._named = model

    @property
    def trained(self) -> Model:
        """The model. (To spaCy something that has a `model` is one of its own networks.)"""
        if not isinstance(self._named, Model):
            self._named = load_model(self._named)
        return self._named

    def to_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> None:
        """Write the model into a folder."""
        folder = Path(path)
        folder.mkdir(parents=True, exist_ok=True)
        self.trained.save(folder / FILE)

    def from_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> Any:
        """Take the model from a folder."""
        self._named = load_model(Path(path) / FILE)
        return self

    def to_bytes(self, *, exclude: Iterable[str] = ()) -> bytes:
        """The model as it stands in its file."""
        with tempfile.TemporaryDirectory() as folder:
            self.to_disk(folder)
            return (Path(folder) / FILE).read_bytes()

    def from_bytes(self, content: bytes, *, exclude: Iterable[str] = ()) -> Any:
        """Take the model from bytes."""
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / FILE).write_bytes(content)
            return self.from_disk(folder)


@Language.factory("gardenpath", assigns=ASSIGNS, default_score_weights=SCORES, default_config=DEFAULTS)
def make_component(
    nlp: Language, name: str, model: str | Path, tags: bool, lemmas: bool, keep_tags: bool, score_punctuation: bool, threads: int,
) -> Component:
    """The component that `nlp.add_pipe("gardenpath")` adds."""
    return Component(nlp.vocab, model, name, tags=tags, lemmas=lemmas, keep_tags=keep_tags, score_punctuation=score_punctuation, threads=threads)


class Component(_Stored, Pipe):
    """Sets heads, labels and sentence starts; with `tags` also tag, pos and morph, with `lemmas` also lemmas.

    Sentence starts that are set already are kept. The parser goes by tags that it predicts itself; with `keep_tags`, by those that the document has.
    """

    def __init__(
        self, vocab: Vocab, model: str | Path | Model = "en", name: str = "gardenpath", *, tags: bool = False, lemmas: bool = False, keep_tags: bool = False,
        score_punctuation: bool = False, threads: int = 1,
    ) -> None:
        super().__init__(model)
        self.vocab = vocab
        self.name = name
        self.tags, self.lemmas, self.keep_tags = tags, lemmas, keep_tags
        self.score_punctuation = score_punctuation
        self.threads = threads

    def __call__(self, doc: Doc) -> Doc:
        """Annotate a document, in place."""
        self._annotate([doc])
        return doc

    def pipe(self, stream: Iterable[Doc], *, batch_size: int = 128) -> Iterator[Doc]:
        """Annotate documents as they come, many at a time."""
        for docs in minibatch(stream, batch_size):
            try:
                self._annotate(docs)
            except Exception:
                yield from self._one_by_one(docs)
            else:
                yield from docs

    def _one_by_one(self, docs: Sequence[Doc]) -> Iterator[Doc]:
        """What is wrong with one document is told to the pipeline's error handler, and the others go on."""
        handle = self.get_error_handler()
        for doc in docs:
            try:
                yield self(doc)
            except Exception as error:
                handle(self.name, self, [doc], error)

    def _annotate(self, docs: Sequence[Doc]) -> None:
        tokens = [_sentences(doc, self._starts(doc)) for doc in docs]
        sentences = [[self._sentence(each) for each in found] for found in tokens]
        self.trained.parse([sentence for found in sentences for sentence in found], self.threads, retag=not self.keep_tags)
        for doc, found, parsed in zip(docs, tokens, sentences, strict=True):
            self._set_trees(doc, found, parsed)
            for token, word in zip(chain.from_iterable(found), chain.from_iterable(parsed), strict=True):
                self._set_tags(token, word)
            for token in doc:
                if token.is_space:
                    self._set_tags(token, Word(1, token.text, token.text, "SPACE", "_SP"))      # as spaCy's own pipelines have it

    def _starts(self, doc: Doc) -> set[int]:
        """The tokens that begin a sentence: those that are set and, where nothing is set, those that the model's segmenter finds."""
        known = {token.i: token.is_sent_start for token in doc if token.is_sent_start is not None}
        starts = {i for i, is_start in known.items() if is_start}
        if doc.has_annotation("SENT_START", require_complete=True):
            return starts
        if self.trained.tokenizer is None:
            raise UsageError("this model has no segmenter: let another component, say spaCy's `sentencizer`, set sentence starts before it")
        ends = [token.idx + len(token) for token in doc]
        found = (bisect_right(ends, spans[0][0]) for spans in self.trained.tokenizer.segment_text(doc.text).spans)
        return starts | {i for i in found if known.get(i) is not False or i == 0}

    def _sentence(self, tokens: Sequence[Token]) -> Sentence:
        words = [Word(i, token.text) for i, token in enumerate(tokens, 1)]
        for word, token in zip(words, tokens, strict=True) if self.keep_tags else ():
            word.upos, word.xpos, word.feats = token.pos_ or EMPTY, token.tag_ or EMPTY, str(token.morph) or EMPTY
        return Sentence(words)

    def _set_trees(self, doc: Doc, tokens: Iterable[list[Token]], sentences: Iterable[Sentence]) -> None:
        """Write heads and labels into a document; white space hangs from the token before it."""
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
        """Scores as spaCy's own parser has them, with full labels: UAS, LAS, sentences. Punctuation counts if the component is told so."""
        ignored = () if self.score_punctuation else PUNCTUATION
        examples = list(examples)
        scores = Scorer.score_spans(examples, "sents", has_annotation=lambda doc: doc.has_annotation("SENT_START"))
        scores.pop("sents_per_type", None)
        return scores | Scorer.score_deps(examples, "dep", getter=_label, ignore_labels=ignored, missing_values={"", None})


class Tokenizer(_Stored):
    """Divides text as a model does, into words and sentences; `doc.text` is the text, white space has tokens of its own, as with spaCy's tokenizer.

    The words of a multiword token are tokens if their forms make it up (`do`, `n't`); where they do not (`du` is `de le`), the token stays whole.
    """

    def __init__(self, vocab: Vocab, model: str | Path | Model = "en") -> None:
        super().__init__(model)
        self.vocab = vocab

    def __call__(self, text: str) -> Doc:
        """The tokens of a text, with sentence starts."""
        pipeline = self.trained.pipeline()
        words: list[str] = []
        spaces: list[bool] = []
        starts: list[bool] = []
        end = 0
        for sentence in pipeline.document(pipeline.divide(text)):
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
        """The same for many texts."""
        return map(self, texts)

    @staticmethod
    def _add_space(space: str, words: list[str], spaces: list[bool], starts: list[bool]) -> None:
        """White space between two tokens: a space belongs to the token before it, what is left is a token."""
        if spaces and space.startswith(" "):
            spaces[-1] = True
            space = space[1:]
        if space:
            words.append(space)
            spaces.append(False)
            starts.append(len(words) == 1)


@registry.tokenizers("gardenpath.Tokenizer.v1")
def make_tokenizer(model: str | Path = "en") -> Callable[[Language], Tokenizer]:
    """The tokenizer for a pipeline's configuration."""
    return lambda nlp: Tokenizer(nlp.vocab, model)


def load(model: str | Path = "en", *, language: str | None = None, **config: Any) -> Language:
    """A whole pipeline: gardenpath's tokenizer, tags, lemmas and trees. `config` is that of the component; `language` is spaCy's code for it."""
    nlp = spacy.blank(language or _language_of(str(model)), config={"nlp": {"tokenizer": {"@tokenizers": "gardenpath.Tokenizer.v1", "model": str(model)}}})
    nlp.add_pipe("gardenpath", config={"tags": True, "lemmas": True, **config, "model": str(model)})
    return nlp


def _language_of(model: str) -> str:
    """The language of a model by its name, if that is a language's code; else spaCy's code for any."""
    try:
        get_lang_class(model)
    except ImportError:
        return "xx"
    return model


def _label(token: Token, attribute: str) -> str:
    return token.vocab.strings[getattr(token, attribute)]


def _sentences(doc: Doc, starts: set[int]) -> list[list[Token]]:
    """The tokens of each sentence that are not white space; a sentence of nothing else is none."""
    sentences: list[list[Token]] = [[]]
    for token in doc:
        if token.i in starts:
            sentences.append([])
        if not token.is_space:
            sentences[-1].append(token)
    return [sentence for sentence in sentences if sentence]


def _heads_of_space(doc: Doc) -> np.ndarray:
    """For each token the last one up to it that is not white space; before the first of these, that one; in a document of white space alone, itself."""
    words = [token.i for token in doc if not token.is_space]
    if not words:
        return np.arange(len(doc))
    places = np.searchsorted(words, np.arange(len(doc)), side="right") - 1
    return np.asarray(words)[np.maximum(places, 0)]


def _parts(sentence: Sentence, token: Word | Range, surface: str) -> list[str]:
    """A token as spaCy's tokens: its words, if they make it up."""
    if isinstance(token, Word):
        return [surface]
    forms = [word.form for word in sentence.words[token.first - 1 : token.last]]
    return forms if "".join(forms) == surface else [surface]
