"""A trained model: tokenizer, tagger and parser in one file."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from copy import deepcopy
from functools import cached_property, partial
from itertools import chain, filterfalse
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar, overload

from gardenpath.batches import batches
from gardenpath.core import storage
from gardenpath.core.calibration import Calibration
from gardenpath.core.draft import Draft
from gardenpath.core.given_tags import GivenTags
from gardenpath.errors import GardenpathWarning, InputError, UsageError
from gardenpath.formats.document import EMPTY, Document, Sentence
from gardenpath.models import noticing
from gardenpath.models.description import ModelDescription
from gardenpath.models.inputs import Given, Tokens, given, many
from gardenpath.models.languages import Misfit, misfit
from gardenpath.models.profile import FEWEST_WORDS, Profile
from gardenpath.parsing.given import HeadPolicy
from gardenpath.parsing.parser import Parser
from gardenpath.parsing.trace import TraceStep
from gardenpath.pipeline.pipeline import NEW_DOCUMENT, Output, Pipeline, checked_input
from gardenpath.pipeline.steps import PipelineStep, TaggerPart, array_prefix
from gardenpath.threads import in_order

if TYPE_CHECKING:
    from gardenpath.formats.text import TextPiece
    from gardenpath.parsing.guides import Guide
    from gardenpath.segmentation.tokenizer import Tokenizer

LOOKED_AT = 1_000        # number of words whose tags are checked for a warning
TEXTS = 20_000           # batch size for short texts, in characters
Context = TypeVar("Context")


class Model:
    """A trained model. Parsing never changes it, so any number of threads may share it.

    It has a `parser` and, if it was trained for raw text, a `tagger` and a `tokenizer`. The argument `beam` of a method
    is the width of the beam; the default is the width that the model was trained with (1 is greedy search). If the
    model is calibrated, the words of its results have a `confidence`.
    """

    def __init__(
        self, parser: Parser, about: ModelDescription, tokenizer: Tokenizer | None = None,
        tagger: TaggerPart | None = None,
        steps: Sequence[PipelineStep] = (),
    ) -> None:
        record = about.calibration
        self.parser = parser if record is None else parser.calibrated(Calibration(record))
        self.about = about.with_parts(
            tokenizer=tokenizer.record() if tokenizer else None, tagger=tagger.record() if tagger else None,
            steps=[{**step.record(), "name": step.name} for step in steps],
        )
        self.tokenizer = tokenizer
        self.tagger = tagger
        self.steps = tuple(steps)
        self.profile = Profile.build(about.profile) if about.profile else None
        self._pipeline = Pipeline(tokenizer, tagger, self.parser, steps) if tagger else None

    @property
    def description(self) -> dict[str, Any]:
        """The description in the model file, as plain values; `about` is the same as a typed object."""
        return self.about.to_dict()

    def __call__(self, text: str | Tokens, *, input: str = "text", beam: int | None = None) -> Document:
        """Parse a text.

        `input` is the kind of text: running `text`, `lines` that are sentences, or lines of `tokens` separated by
        spaces. Tokens can also be a list of strings (one sentence) or a list of such lists.
        """
        pipeline = self.pipeline(beam)
        checked = given(text, input)
        found = self.misfit(checked.plain)
        if found is not None:
            warnings.warn(str(found), GardenpathWarning, stacklevel=2)
        [(document, _)] = _documents(pipeline, input, [checked])
        return document

    @overload
    def pipe(
        self, texts: Iterable[str | Tokens], threads: int = 1, *, input: str = "text", beam: int | None = None,
        as_tuples: Literal[False] = False,
    ) -> Iterator[Document]: ...
    @overload
    def pipe(
        self, texts: Iterable[tuple[str | Tokens, Context]], threads: int = 1, *, input: str = "text",
        beam: int | None = None, as_tuples: Literal[True],
    ) -> Iterator[tuple[Document, Context]]: ...
    def pipe(
        self, texts: Iterable[Any], threads: int = 1, *, input: str = "text", beam: int | None = None,
        as_tuples: bool = False,
    ) -> Iterator[Any]:
        """Parse many texts lazily and yield one document per text, in order. The GIL is released while parsing.

        With `as_tuples`, the texts are pairs of a text and any object, such as an id; yield pairs of the document and
        that object. `input` is the same as for a single text.
        """
        if isinstance(texts, (str, bytes, Path)) or not isinstance(texts, Iterable):
            raise UsageError("`pipe` takes many texts, such as a list of strings; for one, call the model: nlp(text)")
        run = partial(_documents, self.pipeline(beam), checked_input(input))
        watched = noticing.warned(many(texts, input, as_tuples), self.profile, lambda text: text.plain)
        batched = batches(watched, TEXTS, lambda text: text.size)
        documents = chain.from_iterable(in_order(run, batched, threads))
        return documents if as_tuples else (document for document, _ in documents)

    def to_conllu(
        self, pieces: Iterable[TextPiece], threads: int = 1, *, input: str = "text", ranges: bool = False,
        confidence: bool = False, beam: int | None = None, prefix: str = "",
    ) -> Iterator[bytes]:
        """Parse documents that are read in pieces (`formats.text.read_pieces`) directly to CoNLL-U in UTF-8.

        This is the fastest way, and it needs constant memory. With `ranges` every token has its offsets in the document
        (`TokenRange=start:end` in MISC). With `confidence` every word has its probabilities in MISC. `prefix` begins
        the ids of the sentences.
        """
        pipeline = self.pipeline(beam)
        output = pipeline.output(
            prefix=prefix, ranges=ranges, confidence=confidence and self._require_calibration(),
        )
        return map(output.conllu, _drafts(pipeline, output, self._watched(pieces), threads, checked_input(input)))

    def to_sentences(
        self, pieces: Iterable[TextPiece], threads: int = 1, *, input: str = "text", ranges: bool = False,
        confidence: bool = False, beam: int | None = None, prefix: str = "",
    ) -> Iterator[Sentence]:
        """Yield the sentences that `to_conllu` writes."""
        pipeline = self.pipeline(beam)
        output = pipeline.output(
            prefix=prefix, ranges=ranges, confidence=confidence and self._require_calibration(),
        )
        drafts = _drafts(pipeline, output, self._watched(pieces), threads, checked_input(input))
        return chain.from_iterable(map(output.document, drafts))

    def tag(self, sentences: Iterable[Sentence]) -> list[Sentence]:
        """Fill in UPOS, XPOS, FEATS and LEMMA of sentences in place, replacing old values, and return them in order."""
        tagged = list(sentences)
        self.pipeline().tag(tagged)
        return tagged

    def parse(
        self, sentences: Iterable[Sentence], threads: int = 1, beam: int | None = None, *, retag: bool = False,
        keep_heads: bool | None = None, drop_conflicts: bool = False,
    ) -> list[Sentence]:
        """Fill in HEAD and DEPREL of sentences in place, and return them in order.

        If the model has a tagger, it fills in missing tags first: in a sentence in which a word has no UPOS, or not the
        tag that the parser reads, all words get UPOS, XPOS, FEATS and LEMMA where they are `_`. FEATS `_` of a word
        with a tag means that it has no features if other words of the sentence have some. Given values stay, and the
        others agree with them. With `retag`, all tags and lemmas are replaced.

        If some words of a sentence have a head and others have none, the given heads stay, with their DEPREL if that is
        given. A sentence whose words all have heads is parsed anew. With `keep_heads=True` all given heads stay, with
        `keep_heads=False` none. Given heads that contradict each other raise `InputError`; with `drop_conflicts` they
        are ignored, with a warning.
        """
        return list(self.stream(
            sentences, threads, beam, retag=retag, keep_heads=keep_heads, drop_conflicts=drop_conflicts,
        ))

    def stream(
        self, sentences: Iterable[Sentence], threads: int = 1, beam: int | None = None, *, retag: bool = False,
        keep_heads: bool | None = None, drop_conflicts: bool = False,
    ) -> Iterator[Sentence]:
        """Parse sentences lazily, in order and in constant memory. The GIL is released while parsing."""
        parser = self._with_beam(beam)
        run = partial(self._parse_batch, parser, retag, HeadPolicy(keep_heads, drop_conflicts))
        return chain.from_iterable(in_order(run, self._batches(sentences, retag), threads))

    def tagged(self, sentences: Iterable[Sentence], *, retag: bool = False) -> Iterator[Sentence]:
        """Yield the sentences with the tags that `parse` would use, filled in in place. HEAD and DEPREL stay."""
        return chain.from_iterable(map(partial(self._tag_batch, retag), self._batches(sentences, retag)))

    def _batches(self, sentences: Iterable[Sentence], retag: bool) -> Iterator[list[Sentence]]:
        """Yield batches of sentences that are checked, with the warnings about them."""
        if retag:
            self.pipeline()
        checked = noticing.warned(self._checked(sentences), self.profile, noticing.forms, noticing.file_of)
        return batches(checked if retag else self._warned(checked), self.parser.batch_words)

    def _tag_batch(self, retag: bool, batch: list[Sentence]) -> list[Sentence]:
        if self._pipeline and retag:
            self._pipeline.tag(batch)
        elif self._pipeline:
            is_tagged = partial(self._pipeline.agreement.is_tagged, column=self.about.tag)
            self._pipeline.complete(list(filterfalse(is_tagged, batch)))
        return batch

    def _parse_batch(
        self, parser: Parser, retag: bool, policy: HeadPolicy, batch: list[Sentence]
    ) -> list[Sentence]:
        left = [sentence for sentence in batch if not policy.is_complete(sentence)]
        tags = None if retag else self._given_tags(left)
        self._tag_batch(retag, batch)
        parser.parse([sentence.words for sentence in left], policy.arcs(parser, left), tags)
        return batch

    def _checked(self, sentences: Iterable[Sentence]) -> Iterator[Sentence]:
        """Yield the sentences; raise `InputError` at the first one that this model cannot parse."""
        if isinstance(sentences, (str, bytes, Path, Sentence)) or not isinstance(sentences, Iterable):
            raise UsageError("`parse` takes sentences: `[sentence]`, a document, or what `read_conllu(path)` reads")
        for number, sentence in enumerate(sentences, 1):
            if not isinstance(sentence, Sentence):
                remedy = "for tokens, call the model with input='tokens', or make sentences (`Sentence.from_words`)"
                raise UsageError(f"item {number} is not a sentence but {type(sentence).__name__}; {remedy}")
            self._check_tags(sentence)
            yield sentence

    def _watched(self, pieces: Iterable[TextPiece]) -> Iterator[TextPiece]:
        return noticing.warned(pieces, self.profile, lambda piece: piece.text, lambda piece: piece.document)

    def misfit(self, text: str) -> Misfit | None:
        """Return the likely language of a text that is probably not in the language of the model; None if it may be.

        The result as a string is the warning that parsing gives. Only the beginning of the text is judged.
        """
        return misfit(self.profile, text) if self.profile else None

    def _warned(self, sentences: Iterable[Sentence]) -> Iterator[Sentence]:
        """Yield the sentences; warn if most words of the first ones have tags of another tag set."""
        waiting = iter(sentences)
        words, strange = 0, Counter[str]()
        for sentence in waiting:
            words += len(sentence)
            strange.update(self.strange_tags(sentence))
            yield sentence
            if words >= LOOKED_AT:
                break
        if strange.total() > words / 2:
            examples = ", ".join(tag for tag, _ in strange.most_common(3))
            warnings.warn(
                f"{strange.total():,} of the first {words:,} words have an {self.about.tag.upper()} that this model "
                f"has never seen, such as {examples}; with `retag` it predicts its own tags",
                GardenpathWarning, stacklevel=2,
            )
        yield from waiting

    def strange_tags(self, sentence: Sentence) -> list[str]:
        """Return the tags of a sentence that the model does not know, in the column that its parser reads.

        The list is empty if the parser does not read tags, and without a tagger, because the known tags are not stored.
        """
        tags = [getattr(word, self.about.tag) for word in sentence.words]
        if not self.tagger or not self.parser.scorer.reads_tags:
            return []
        return [tag for tag in tags if tag not in self._known_tags]

    @cached_property
    def _known_tags(self) -> set[str]:
        place = ("upos", "xpos").index(self.about.tag)
        return {EMPTY, *(tag[place] for tag in self.tagger.tags)} if self.tagger else set()

    def pipeline(self, beam: int | None = None) -> Pipeline:
        """Return the steps from text to trees, to run them one by one."""
        if self.tagger is None or self._pipeline is None:
            raise UsageError(
                "this model was trained with tags='gold' and has no tokenizer and no tagger; "
                "give `parse` sentences that are tokenised and tagged"
            )
        if beam is None:
            return self._pipeline
        return Pipeline(self.tokenizer, self.tagger, self._with_beam(beam), self.steps)

    def kbest(
        self, sentence: Sentence, k: int, beam: int | None = None, *, keep_heads: bool | None = None,
        drop_conflicts: bool = False,
    ) -> list[tuple[float, Sentence]]:
        """Return the k best different parses of a tagged sentence, each with its score, the best first.

        Each parse is a copy of the sentence. Scores are averages over the transitions. There are fewer than k parses if
        the beam ends with fewer. Given heads stay as in `parse`.
        """
        tagged, tags = self.with_tags(sentence), self._given_tags([sentence])
        parser = self._with_beam(beam)
        given = HeadPolicy(keep_heads, drop_conflicts).arcs(parser, [tagged])
        parses = []
        for score, heads, labels in parser.kbest(tagged.words, k, given[0] if given else None, tags):
            parse = deepcopy(tagged)
            for word, head, label in zip(parse.words, heads, labels, strict=True):
                word.head, word.deprel, word.confidence = head, label, None
            parses.append((score, parse))
        return parses

    def _with_beam(self, beam: int | None) -> Parser:
        if beam is None or beam == self.parser.width:
            return self.parser
        if self.parser.width == 1 and self.parser.scorer.prefers_trained_beam:
            warnings.warn(
                "this model was trained without a beam, and parses worse with one; "
                "train with the beam that you parse with",
                GardenpathWarning, stacklevel=3,
            )
        return self.parser.with_beam(beam)

    def _lacks_tags(self, sentence: Sentence) -> bool:
        column = self.about.tag
        return all(getattr(word, column) == EMPTY for word in sentence.words)

    def _given_tags(self, sentences: Sequence[Sentence]) -> GivenTags | None:
        """Return the tags that the words of sentences can get, for a parser that predicts tags itself."""
        predicts = self.parser.scorer.predicts_tags
        return self._pipeline.given_tags(sentences) if self._pipeline and predicts else None

    def _check_tags(self, sentence: Sentence) -> None:
        if not self.tagger and sentence.words and self._lacks_tags(sentence):
            raise InputError(
                f"{sentence.where}: no word has {self.about.tag.upper()}, which this model was trained with, and it "
                f"has no tagger; tag the text first, as the treebank {self.about.treebank or 'it was trained on'} is "
                "tagged"
            )

    def with_tags(self, sentence: Sentence) -> Sentence:
        """Return a sentence with the tags that `parse` would fill in: a copy, or the same object if none is missing."""
        self._check_tags(sentence)
        if self._pipeline is None or self._pipeline.agreement.is_tagged(sentence, self.about.tag):
            return sentence
        copy = deepcopy(sentence)
        self._pipeline.complete([copy])
        return copy

    def trace(
        self, sentence: Sentence, *, policy: bool = True, guide: Guide | None = None,
        reasons: bool | Container[int] = False, keep_heads: bool | None = None, drop_conflicts: bool = False,
    ) -> Iterator[TraceStep]:
        """Parse a sentence transition by transition. The sentence itself is not changed.

        With `policy` the changes after the last transition are also yielded. To try other transitions, pass a `guide`
        that names them (`parsing.guides.by_moves`); the parser continues from there. With `reasons`, the steps have the
        reasons for their transitions; pass the numbers of the steps, from 1, or True for all steps. Given heads stay as
        in `parse`.
        """
        if not isinstance(sentence, Sentence):
            raise UsageError("`trace` takes a sentence, as in nlp.trace(nlp(text).sentences[0])")
        tagged, tags = self.with_tags(sentence), self._given_tags([sentence])
        given = HeadPolicy(keep_heads, drop_conflicts).arcs(self.parser, [tagged])
        return self.parser.trace(tagged.words, policy, guide, reasons, given[0] if given else None, tags)

    def save(self, path: str | Path) -> None:
        """Write the model to one file. An existing file is replaced only when the new one is complete."""
        storage.save(path, self._arrays(), self.description)

    def _arrays(self) -> storage.Arrays:
        parts = (self.parser, self.tagger, self.tokenizer)
        found = {name: array for part in parts if part is not None for name, array in part.arrays().items()}
        for step in self.steps:
            found |= {f"{array_prefix(step.name)}{name}": array for name, array in step.arrays().items()}
        return found

    def __reduce__(self) -> tuple[Any, ...]:
        import numpy as np

        from gardenpath.models.loading import build  # it imports this module

        return build, (self.description, {name: np.array(array) for name, array in self._arrays().items()})

    @property
    def is_calibrated(self) -> bool:
        """Whether words get a confidence."""
        return self.about.calibration is not None

    def _require_calibration(self) -> bool:
        """Raise `UsageError` if the model has no calibration."""
        if not self.is_calibrated:
            raise UsageError(
                "this model has no calibration, so its confidence is unknown; calibrate it on a treebank "
                "(`gardenpath calibrate`, `Model.calibrated`)"
            )
        return True

    def calibrated(self, sentences: Iterable[Sentence]) -> Model:
        """Return the same model with a calibration that is fitted on sentences with gold tags and trees.

        Use sentences that the model was not trained on, such as a dev set. They are not changed.
        """
        from gardenpath.models.calibration import calibrate  # imports numpy, which parsing does not need

        gold = list(sentences)
        for sentence in gold:
            if any(word.head is None for word in sentence):
                raise InputError(f"{sentence.where}: a word has no HEAD; give sentences with gold trees")
            self._check_tags(sentence)
        about = self.about.with_parts(calibration=calibrate(self.parser, self.tagger, gold))
        return Model(self.parser, about, self.tokenizer, self.tagger, self.steps)

    def with_profile(self, sentences: Iterable[Sentence]) -> Model:
        """Return the same model with the language profile of a treebank, so that it notices text that does not fit.

        `train` stores the profile of the training set.
        """
        profile = Profile.of(sentences)
        if profile is None:
            raise InputError(f"the treebank has fewer than {FEWEST_WORDS:,} words, which is too small for a profile")
        about = self.about.with_parts(profile=profile.record())
        return Model(self.parser, about, self.tokenizer, self.tagger, self.steps)

    def described(self, **facts: Any) -> Model:
        """Return the same model with other facts in its description, such as `licence` or `test_scores`."""
        return Model(self.parser, self.about.with_parts(**facts), self.tokenizer, self.tagger, self.steps)

    def with_step(self, step: PipelineStep) -> Model:
        """Return the same model with an additional step, which runs after the parser and is stored in the file."""
        return Model(self.parser, self.about, self.tokenizer, self.tagger, (*self.steps, step))

    @property
    def system(self) -> str:
        """The name of the transition system."""
        return self.about.settings.parser.system

    def __repr__(self) -> str:
        return f"<gardenpath model: {self.system}, {self.about.treebank or 'unnamed treebank'}>"


def _drafts(
    pipeline: Pipeline, output: Output, pieces: Iterable[TextPiece], threads: int, input: str,
) -> Iterator[Draft]:
    """Parse each piece, and begin a document in the output where one begins in the input."""
    def run(piece: TextPiece) -> tuple[TextPiece, Draft]:
        return piece, pipeline.run(piece.text, input, piece.offset, piece.continues)

    for piece, draft in in_order(run, pieces, threads):
        if piece.offset == 0:
            output.begin_document(f"{NEW_DOCUMENT} id = {' '.join(piece.id.split())}" if piece.id else NEW_DOCUMENT)
        yield draft


def _documents(pipeline: Pipeline, input: str, texts: list[Given]) -> list[tuple[Document, Any]]:
    """Parse texts and return each document with the context of its text."""
    drafts = [text.draft(pipeline, input) for text in texts]
    pipeline.analyse(drafts)
    documents = [pipeline.output().document(draft) for draft in drafts]
    for document, draft in zip(documents, drafts, strict=True):
        document.source = draft.text or None
    return [(document, text.context) for document, text in zip(documents, texts, strict=True)]
