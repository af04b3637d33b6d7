"""Other parsers behind one interface: load, create sentences, parse them, return the trees.

Each parser is measured on its own objects, from sentences in memory to heads and labels in them. Creating these objects
and copying the trees out of them is not included, except for gardenpath, whose objects are the library's `Sentence`s.
"""

import importlib.util
import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

import common
import gardenpath as gp
from gardenpath.formats.document import EMPTY

SPACY_SENTENCES = 10
UDPIPE_PARSER = "udpipe-ewt216-parser.model"
UDPIPE_PIPELINE = ("udpipe-ewt216-tokenizer.model", "udpipe-ewt216-tagger.model", UDPIPE_PARSER)
SPACY_PIPELINE = "spacy-ewt216"
# The peer's own settings (UDPipe's manual, as for its UD 2 models); xpostag and vectors are not used.
UDPIPE_OPTIONS = (
    "iterations={iterations};transition_system=projective;transition_oracle=dynamic;structured_interval=0;hidden_layer=200;batch_size=10;"
    "learning_rate=0.02;learning_rate_final=0.001;l2=0.5;embedding_form=50;embedding_upostag=20;embedding_feats=20;embedding_xpostag=0;embedding_deprel=20"
)


class Contestant(Protocol):
    """A parser to measure."""

    name: str
    timed: str     # what is measured

    def fresh(self, path: Path) -> Any:
        """Return the tagged sentences of a file as new objects of this parser."""

    def parse(self, sentences: Any) -> object:
        """Parse the sentences. This is the measured part."""

    def written_back(self, sentences: Any, path: Path) -> list[gp.Sentence]:
        """Return the trees as gardenpath sentences, for scoring."""


class Gardenpath:
    """gardenpath with one model."""

    timed = "Model.parse: Sentence objects, read from CoNLL-U, to HEAD and DEPREL; uses forms, tags and features"

    def __init__(self, name: str, model: gp.Model, threads: int = 1) -> None:
        self.name = f"gardenpath {name}"
        self.model = model
        self.threads = threads

    def fresh(self, path: Path) -> list[gp.Sentence]:
        """Return newly read sentences."""
        return common.untouched(path)

    def parse(self, sentences: list[gp.Sentence]) -> object:
        """Parse with `Model.parse`."""
        return self.model.parse(sentences, threads=self.threads)

    def written_back(self, sentences: list[gp.Sentence], path: Path) -> list[gp.Sentence]:
        """Return the sentences, which already contain the trees."""
        return sentences


class UDPipe:
    """UDPipe 1 through its Python binding."""

    name = "UDPipe 1"
    timed = "Model.parse per sentence: ufal.udpipe.Sentence objects to head and deprel; uses forms, UPOS and FEATS"

    def __init__(self, path: Path) -> None:
        from ufal import udpipe

        self.udpipe = udpipe
        self.model = udpipe.Model.load(str(path))
        if self.model is None:
            raise OSError(f"{path}: UDPipe cannot load it")

    def fresh(self, path: Path) -> list[Any]:
        """Return sentences with tags. (UDPipe unlinks all words before it parses, so objects could be reused.)"""
        return [udpipe_sentence(self.udpipe, sentence) for sentence in common.untouched(path)]

    def parse(self, sentences: list[Any]) -> None:
        """Parse in place, sentence by sentence; the binding has no batch call."""
        parse, settings, error = self.model.parse, self.udpipe.Pipeline.DEFAULT, self.udpipe.ProcessingError()
        for sentence in sentences:
            if not parse(sentence, settings, error):
                raise RuntimeError(f"UDPipe: {error.message}")

    def written_back(self, sentences: list[Any], path: Path) -> list[gp.Sentence]:
        """Copy heads and labels."""
        result = common.untouched(path)
        for sentence, parsed in zip(result, sentences, strict=True):
            for word, other in zip(sentence.words, list(parsed.words)[1:], strict=True):
                word.head, word.deprel = other.head, other.deprel
        return result


def udpipe_sentence(udpipe: Any, sentence: gp.Sentence) -> Any:
    """Convert a sentence to a UDPipe object, with known heads."""
    result = udpipe.Sentence()
    for word in sentence.words:
        other = result.addWord(word.form)
        other.lemma, other.upostag, other.xpostag, other.feats = (
            "" if text == EMPTY else text for text in (word.lemma, word.upos, word.xpos, word.feats)
        )
    for word in sentence.words:
        if word.head is not None:
            result.setHead(word.id, word.head, word.deprel)
    return result


def train_udpipe(treebank: common.Treebank, target: Path, iterations: int, tagger: str = "none") -> None:
    """Train UDPipe's parser with the peer's settings: about 4 minutes per iteration on English-EWT.

    The parser learns from gold tags. `tagger` are options of UDPipe's tagger; an empty string trains it with defaults.
    """
    from ufal import udpipe

    train, heldout = udpipe.Sentences(), udpipe.Sentences()
    for sentences, path in ((train, treebank.train), (heldout, treebank.dev)):
        for sentence in gp.read_conllu(path):
            sentences.append(udpipe_sentence(udpipe, sentence))
    error = udpipe.ProcessingError()
    model = udpipe.Trainer.train(
        "morphodita_parsito", train, heldout, "none", tagger, UDPIPE_OPTIONS.format(iterations=iterations), error
    )
    if error.occurred():
        raise RuntimeError(f"UDPipe's trainer: {error.message}")
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(model)


class SpaCy:
    """spaCy's tok2vec and parser."""

    name = "spaCy"
    timed = "Language.pipe with tok2vec and parser: Docs of ten sentences to head and dep; uses only forms"

    def __init__(self, path: Path) -> None:
        import spacy

        self.nlp = spacy.load(path)
        self.nlp.select_pipes(enable=["tok2vec", "parser"])

    def fresh(self, path: Path) -> list[Any]:
        """Return new Docs of ten sentences with sentence starts, as in training; spaCy keeps existing annotations."""
        from spacy.tokens import Doc

        docs = []
        sentences = list(gp.read_conllu(path))
        for first in range(0, len(sentences), SPACY_SENTENCES):
            some = sentences[first : first + SPACY_SENTENCES]
            words = [word for sentence in some for word in sentence.words]
            spaces = [space for sentence in some for space in spaces_after(sentence)]
            docs.append(
                Doc(self.nlp.vocab, [word.form for word in words], spaces, sent_starts=[word.id == 1 for word in words])
            )
        return docs

    def parse(self, sentences: list[Any]) -> list[Any]:
        """Parse in spaCy's batches."""
        return list(self.nlp.pipe(sentences))

    def written_back(self, sentences: list[Any], path: Path) -> list[gp.Sentence]:
        """Copy heads and labels; in spaCy, the root is its own head with the label ROOT."""
        result = common.untouched(path)
        tokens = (token for doc in sentences for token in doc)
        for sentence in result:
            for word, token in zip(sentence.words, tokens, strict=False):
                is_root = token.head.i == token.i
                word.head, word.deprel = (0, "root") if is_root else (word.id + token.head.i - token.i, token.dep_)
        return result


def spaces_after(sentence: gp.Sentence) -> list[bool]:
    """Return for each word whether a space follows; inside a multi-word token there is none."""
    spaces = ["SpaceAfter=No" not in word.misc for word in sentence.words]
    for token in sentence.ranges:
        spaces[token.first - 1 : token.last] = [False] * (token.last - token.first) + [
            "SpaceAfter=No" not in token.misc
        ]
    return spaces


class UdpipePipeline:
    """UDPipe's tokenizer, tagger and parser, three separate models."""

    def __init__(self, paths: Sequence[Path]) -> None:
        from ufal import udpipe

        self.udpipe = udpipe
        self.tokenizer, self.tagger, self.parser = (udpipe.Model.load(str(path)) for path in paths)

    def conllu(self, text: str) -> str:
        """Convert raw text to CoNLL-U."""
        default, error = self.udpipe.Pipeline.DEFAULT, self.udpipe.ProcessingError()
        tokenizer, writer = self.tokenizer.newTokenizer(default), self.udpipe.OutputFormat.newOutputFormat("conllu")
        tokenizer.setText(text)
        sentence, parts = self.udpipe.Sentence(), []
        while tokenizer.nextSentence(sentence, error):
            self.tagger.tag(sentence, default)
            self.parser.parse(sentence, default)
            parts.append(writer.writeSentence(sentence))
            sentence = self.udpipe.Sentence()
        return "".join(parts)

    def document(self, text: str) -> gp.Document:
        """Convert raw text to a document."""
        return gp.Document.of(gp.read_conllu(io.BytesIO(self.conllu(text).encode())))


class SpacyPipeline:
    """spaCy's complete pipeline on raw text."""

    def __init__(self, path: Path) -> None:
        import spacy

        self.nlp = spacy.load(path)

    def run(self, texts: Sequence[str]) -> list[Any]:
        """Convert texts to Docs."""
        return list(self.nlp.pipe(texts))


def peer_paths(folder: Path) -> dict[type[UDPipe] | type[SpaCy], Path]:
    """Return the available peers; print a message for each that is missing."""
    result: dict[type[UDPipe] | type[SpaCy], Path] = {}
    for peer, package, name in ((UDPipe, "ufal.udpipe", UDPIPE_PARSER), (SpaCy, "spacy", SPACY_PIPELINE)):
        if not _installed(package):
            common.say(f"skipped {peer.name}: the package {package} is not installed (pip install {package})")
        elif not (folder / name).exists():
            common.say(f"skipped {peer.name}: there is no model {folder / name}; choose a folder with --peers")
        else:
            result[peer] = folder / name
    return result


def _installed(package: str) -> bool:
    try:
        return importlib.util.find_spec(package) is not None
    except ModuleNotFoundError:
        return False
