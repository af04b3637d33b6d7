"""Operations of `growth.py`. Each has a name, inputs of any size, and what is done with them."""

from __future__ import annotations

import io
import tempfile
from collections.abc import Callable, Iterator
from functools import cache, partial
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import gardenpath as gp
from common import SAMPLE
from gardenpath import oracles, pseudo, trees
from gardenpath.evaluation import compare, diff
from gardenpath.features.clusters import read_clusters
from gardenpath.features.templates import parse_templates
from gardenpath.features.vectors import read_vectors
from gardenpath.formats import registry
from gardenpath.formats.csv_text import rows_of_csv
from gardenpath.formats.html_text import text_of_html
from gardenpath.formats.text import pieces_of, read_pieces
from gardenpath.treebank import checking, statistics
from gardenpath.treebank.variation import find_variations
from growth_inputs import GRAPHS, SENTENCES, TEXTS, TREES, chain, sentence

TRACED = 1 / 20          # traces have a configuration per step, so their sentences are shorter
SIMILAR = ("left chain", "braid", "two stars", "halves", "random tree", "pairs")     # the same to readers and writers
PATTERNS = {
    "search, an arc": "pattern { A -[nsubj]-> B }", "search, two arcs": "pattern { A -> B; B -> C }",
    "search, order": "pattern { A [upos=NOUN]; B [upos=VERB]; A < B }",
    "search, without": "pattern { A [upos=NOUN] } without { A -> B }",
}


class Case(NamedTuple):
    """An operation and an input: `prepare` makes the input of a size, `run` is measured."""

    operation: str
    input: str
    prepare: Callable[[int], Any]
    run: Callable[[Any], object]
    scale: float = 1


def cases() -> Iterator[Case]:
    """Yield all cases."""
    yield from _tree_cases()
    yield from _sentence_cases()
    yield from _parsing_cases()
    yield from _file_cases()
    yield from _format_cases()


def _format_cases() -> Iterator[Case]:
    for name, make in _different_sentences().items():
        for format in registry.writable():
            yield Case(f"write {format}", name, make, partial(_write, format))
            if registry.named(format).read:
                yield Case(f"read {format}", name, partial(_written, make, format), partial(_read, format))
    yield Case("read conll09", "chain", partial(_conll09, chain), partial(_read, "conll09"))


def _different_sentences() -> dict[str, Callable[[int], gp.Sentence]]:
    return {name: make for name, make in SENTENCES.items() if name not in SIMILAR}


def _write(format: str, made: gp.Sentence) -> None:
    if registry.named(format).name == "brat":
        with tempfile.TemporaryDirectory() as folder:
            registry.write([made], Path(folder) / "a.ann", format)
    else:
        registry.write([made], io.BytesIO(), format)


def _written(make: Callable[[int], gp.Sentence], format: str, n: int) -> bytes:
    stream = io.BytesIO()
    registry.write([make(n)], stream, format)
    return stream.getvalue()


def _conll09(heads: Callable[[int], list[int]], n: int) -> bytes:
    rows = ("\t".join(map(str, (i, "w", "w", "w", "N", "N", "_", "_", head, head, "x", "x", "_", "_")))
            for i, head in enumerate(heads(n), 1))
    return ("\n".join(rows) + "\n\n").encode()


def _read(format: str, content: bytes) -> None:
    for _ in registry.read(io.BytesIO(content), format):
        pass


def _tree_cases() -> Iterator[Case]:
    for name, make in (TREES | GRAPHS).items():
        yield Case("tree problems", name, make, trees.find_problems)
    for name, make in TREES.items():
        yield Case("projectivity", name, make, trees.nonprojective_arcs)
        yield Case("depth", name, make, trees.depth)
        yield Case("projectivise", name, make, trees.projectivise)
        for encoding in pseudo.ENCODINGS:
            yield Case(f"lift, {encoding}", name, make, partial(_lift, encoding))
            yield Case(f"lower, {encoding}", name, partial(_lifted, make, encoding), partial(_lower, encoding))
        for system in gp.systems.names():
            yield Case(f"static oracle, {system}", name, make, partial(_derive, system))


def _lift(encoding: str, heads: list[int]) -> tuple[list[int], list[str]]:
    return pseudo.lift(heads, [f"l{i % 7}" for i in range(len(heads))], encoding)


def _lifted(make: Callable[[int], list[int]], encoding: str, n: int) -> tuple[list[int], list[str]]:
    return _lift(encoding, make(n))


def _lower(encoding: str, lifted: tuple[list[int], list[str]]) -> None:
    pseudo.lower(*lifted, encoding)


def _derive(system: str, heads: list[int]) -> None:
    oracles.of(gp.systems.get(system), "static").derives(heads)


def _sentence_cases() -> Iterator[Case]:
    for name, make in SENTENCES.items():
        content = partial(_written, make, "conllu")
        yield Case("check", name, content, lambda data: checking.check(io.BytesIO(data), systems=[]))
        yield Case("walk", name, make, _walk)
        if name not in SIMILAR:
            yield Case("data frame", name, make, lambda made: gp.Document([made]).to_dataframe(complete=True))
            for title, pattern in PATTERNS.items():
                yield Case(title, name, make, partial(_search, pattern))
        if name not in GRAPHS:
            yield Case("statistics", name, content, lambda data: statistics.describe(io.BytesIO(data), systems=[]))
            yield Case("evaluate", name, partial(_copies, make), lambda made: gp.evaluate(*made[:2]).to_dict())
            yield Case("evaluate, other words", name, partial(_respaced, make), lambda made: gp.evaluate(*made))
            yield Case("compare", name, partial(_copies, make), lambda made: compare(*made))
            yield Case("diff", name, partial(_copies, make), lambda made: diff(*made[:2]).to_dict())
            yield Case("variations", name, make, lambda made: find_variations([made, made]))


def _walk(made: gp.Sentence) -> None:
    for word in made:
        _ = word.children, word.left_children, word.head_word, word.token
    _ = made.text, made.tokens, made.root


def _search(pattern: str, made: gp.Sentence) -> None:
    for _ in islice(gp.search([made], pattern), 1000):
        pass


def _copies(make: Callable[[int], gp.Sentence], n: int) -> list[list[gp.Sentence]]:
    return [[make(n)] for _ in range(3)]


def _respaced(make: Callable[[int], gp.Sentence], n: int) -> list[list[gp.Sentence]]:
    """Return two tokenizations of the same text."""
    gold, system = make(n), make(n)
    if len(system) > 1:
        first, second = system.words[:2]
        first.form, second.form = first.form + second.form[:1], second.form[1:]
    return [[gold], [system]]


def _parsing_cases() -> Iterator[Case]:
    for name, make in TEXTS.items():
        for model in ("en", "en-fast"):
            yield Case(f"text to trees, {model}", name, make, partial(_parse_text, model))
        yield Case("read text", name, make, lambda text: list(read_pieces(io.BytesIO(text.encode()))))
        yield Case("language", name, make, lambda text: _shipped("en-fast").misfit(text))
        yield Case("HTML", name, make, text_of_html)
    for system in gp.systems.names():
        yield Case(f"parse, {system}", "words", _unparsed, partial(_parse, system))
        yield Case(f"trace, {system}", "words", _unparsed, partial(_trace, system), TRACED)
    for width in (4, 16):
        yield Case(f"parse, beam {width}", "words", _unparsed, partial(_parse, "arc-eager", beam=width))
    yield Case("k best", "words", _unparsed, lambda made: _shipped("en-fast").kbest(made, 4, beam=4))


def _unparsed(n: int) -> gp.Sentence:
    return sentence([0] * n)


def _parse_text(model: str, text: str) -> None:
    for _ in _shipped(model).to_conllu(pieces_of(text)):
        pass


@cache
def _shipped(name: str) -> gp.Model:
    return gp.load(name)


@cache
def _model(system: str) -> gp.Model:
    return gp.train(SAMPLE / "sample-train.conllu", system=system, epochs=1, tags="gold", tokenizer="none")


def _parse(system: str, made: gp.Sentence, **options: Any) -> None:
    _model(system).parse([made], **options)


def _trace(system: str, made: gp.Sentence) -> None:
    for _ in _model(system).trace(made):
        pass


def _file_cases() -> Iterator[Case]:
    files: dict[str, tuple[Callable[[int], str], Callable[[Path], object]]] = {
        "templates": (lambda n: "S0p N0p\n" * n, lambda path: parse_templates(path.read_text().splitlines())),
        "clusters": (lambda n: "".join(f"{i:b}\tw{i}\t1\n" for i in range(n)), read_clusters),
        "vectors": (lambda n: "".join(f"w{i} 1 2 3\n" for i in range(n)), read_vectors),
        "HTML, nested": (lambda n: "<b>" * n + "a", lambda path: text_of_html(path.read_text())),
        "HTML, open": (lambda n: "<" * n, lambda path: text_of_html(path.read_text())),
        "HTML, attributes": (lambda n: "<b " + "a=b " * n + ">", lambda path: text_of_html(path.read_text())),
        "HTML, comments": (lambda n: "<!--" * n, lambda path: text_of_html(path.read_text())),
        "CSV": (lambda n: "text\n" + "a b\n" * n, _read_csv), "CSV, quotes": (lambda n: 'text\n' + '"' * n, _read_csv),
        "JSON, nested": (lambda n: "[" * n, lambda path: _read("json", path.read_bytes())),
        "pattern": (lambda n: "pattern { " + "A [upos=NOUN]; " * n + "}", lambda path: gp.search([], path.read_text())),
    }
    for name, (content, read) in files.items():
        yield Case(f"read {name}", "lines", partial(_file, content), read)


def _file(content: Callable[[int], str], n: int) -> Path:
    path = Path(tempfile.gettempdir()) / "growth.input"
    path.write_text(content(n), encoding="utf-8")
    return path


def _read_csv(path: Path) -> None:
    with open(path, "rb") as file:
        for _ in rows_of_csv(file, path.name, "text", "id"):
            pass
