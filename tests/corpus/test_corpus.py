from __future__ import annotations

import csv
import gzip
import importlib.util
import json
import os
import re

import pytest

import gardenpath as gp
from corpus_tools import TEXTS, bare, here, model_file, output, parsed, parts, small_corpus
from gardenpath.corpus import Corpus, CorpusSettings
from gardenpath.corpus.engines import engine_of, local
from gardenpath.corpus.parsing import PartParser
from gardenpath.errors import InputError, UsageError
from gardenpath.pipeline.pipeline import Pipeline
from sample import TEST, TRAIN

zstandard = pytest.importorskip("zstandard", reason="zstandard is not installed: pip install 'gardenpath[corpus]'")


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return model_file(tmp_path_factory.getbasetemp())


def packed(data, compression):
    return {"none": bytes, "gz": gzip.compress, "zst": zstandard.ZstdCompressor().compress}[compression](data)


def written(folder, name, data, compression):
    path = folder / (name if compression == "none" else f"{name}.{compression}")
    path.write_bytes(packed(data, compression))
    return path


def expected(model, documents):
    """Return the output of the plain API for documents with ids."""
    nlp = gp.load(model)
    return "".join(
        bare(nlp(text).to_conllu()).replace("# newdoc\n", f"# newdoc id = {id}\n", 1) for id, text in documents
    )


@pytest.mark.parametrize("compression", ["none", "gz", "zst"])
@pytest.mark.parametrize("shard_size", [40, 10**6])
def test_texts_are_parsed_like_by_the_plain_api(tmp_path, model, compression, shard_size):
    paths = [written(tmp_path, f"{number}.txt", text.encode(), compression) for number, text in enumerate(TEXTS)]
    out = parsed(paths, tmp_path / "out", model=model, shard_size=shard_size)
    assert bare(output(out)) == expected(
        model, [(path.as_posix(), text) for path, text in zip(paths, TEXTS, strict=True)]
    )
    assert len(list(out.glob("part-*"))) > 1 or shard_size > 40


@pytest.mark.parametrize("compression", ["none", "gz", "zst"])
@pytest.mark.parametrize("shard_size", [40, 10**6])
def test_json_lines_are_parsed_like_by_the_plain_api(tmp_path, model, compression, shard_size):
    lines = [
        json.dumps({"name": f"n {number}\n", "body": text} if number else {"body": text}) + "\n"
        for number, text in enumerate(TEXTS)
    ]
    path = written(tmp_path, "pages.jsonl", "".join(lines).encode(), compression)
    out = parsed([path], tmp_path / "out", model=model, shard_size=shard_size, text_field="body", id_field="name")
    ids = [f"{path}@0", f"{path}#n 1", f"{path}#n 2"]
    assert bare(output(out)) == expected(model, zip(ids, TEXTS, strict=True))


@pytest.mark.parametrize("compression", ["none", "gz", "zst"])
@pytest.mark.parametrize("shard_size", [2000, 10**6])
def test_treebanks_are_parsed_like_by_the_plain_api(tmp_path, model, compression, shard_size):
    path = written(tmp_path, "trees.conllu", TEST.read_bytes().rstrip(b"\n"), compression)
    out = parsed([path], tmp_path / "out", model=model, shard_size=shard_size)
    sentences = gp.load(model).parse(gp.read_conllu(TEST))
    whole = "".join(sentence.to_conllu() for sentence in sentences)
    found = re.sub("^# continues = .*\n", "", output(out), flags=re.MULTILINE)
    assert found == whole.replace("# newdoc id = ", f"# newdoc id = {path}#")


@pytest.mark.parametrize("shard_size", [1, 10**6])
@pytest.mark.parametrize("ids", [True, False])
def test_parquet_is_parsed_like_by_the_plain_api(tmp_path, model, shard_size, ids):
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "pages.parquet"
    columns = {"text": [*TEXTS, None]} | ({"id": [10, 11, 12, 13]} if ids else {})
    parquet.write_table(arrow.table(columns), path, row_group_size=1)
    out = parsed([path], tmp_path / "out", model=model, shard_size=shard_size)
    names = [f"{path}#{number + 10}" if ids else f"{path}@{number + 1}" for number in range(4)]
    assert bare(output(out)) == expected(model, zip(names, TEXTS, strict=False))
    assert len(list(out.glob("part-*"))) == (4 if shard_size == 1 else 1)
    [failed] = [json.loads(line) for path in out.glob("failed-*") for line in path.read_text().splitlines()]
    assert (failed["id"], failed["place"]) == (names[3], f"{path}: row 4")


@pytest.mark.parametrize("kind", ["lines", "tokens"])
def test_lines_and_tokens(tmp_path, model, kind):
    path = tmp_path / "lines.txt"
    path.write_text("A dog saw me .\nMe too .\n\n" * 5)
    out = parsed([path], tmp_path / "out", model=model, input=kind, shard_size=30)
    whole = gp.load(model)(path.read_text(), input=kind).to_conllu()
    assert bare(output(out)) == bare(whole).replace("# newdoc\n", f"# newdoc id = {path}\n")
    assert len(list(out.glob("part-*"))) > 2


@pytest.mark.parametrize("compress", ["none", "gz", "zst"])
def test_the_output_is_the_same_with_any_number_of_workers(tmp_path, model, compress):
    source = small_corpus(tmp_path / "in")
    one = parts(parsed([source], tmp_path / "one", model=model, shard_size=3000, compress=compress))
    two = parts(parsed([source], tmp_path / "two", local, 2, model=model, shard_size=3000, compress=compress))
    assert one == two
    assert len(one) > 10
    plain = output(parsed([source], tmp_path / "plain", model=model, shard_size=3000))
    assert output(tmp_path / "one") == plain
    ids = re.findall("^# sent_id = (.*)$", plain, re.MULTILINE)
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize("format, compress", [("csv", "none"), ("tsv", "gz")])
def test_output_as_rows(tmp_path, model, format, compress):
    source = tmp_path / "in.conllu"
    source.write_bytes(TEST.read_bytes())
    settings = {"model": model, "format": format, "compress": compress, "columns": ("form", "head_form")}
    for _ in range(2):           # the second time, there is nothing left to do
        out = parsed([source], tmp_path / "out", **settings)
    [part] = out.glob(f"part-*.{format}*")
    content = part.read_bytes() if compress == "none" else gzip.decompress(part.read_bytes())
    words = [word for sentence in gp.load(model).parse(gp.read_conllu(source)) for word in sentence]
    rows = [("form", "head_form"), *((word.form, word.head_word.form if word.head else "") for word in words)]
    if format == "tsv":
        assert [tuple(line.split("\t")) for line in content.decode().splitlines()] == rows
    else:
        assert list(map(tuple, csv.reader(content.decode().splitlines()))) == rows


def test_columns_of_a_corpus_need_a_table():
    with pytest.raises(UsageError, match="--columns is for tables only; add --format parquet or csv or tsv"):
        CorpusSettings(columns=("form",))
    with pytest.raises(UsageError, match="there is no column 'x'"):
        CorpusSettings(format="csv", columns=("x",))


@pytest.mark.parametrize("nested", [False, True])
def test_parquet_output_has_the_same_trees(tmp_path, model, nested):
    pytest.importorskip("pyarrow")
    from gardenpath.formats.arrow import read_parquet

    source = small_corpus(tmp_path / "in")
    trees = output(parsed([source], tmp_path / "conllu", model=model, shard_size=10**5))
    out = parsed([source], tmp_path / "parquet", model=model, shard_size=10**5, format="parquet", nested=nested)
    assert (
        "".join(sentence.to_conllu() for path in sorted(out.glob("*.parquet")) for sentence in read_parquet(path))
        == trees
    )


def test_empty_files_are_documents_without_sentences(tmp_path, model):
    arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    for name in ("a.txt", "b.jsonl", "c.conllu", "d.txt.gz", "f.txt", "g.txt.gz", "h.txt", "z.jsonl"):
        (tmp_path / name).write_bytes(
            packed(b"A dog.\n\n" * 9 if name in ("f.txt", "g.txt.gz") else b"", "gz" if name.endswith("gz") else "none")
        )
    parquet.write_table(arrow.table({"text": arrow.array([], arrow.string())}), tmp_path / "e.parquet")
    out = parsed([tmp_path], tmp_path / "out", model=model, shard_size=50)
    assert re.findall("newdoc id = (.*)", output(out)) == [f"{tmp_path}/f.txt", f"{tmp_path}/g.txt.gz"]
    assert output(out).count("# text = A dog.") == 18
    done = [json.loads(line) for line in (out / "done.jsonl").read_text().splitlines()]
    assert [sum(each[what] for each in done) for what in ("documents", "failed")] == [5, 0]


def test_a_small_compressed_file_with_large_content_is_one_part(tmp_path, model):
    for name, data in (
        ("a.txt", b"A dog.\n\n" * 200),
        ("b.conllu", TEST.read_bytes() * 40),
        ("c.jsonl", b'{"text": "A dog."}\n' * 100),
    ):
        written(tmp_path, name, data, "zst")
    out = parsed([tmp_path], tmp_path / "out", model=model, shard_size=60_000)
    assert [path.name for path in out.glob("part-*")] == ["part-00000.conllu"]
    assert "# continues" not in output(out)
    assert output(out).count("newdoc id = ") == 1 + 40 * TEST.read_text().count("# newdoc") + 100


def test_small_files_share_a_shard(tmp_path, model):
    for number in range(30):
        (tmp_path / f"{number:02}.txt").write_text("A dog.")
    corpus = Corpus([tmp_path], tmp_path / "out", CorpusSettings(model=model, shard_size=60))
    assert [len(shard.segments) for shard in corpus.shards] == [10, 10, 10]


def test_folders_are_walked_in_order_without_the_output_folder(tmp_path, model):
    source = tmp_path / "in"
    for name in ("b.txt", "a/z.txt", "a/.hidden.txt", "c.md", ".git/d.txt"):
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        (source / name).write_text("A dog.")
    for _ in range(2):
        out = parsed([source], source / "out", model=model)
        assert re.findall("newdoc id = (.*)", output(out)) == [f"{source}/b.txt", f"{source}/a/z.txt"]


def test_failures_are_written_to_a_file_and_the_rest_is_parsed(tmp_path, model):
    texts = tmp_path / "texts"
    texts.mkdir()
    (texts / "bad.txt").write_bytes(b"A dog.\n\n\xff\xfe")
    (texts / "good.txt").write_text("A dog.")
    pages = (
        b'{"text": "A dog."}\n{"text": 3}\nnonsense\n[]\n{"text": "\\ud800"}\n{"text": "\xff"}\n{"text": "A cat."}\n'
    )
    (texts / "pages.jsonl").write_bytes(pages)
    blocks = re.sub("# newdoc.*\n", "", TEST.read_text()).split("\n\n")
    broken = "# newdoc id = new\n" + blocks[1].replace("\t", " ", 1)
    (texts / "trees.conllu").write_text("\n\n".join([blocks[0], broken, blocks[2]]) + "\n\n")
    out = parsed([texts], tmp_path / "out", model=model)
    failed = [json.loads(line) for line in (out / "failed-00000.jsonl").read_text().splitlines()]
    starts = [sum(map(len, pages.splitlines(True)[:i])) for i in range(1, 6)]
    assert [each["id"] for each in failed] == [
        f"{texts}/bad.txt",
        *(f"{texts}/pages.jsonl@{start}" for start in starts),
        f"{texts}/trees.conllu#new",
    ]
    assert failed[0]["place"] == f"{texts}/bad.txt: byte 8"
    assert failed[0]["text"] == "A dog.\n\n\\xff\\xfe"
    assert [re.sub(r"[:;(].*", "", each["reason"]).strip() for each in failed] == [
        "byte 0xff is not UTF-8",
        "the text is not a string but int",
        "the line is not JSON",
        "there is no object with the field `text`",
        "character 1 is half of a surrogate pair",
        "byte 11 of the line",
        f"{texts}/trees.conllu",
    ]
    assert failed[-1]["text"] == broken
    assert re.findall("newdoc id = (.*)", output(out)) == [
        f"{texts}/good.txt",
        f"{texts}/pages.jsonl@0",
        f"{texts}/pages.jsonl@{pages.rindex(b'{')}",
        f"{texts}/trees.conllu",
        f"{texts}/trees.conllu#new",
    ]
    done = json.loads((out / "done.jsonl").read_text())
    assert (done["documents"], done["failed"]) == (5, 7)


def test_given_heads(tmp_path, model):
    path = tmp_path / "partial.conllu"
    partial = "1\tdogs\t_\tNOUN\tNN\t_\t_\t_\t_\t_\n2\tbark\t_\tVERB\tVB\t_\t1\t_\t_\t_\n\n"
    path.write_text(partial + partial.replace("NN\t_\t_", "NN\t_\t2"))
    heads = {}
    for name, options in (("default", {}), ("keep", {"keep_heads": True}), ("none", {"keep_heads": False})):
        written = output(parsed([path], tmp_path / name, model=model, **options))
        heads[name] = [line.split("\t")[6] for line in written.splitlines() if "\t" in line]
    assert heads["default"][:2] == heads["keep"] == ["0", "1"]       # the sentence with a cycle fails
    assert heads["none"] == ["2", "0", "2", "0"]
    dropped = output(parsed([path], tmp_path / "dropped", model=model, keep_heads=True, drop_conflicts=True))
    assert len(dropped.split("\n\n")) == 3


def test_only_the_document_that_raises_fails(model, monkeypatch):
    from gardenpath.corpus.documents import Failed, Text

    analyse = Pipeline.analyse

    def breaking(pipeline, drafts, **options):
        if any("bomb" in draft.text for draft in drafts):
            raise RuntimeError("boom")
        analyse(pipeline, drafts, **options)

    monkeypatch.setattr(Pipeline, "analyse", breaking)
    parser = PartParser(gp.load(model), "0", False)
    texts = [
        Text(str(number), "here", text, f"# newdoc id = {number}")
        for number, text in enumerate(["A dog.", "A bomb.", "A cat."])
    ]
    found = list(parser.parse(texts))
    assert found[1] == Failed("1", "here", "RuntimeError: boom", "A bomb.")
    assert [b"A dog" in found[0], b"A cat" in found[2]] == [True, True]
    assert (parser.counts.documents, parser.counts.failed) == (2, 1)


@pytest.mark.parametrize("compression", ["gz", "zst"])
@pytest.mark.parametrize("damage", ["cut", "changed", "garbage"])
@pytest.mark.parametrize("shard_size", [3000, 10**6])
def test_a_damaged_compressed_file_is_parsed_up_to_the_damage(tmp_path, model, compression, damage, shard_size):
    lines = [
        "".join(json.dumps({"text": f"A dog saw {os.urandom(99).hex()}."}) + "\n" for _ in range(count)).encode()
        for count in (20, 300)
    ]
    path = written(tmp_path, "pages.jsonl", lines[0], compression)
    whole = path.read_bytes() + packed(lines[1], compression)  # two frames, as made by `cat`
    path.write_bytes(
        {"cut": whole[:-200], "changed": whole[:-300] + b"\xff" * 300, "garbage": whole + b"garbage"}[damage]
    )
    out = parsed([path], tmp_path / "out", model=model, shard_size=shard_size)
    failed = [json.loads(line) for each in out.glob("failed-*") for line in each.read_text().splitlines()]
    assert "the file is damaged or truncated" in failed[-1]["reason"]
    assert failed[-1]["id"] == str(path)
    assert len(failed) <= 2          # the broken file, and perhaps a truncated line
    assert output(out).count("# newdoc") >= (320 if damage == "garbage" else 20)


def test_several_frames_and_trailing_zeros(tmp_path, model):
    path = tmp_path / "a.txt.gz"
    path.write_bytes(gzip.compress(b"A dog") + gzip.compress(b" saw me.\n") + bytes(100))
    out = parsed([path], tmp_path / "out", model=model)
    assert "# text = A dog saw me.\n" in output(out)
    assert "failed" not in " ".join(parts(out))


def test_a_second_run_only_restores_lost_parts(tmp_path, model):
    source = small_corpus(tmp_path / "in")
    settings = CorpusSettings(model=model, shard_size=3000)
    out = parsed([source], tmp_path / "out", model=model, shard_size=3000)
    before = parts(out)
    corpus = Corpus([source], out, settings)
    assert corpus.state().missing == []
    assert corpus.state().size == pytest.approx(corpus.size, rel=0.01)
    assert list(corpus.run(here)) == []
    names = [min(before), sorted(before)[len(before) // 2], max(before)]
    assert names[0].startswith("failed")
    for name in names:
        (out / name).unlink()
    (out / ".part-00000.conllu.0123").write_text("half")
    with open(out / "done.jsonl", "a") as file:
        file.write('{"part": "000')
    assert 2 <= len(list(corpus.run(here))) <= 3
    assert parts(out) == before
    assert list(out.glob(".part*")) == []
    assert list(Corpus([source], out, settings).run(here)) == []


def test_other_settings_or_inputs_are_an_error_with_the_differences(tmp_path, model):
    source = tmp_path / "in"
    source.mkdir()
    for name in ("a.txt", "b.txt"):
        (source / name).write_text("A dog.")
    out = parsed([source], tmp_path / "out", model=model)
    with pytest.raises(UsageError, match=r"compress none, now gz; shard-size 16777216, now 9; give the same ones"):
        Corpus([source], out, CorpusSettings(model=model, compress="gz", shard_size=9))
    with pytest.raises(UsageError, match=r"model .*small.gp, now en"):
        Corpus([source], out)
    (source / "a.txt").write_text("A cat and a dog.")
    (source / "c.txt").write_text("A cow.")
    with pytest.raises(UsageError, match=r"in/a.txt has changed; .*in/c.txt was not an input"):
        Corpus([source], out, CorpusSettings(model=model))
    (source / "b.txt").unlink()
    with pytest.raises(UsageError, match=r"in/b.txt was an input and is not given now"):
        Corpus([source], out, CorpusSettings(model=model))


def test_a_changed_file_fails_its_shard(tmp_path, model):
    source = tmp_path / "in.txt"
    source.write_text("A dog.")
    corpus = Corpus([source], tmp_path / "out", CorpusSettings(model=model))
    source.write_text("A dog and a cat.")
    [done] = corpus.run(here)
    assert "in.txt was removed or has changed" in done.failure
    assert parts(tmp_path / "out") == {}


def test_the_old_name_of_the_settings_is_deprecated():
    import gardenpath.corpus

    with pytest.warns(DeprecationWarning, match="CorpusSettings"):
        assert gardenpath.corpus.Settings is CorpusSettings


def test_usage_errors(tmp_path, model, monkeypatch):
    (tmp_path / "a.txt").write_text("A dog.")
    (tmp_path / "a.md").write_text("A dog.")
    (tmp_path / "a.parquet.gz").write_text("")
    (tmp_path / "none").mkdir()
    out = tmp_path / "out"
    with pytest.raises(UsageError, match="the file name does not show the kind of input; give --input"):
        Corpus([tmp_path / "a.md"], out)
    with pytest.raises(InputError, match="Parquet is compressed itself"):
        Corpus([tmp_path / "a.parquet.gz"], out)
    with pytest.raises(InputError, match="there is nothing to parse"):
        Corpus([tmp_path / "none"], out)
    with pytest.raises(UsageError, match="is given twice"):
        Corpus([tmp_path / "a.txt", tmp_path / "a.txt"], out)
    with pytest.raises(UsageError, match="the folder contains other files"):
        list(Corpus([tmp_path / "a.txt"], tmp_path, CorpusSettings(model=model)).run(here))
    with pytest.raises(UsageError, match="no engine 'steam'"):
        engine_of("steam")
    for settings in (
        {"format": "pdf"},
        {"compress": "rar"},
        {"shard_size": 0},
        {"nested": True},
        {"format": "parquet", "compress": "gz"},
    ):
        with pytest.raises(UsageError):
            CorpusSettings(**settings)
    find_spec = importlib.util.find_spec
    monkeypatch.setattr(
        "gardenpath.corpus.inputs.find_spec", lambda name: None if name == "zstandard" else find_spec(name)
    )
    with pytest.raises(UsageError, match=r"pip install 'gardenpath\[corpus\]'"):
        CorpusSettings(compress="zst")


def test_a_model_without_a_tagger_is_an_error_before_anything_is_written(tmp_path):
    gp.train(TRAIN, epochs=1, tags="gold").save(tmp_path / "gold.gp")
    (tmp_path / "a.txt").write_text("A dog.")
    with pytest.raises(UsageError, match="no tokenizer and no tagger"):
        Corpus([tmp_path / "a.txt"], tmp_path / "out", CorpusSettings(model=str(tmp_path / "gold.gp")))
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("given", ["utf-16", "auto"])
def test_encodings(tmp_path, model, given):
    """The output is that of the same texts in UTF-8, for whole files, compressed files and large files in parts."""
    text = "\n\n".join([*TEXTS, "Žluťoučký kůň."] * 30)
    plain, wide = tmp_path / "plain" / "in", tmp_path / "wide" / "in"
    for folder, encoding in ((plain, "utf-8"), (wide, "utf-16")):
        folder.mkdir(parents=True)
        (folder / "a.txt").write_bytes(text.encode(encoding))
        (folder / "b.txt.gz").write_bytes(gzip.compress(text.encode(encoding)))
    expected = output(parsed([plain], tmp_path / "expected", model=model))
    for size in (2**20, 1000):
        out = parsed([wide], tmp_path / f"out-{size}", model=model, encoding=given, shard_size=size)
        assert texts_of(output(out)) == texts_of(expected)


def texts_of(conllu):
    return re.findall("^# text = .*$", conllu, re.MULTILINE)


def test_a_wrong_encoding_is_a_failure(tmp_path, model):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.txt").write_bytes(b"A dog.\x81")
    (tmp_path / "in" / "b.txt").write_bytes(b"A caf\xe9.")
    out = parsed([tmp_path / "in"], tmp_path / "out", model=model, encoding="cp1252")
    [failed] = [json.loads(line) for line in (out / "failed-00000.jsonl").read_text().splitlines()]
    assert "byte 0x81 is not CP1252 (offset 6)" in failed["reason"]
    assert texts_of(output(out)) == ["# text = A café."]
    with pytest.raises(gp.UsageError, match="unknown encoding 'klingon'"):
        CorpusSettings(encoding="klingon")


def test_documents_in_other_languages_are_listed(tmp_path):
    german = "Der Hund hat die Katze gesehen, und sie ist mit dem Jungen in den Garten gelaufen."
    english = "He gave his brother a book about birds, and then they went home."
    (tmp_path / "de.txt").write_text(german)
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps({"text": each}) + "\n" for each in (english, german)))
    sentences = [gp.load("en-fast")(english)[0], gp.Sentence.from_words(german.split())]
    sentences[0].comments, sentences[1].comments = ["# newdoc id = a"], ["# newdoc id = b"]
    gp.write_conllu(sentences, tmp_path / "trees.conllu")
    corpus = Corpus([tmp_path], tmp_path / "out", CorpusSettings(model="en-fast"))
    [done] = corpus.run(here, 1)
    lines = (tmp_path / "out" / "language-00000.jsonl").read_text().splitlines()
    listed = [json.loads(line) for line in lines]
    ids = [(tmp_path / name).as_posix() for name in ("de.txt", "rows.jsonl@77", "trees.conllu#b")]
    assert [(each["id"], each["languages"]) for each in listed] == [(id, ["German"]) for id in ids]
    assert (done.counts.documents, done.counts.warned, [each.id for each in done.warned]) == (5, 3, ids)
    (tmp_path / "out" / "language-00000.jsonl").unlink()
    assert [shard.label for shard in corpus.state().missing] == ["00000"]
