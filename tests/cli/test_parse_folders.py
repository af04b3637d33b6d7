"""`gardenpath parse` on folders, encodings and kinds of files."""

import shutil
import subprocess
import sys

import pytest

import gardenpath as gp
from sample import TEST, trained
from word_documents import docx, paragraphs

DOG = "The dog saw the cat."


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    path = tmp_path_factory.mktemp("folders") / "sample.gp"
    trained(tags="predicted").save(path)
    return path


@pytest.fixture
def texts(tmp_path):
    """A folder with texts of all kinds."""
    folder = tmp_path / "in"
    (folder / "sub" / "deep").mkdir(parents=True)
    (folder / ".hidden").mkdir()
    (folder / ".hidden" / "x.txt").write_text(DOG)
    (folder / "a.txt").write_text(DOG)
    (folder / "sub" / "b.txt").write_text(f"{DOG} It barked.")
    (folder / "sub" / "deep" / "page.html").write_text(f"<title>No</title><p>{DOG}</p>")
    (folder / "letter.docx").write_bytes(docx(paragraphs(DOG)))
    (folder / "table.csv").write_text(f"id,text\nx,{DOG}\ny,It ran.\n")
    (folder / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0")
    shutil.copy(TEST, folder / "sub")
    return folder


def run(model, *arguments, code=0):
    command = [sys.executable, "-m", "gardenpath", "parse", "-m", str(model), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    return done.stderr


def tree(folder):
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def forms(path):
    return [[word.form for word in sentence] for sentence in gp.read_conllu(path)]


def test_one_output_for_each_text(model, texts):
    output = texts / "parsed"            # inside the input: it is not an input the next time
    for threads in (1, 2):
        summary = run(model, texts, "-o", output, "-t", threads)
        assert summary == (
            f"files: 6 parsed to {output}; 1 skipped (not text): picture.png\n"
            "gardenpath: 80 sentences had a whole tree, which was replaced; --keep-heads keeps such trees, "
            "--reparse replaces them without this note\n"
        )
    assert tree(output) == [
        "a.conllu", "letter.conllu", "sub/b.conllu", "sub/deep/page.conllu", "sub/sample-test.conllu", "table.conllu",
    ]
    dog = [["The", "dog", "saw", "the", "cat", "."]]
    for name in ("a", "letter", "sub/deep/page"):
        assert forms(output / f"{name}.conllu") == dog
    alone = trained(tags="predicted")(f"{DOG} It barked.").to_conllu()
    assert (output / "sub" / "b.conllu").read_text() == (
        alone.replace("# newdoc", "# newdoc id = sub/b.txt").replace("# sent_id = ", "# sent_id = sub-b-")
    )
    assert [sentence.comments[0] for sentence in gp.read_conllu(output / "table.conllu")] == [
        "# newdoc id = x", "# newdoc id = y",
    ]
    assert forms(output / "sub" / "sample-test.conllu") == forms(TEST)


def test_a_folder_to_one_file(model, texts):
    """The names of the files are the ids of the documents."""
    (texts / "sub" / "sample-test.conllu").unlink()
    output = texts.parent / "all.csv"
    summary = run(model, texts, "-o", output, "--rows", "sentences", "--columns", "document sent_id text")
    assert summary == f"files: 5 parsed to {output}; 1 skipped (not text): picture.png\n"
    assert output.read_text().splitlines() == [
        "document,sent_id,text", f"a.txt,1,{DOG}", f"letter.docx,2,{DOG}", f"x,3,{DOG}", "y,4,It ran.",
        f"sub/b.txt,5,{DOG}", "sub/b.txt,6,It barked.", f"sub/deep/page.html,7,{DOG}",
    ]
    run(model, texts / "a.txt", texts / "sub" / "b.txt", "-o", texts.parent / "two.conllu")
    comments = [sentence.comments[0] for sentence in gp.read_conllu(texts.parent / "two.conllu")]
    assert comments == ["# newdoc id = a.txt", "# newdoc id = b.txt", "# sent_id = 3"]


def test_a_bad_file_does_not_stop_the_others(model, texts):
    (texts / "bad.docx").write_bytes(b"PK, but not a zip file")
    (texts / "binary.txt").write_bytes(bytes(range(256)))
    (texts / "latin.txt").write_bytes(b"The caf\xe9.")
    (texts / "broken.conllu").write_text("1\tdog\n\n")
    output = texts.parent / "out"
    said = run(model, texts, "-o", output, code=1)
    assert "bad.docx: not a readable Word document" in said
    assert "binary.txt: this is not text, because it has zero bytes" in said
    assert "latin.txt:1: byte 0xe9 is not UTF-8 (offset 7); the text is probably cp1252: use --encoding cp1252" in said
    assert "broken.conllu:1: 2 columns instead of 10" in said
    assert said.splitlines()[-1].startswith(f"files: 6 parsed to {output}; 4 failed; 1 skipped")
    assert len(tree(output)) == 6
    said = run(model, texts, "-o", output, "--encoding", "auto", "--skip-existing", code=1)
    assert "latin.txt: the text is not UTF-8 and is read as cp1252" in said
    assert f"files: 1 parsed to {output}; 3 failed; 6 skipped (output exists)" in said
    assert forms(output / "latin.conllu") == [["The", "café", "."]]


@pytest.mark.parametrize("beginning, kind", [
    (b"%PDF-1.7", "a PDF document"), (b"{\\rtf1 dog}", "an RTF document"), (b"PK\x03\x04", "a zip archive"),
    (b"\xd0\xcf\x11\xe0", "an Office document of the old kind"),
])
def test_documents_that_are_not_text(model, tmp_path, beginning, kind):
    file = tmp_path / "document.txt"
    file.write_bytes(beginning)
    assert f"this is {kind}" in run(model, file, code=1)


def test_endings_of_outputs(model, texts):
    (texts / "a.html").write_text("<p>It barked.")
    output = texts.parent / "out"
    run(model, texts, "-o", f"{output}/", "--to", "json", "--input", "text")
    assert tree(output) == ["a.json", "sub/b.json"]
    run(model, texts / "a.txt", texts / "a.html", "-o", output)
    assert tree(output) == ["a.html.conllu", "a.json", "a.txt.conllu", "sub/b.json"]


def test_inputs_are_never_overwritten(model, texts):
    before = {name: (texts / name).read_bytes() for name in tree(texts)}
    said = run(model, texts, "-o", texts, code=2)
    assert "sample-test.conllu is an input and would be overwritten; choose another output folder" in said
    assert {name: (texts / name).read_bytes() for name in tree(texts)} == before


@pytest.mark.parametrize("arguments, message", [
    (["IN"], "is a folder; give a folder for the output, such as -o parsed/"),
    (["IN", "-o", "IN/picture.png"], "so the output must be one, too"),
    (["IN", "-o", "all.conllu"], "the inputs have different formats"),
    (["IN", "-o", "all.txt"], "plain text cannot be written or cannot represent trees"),
    (["IN", "-o", "IN/table.csv", "--input", "csv"], "the output would replace the input file"),
    (["-", "-o", "IN"], "standard input has no file name"),
    (["IN", "-o", "OUT", "--to", "plaintext"], "plain text cannot be written or has no trees"),
    (["IN", "IN", "-o", "OUT"], "several inputs would be written to"),
    (["IN/a.txt", "--skip-existing"], "--skip-existing is for an output folder"),
    (["IN/a.txt", "--encoding", "klingon"], "unknown encoding 'klingon'"),
])
def test_usage_errors(model, texts, arguments, message):
    places = [each.replace("IN", str(texts)).replace("OUT", str(texts.parent / "out")) for each in arguments]
    assert message in run(model, *places, code=2)


def test_a_folder_without_texts(model, tmp_path):
    assert "there is nothing to parse" in run(model, tmp_path, "-o", tmp_path / "out", code=1)
    assert tree(tmp_path) == []


def test_convert_with_an_encoding(tmp_path):
    source, target = tmp_path / "wide.conllu", tmp_path / "utf8.conllu"
    source.write_bytes(TEST.read_text(encoding="utf-8").encode("utf-16"))
    command = [sys.executable, "-m", "gardenpath", "convert", str(source), "-o", str(target), "--encoding"]
    for encoding in ("utf-16", "auto"):
        subprocess.run([*command, encoding], check=True)
        assert target.read_bytes() == TEST.read_bytes()
