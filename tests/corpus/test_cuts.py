from __future__ import annotations

import json
from itertools import pairwise, product

import pytest

from corpus_tools import TEXTS, bare, model_file
from gardenpath import models
from gardenpath.corpus import cuts
from gardenpath.corpus.contents import Content
from gardenpath.corpus.cuts import LONGEST, cut_after
from gardenpath.corpus.documents import Failed, documents
from gardenpath.corpus.inputs import Input
from gardenpath.corpus.parsing import PartParser
from gardenpath.corpus.plan import CorpusPlan, CorpusSettings, Segment
from gardenpath.formats.conllu import read_conllu
from sample import TEST

BLANKS = ("\n", "\n\n", "\r\n", "\r\n\r\n", "\n \t\n", "\n\n\n\n", " \n\u00a0\n", "\n\u2003\n\u00a0\n")
VARIANTS = [
    *TEXTS,
    *(
        "A dog é.".join(["", one, f"🌿{other}", end])
        for one, other, end in product(BLANKS, BLANKS, ("", "\n", "\r\n\r\n"))
    ),
    "\ufeffA dog.\n\nA cat.\n\ufeff\n\nA cow.",
]
CONLLU = [TEST.read_text(encoding="utf-8").split("\n\n")[i] for i in range(4)]


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return models.load(model_file(tmp_path_factory.getbasetemp()))


@pytest.fixture(params=[8, cuts.WINDOW])
def window(request, monkeypatch):
    """The size of the first window: less than a line, or everything."""
    monkeypatch.setattr(cuts, "WINDOW", request.param)
    return request.param


def read_from(data):
    return lambda place, size: data[place : place + size]


def parse(model, data, kind, places=()):
    """Parse data cut at these places and return the output as one text."""
    settings = CorpusSettings()
    parser = PartParser(model, "0", False)
    found, start, continues = [], 0, False
    for cut in [*places, None]:
        end = cut.position if cut else len(data)
        segment = Segment(Input("x", "x", kind, "none", len(data), 0), start, end, continues)
        found += parser.parse(documents(Content(data[start:end], start, continues), segment, settings))
        start, continues = end, bool(cut and cut.continues)
    assert not any(isinstance(each, Failed) for each in found)
    return bare(b"".join(found).decode())


def every_cut(data, kind):
    return {cut for place in range(len(data) + 1) if (cut := cut_after(read_from(data), place, kind))}


@pytest.mark.parametrize("kind", ["text", "lines", "tokens"])
def test_cut_texts_are_parsed_like_whole_ones(model, kind, window):
    tried = 0
    for text in VARIANTS:
        data = text.encode()
        whole = parse(model, data, kind)
        for cut in every_cut(data, kind):
            assert parse(model, data, kind, [cut]) == whole, (text, cut)
            tried += 1
    assert tried > len(VARIANTS) / 2


@pytest.mark.parametrize("newline, end", list(product(["\n", "\r\n"], [0, 1, 2, 4])))
def test_cut_treebanks_are_parsed_like_whole_ones(model, newline, end, window):
    blocks = [block.replace("\n", newline) for block in CONLLU]
    blocks[1] = f"# newdoc id = second{newline}" + blocks[1]
    data = ((newline * 3).join(blocks) + newline * end).encode()
    whole = parse(model, data, "conllu")
    places = every_cut(data, "conllu")
    assert len(places) >= 3
    for cut in places:
        assert parse(model, data, "conllu", [cut]) == whole
    assert parse(model, data, "conllu", sorted(places)) == whole


@pytest.mark.parametrize("newline, end", list(product(["\n", "\r\n", "\n\n"], ["", "\n"])))
def test_cut_json_lines_are_parsed_like_whole_ones(model, newline, end, window):
    data = (newline.join(json.dumps({"text": text}, ensure_ascii=False) for text in TEXTS) + end).encode()
    whole = parse(model, data, "jsonl")
    for cut in every_cut(data, "jsonl"):
        assert parse(model, data, "jsonl", [cut]) == whole


def test_no_cut_is_at_or_after_the_end(window):
    for text, kind in product((*VARIANTS, ""), ("text", "lines", "jsonl", "conllu")):
        data = text.encode()
        for place in range(len(data) + 1):
            cut = cut_after(read_from(data), place, kind)
            assert cut is None or place < cut.position < len(data)


@pytest.mark.parametrize("separator", [b"\n", b" ", b""])
def test_a_very_long_paragraph_is_cut(separator):
    data = ("é" * 50).encode() + separator
    data *= LONGEST // 10
    cut = cut_after(read_from(data), 1001, "text")
    assert cut is not None
    assert cut.continues
    data[: cut.position].decode()
    assert data[: cut.position].endswith(separator)
    assert cut.position < 1200


@pytest.mark.parametrize("size", [200, 1000, 5000, 10**6])
def test_the_segments_of_a_plan_cover_the_files(tmp_path, size):
    path = tmp_path / "trees.conllu"
    path.write_bytes(TEST.read_bytes())
    status = path.stat()
    found = Input(str(path), path.name, "conllu", "none", status.st_size, status.st_mtime_ns)
    segments = [
        segment for shard in CorpusPlan(CorpusSettings(shard_size=size), [found]).shards() for segment in shard.segments
    ]
    assert segments[0].start == 0
    assert segments[-1].end == found.size
    assert all(one.end == other.start for one, other in pairwise(segments))
    data = path.read_bytes()
    for segment in segments:
        (tmp_path / "piece.conllu").write_bytes(data[segment.start : segment.end])
        assert list(read_conllu(tmp_path / "piece.conllu"))
    assert max(segment.size for segment in segments) < size + 3000
