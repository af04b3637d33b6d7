"""`gardenpath parse` on text: input formats, output formats and errors."""

import io
import re
import subprocess
import sys

import pytest

import gardenpath as gp
from gardenpath.cli.inputs import looks_like_conllu
from sample import TEST, TRAIN, trained

GARDENPATH = [sys.executable, "-m", "gardenpath"]
TEXT = "The dog saw the cat. It barked.\n\nThe cat ran."


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    path = tmp_path_factory.mktemp("text") / "sample.gp"
    trained(tags="predicted").save(path)
    return path


def parse(model, *arguments, stdin=b"", code=0):
    """Return the output of `gardenpath parse`, or its error."""
    output, error = parse_with_messages(model, *arguments, stdin=stdin, code=code)
    return output if code == 0 else error


def parse_with_messages(model, *arguments, stdin=b"", code=0):
    done = subprocess.run(
        [*GARDENPATH, "parse", "-m", str(model), *map(str, arguments)], input=stdin, capture_output=True, check=False
    )
    assert done.returncode == code, done.stderr.decode()
    assert b"Traceback" not in done.stderr
    return done.stdout.decode(), done.stderr.decode()


def test_text_from_standard_input_and_from_files(model, tmp_path):
    expected = trained(tags="predicted")(TEXT).to_conllu()
    path = tmp_path / "text.txt"
    path.write_text(TEXT, encoding="utf-8")
    assert (
        parse(model, stdin=TEXT.encode())
        == parse(model, path)
        == parse(model, "-", "-t", 2, stdin=TEXT.encode())
        == expected
    )
    assert parse(model, path, "-o", tmp_path / "out.conllu") == ""
    assert (tmp_path / "out.conllu").read_text(encoding="utf-8") == expected
    both = parse(model, path, path)
    assert both.count("# newdoc") == 2
    assert (
        both.count("# sent_id = ")
        == 2 * expected.count("# sent_id = ")
        == len({line for line in both.splitlines() if "sent_id" in line})
    )


def test_lines_and_tokens(model):
    lines = parse(model, "--input", "lines", stdin=b"The dog barked. It ran.\nThe cat saw it.\n")
    assert [line for line in lines.splitlines() if "# text" in line] == [
        "# text = The dog barked. It ran.",
        "# text = The cat saw it.",
    ]
    tokens = parse(model, "-i", "tokens", stdin=b"The dog barked.\n")
    assert [line.split("\t")[1] for line in tokens.splitlines() if line[:1].isdigit()] == ["The", "dog", "barked."]


def test_output_formats_by_name_and_by_file_extension(model, tmp_path):
    (tmp_path / "text.txt").write_text(TEXT, encoding="utf-8")
    document = trained(tags="predicted")(TEXT)
    assert (
        gp.Document.from_json(parse(model, tmp_path / "text.txt", "--to", "json")).to_conllu() == document.to_conllu()
    )
    assert parse(model, tmp_path / "text.txt", "--to", "json", "-t", 2) == document.to_json() + "\n"
    assert parse(model, tmp_path / "text.txt", "-o", tmp_path / "trees.svg") == ""
    assert (tmp_path / "trees.svg").read_text(encoding="utf-8") == document.to_svg()
    parse(model, TEST, "-o", tmp_path / "trees.json")
    assert gp.Document.from_json((tmp_path / "trees.json").read_bytes()).to_conllu() == parse(model, TEST)
    parse(model, tmp_path / "text.txt", "-o", tmp_path / "trees")
    assert (tmp_path / "trees").read_text(encoding="utf-8") == document.to_conllu()
    for name, problem in (
        ("trees.txt", "plain text cannot be written or cannot represent trees"), ("trees.conll09", "cannot be written"),
        ("trees.foo", "unknown file extension; name the format with --to"),
    ):
        assert problem in parse(model, tmp_path / "text.txt", "-o", tmp_path / name, code=2)
        assert not (tmp_path / name).exists()
    assert "no format is called 'xml'" in parse(model, "--to", "xml", stdin=b"A dog.", code=2)
    assert "CoNLL-2009 can only be read" in parse(model, "--to", "conll09", stdin=b"A dog.", code=2)


def test_tables_by_file_extension(model, tmp_path):
    (tmp_path / "text.txt").write_text(TEXT, encoding="utf-8")
    document = trained(tags="predicted")(TEXT)
    parse(model, tmp_path / "text.txt", "-o", tmp_path / "trees.csv", "--columns", "form,head_form deprel")
    lines = (tmp_path / "trees.csv").read_text(encoding="utf-8").splitlines()
    assert lines[0] == "form,head_form,deprel"
    assert len(lines) == len(document.words) + 1
    rows = parse(model, tmp_path / "text.txt", "--to", "tsv", "--rows", "sentences", "--columns", "text")
    assert rows.splitlines() == ["text", *(sentence.text for sentence in document)]
    assert "there is no column 'x'" in parse(model, "--to", "csv", "--columns", "x", stdin=b"A dog.", code=2)
    assert "JSON has no option `rows`" in parse(model, "--to", "json", "--rows", "words", stdin=b"A dog.", code=2)


def test_the_k_best_parses_of_text(model):
    written = parse(model, "--kbest", 2, "--beam", 4, stdin=TEXT.encode())
    best = [sentence for sentence in gp.read_conllu(io.BytesIO(written.encode())) if sentence.comment("parse") == "1"]
    with pytest.warns(gp.GardenpathWarning, match="trained without a beam, and parses worse with one"):
        expected = trained(tags="predicted")(TEXT, beam=4)
    assert [sentence.heads for sentence in best] == [sentence.heads for sentence in expected]
    assert written.count("# parse = 2") == len(best) == 3


def test_unknown_tags_cause_a_warning(model, tmp_path):
    path = tmp_path / "foreign.conllu"
    sentences = list(gp.read_conllu(TEST))
    for sentence in sentences:
        for word in sentence:
            word.upos = f"{word.upos}-X"
            word.xpos = f"{word.xpos}-X"
    gp.write_conllu(sentences, path)
    command = [*GARDENPATH, "parse", "-m", str(model), "--reparse"]
    done = subprocess.run([*command, str(path)], capture_output=True, check=True)
    assert re.fullmatch(
        r"gardenpath: 945 of the first 945 words have an [UX]POS that this model has never seen, such as "
        r"\S+-X, \S+-X, \S+-X; "
        r"with `retag` it predicts its own tags\n", done.stderr.decode(),
    )
    for options in (["--retag", path], [TEST]):
        assert not subprocess.run([*command, *map(str, options)], capture_output=True, check=True).stderr
    assert set(trained(tags="predicted").strange_tags(sentences[0])) == {
        getattr(word, trained(tags="predicted").description["tag"]) for word in sentences[0]
    }
    assert trained(tags="gold").strange_tags(sentences[0]) == []


def test_a_sentence_instead_of_a_file_name(model, tmp_path):
    assert "the file 'The dog barked.' does not exist; pass text on standard input" in parse(
        model, "The dog barked.", code=2
    )
    traced = subprocess.run([*GARDENPATH, "trace", "The dog barked."], capture_output=True, text=True, check=False)
    assert (traced.returncode, traced.stderr.endswith('echo "I saw her." | gardenpath trace\n')) == (2, True)
    path = tmp_path / "The dog barked."
    path.write_text(TEXT, encoding="utf-8")
    assert parse(model, path) == parse(model, stdin=TEXT.encode())


def test_conllu_is_detected_by_its_first_lines(model, tmp_path):
    content = TEST.read_bytes()
    path = tmp_path / "treebank.txt"
    path.write_bytes(content)
    assert (
        parse(model, stdin=content)
        == parse(model, path)
        == parse(model, TEST)
        == parse(model, TEST, "--input", "conllu")
    )
    assert "the inputs have different formats" in parse(model, TEST, __file__, code=2)


@pytest.mark.parametrize(
    ("beginning", "is_conllu"),
    [
        (b"", False),
        (b"# a heading\n\nand text", False),
        (b"1\tThe\n", False),
        ("1\t" * 9, True),
        ("# text = x\n1-2\tdu" + 8 * "\t_", True),
        ("\ufeff# sent_id = 1\r\n1" + 9 * "\t_", True),
        ("1 " * 9, False),
        ("# sent_id = 1\n# te", True),
        ("# newdoc id = x", True),
        ("# text editors", False),
        ("# text = x\n\nno columns", False),
    ],
)
def test_what_looks_like_conllu(beginning, is_conllu):
    assert looks_like_conllu(beginning if isinstance(beginning, bytes) else beginning.encode()) is is_conllu


def test_ranges(model):
    assert "TokenRange=4:7" in parse(model, "--ranges", stdin=b"The dog barked.")


def test_retagging(model):
    kept, predicted = parse(model, TEST), parse(model, TEST, "--retag")
    assert kept != predicted
    assert predicted == "".join(
        sentence.to_conllu() for sentence in trained(tags="predicted").parse(gp.read_conllu(TEST), retag=True)
    )


PARTIAL = """# sent_id = s1
1\tThe\t_\tDET\tDT\t_\t_\t_\t_\t_
2\tdog\t_\tNOUN\tNN\t_\t{head}\t{label}\t_\t_
3\tbarked\t_\tVERB\tVBD\t_\t1\t_\t_\t_

"""


def heads_in(written):
    return [line.split("\t")[6] for line in written.splitlines() if "\t" in line]


def test_given_heads(model):
    partial = PARTIAL.format(head="3", label="flat").encode()
    kept = parse(model, stdin=partial)
    assert heads_in(kept) == ["0", "3", "1"]
    assert "\t3\tflat\t" in kept
    assert parse(model, "--keep-heads", stdin=partial) == kept
    assert heads_in(parse(model, "--reparse", stdin=partial)) == ["2", "3", "0"]
    assert heads_in(parse(model, "--keep-heads", stdin=kept.encode())) == ["0", "3", "1"]
    assert heads_in(parse(model, stdin=kept.encode())) == ["2", "3", "0"]
    best = parse(model, "--kbest", 2, "--beam", 4, stdin=partial)
    assert set(heads_in(best)[1::3]) == {"3"}
    assert set(heads_in(best)[2::3]) == {"1"}


def test_replaced_trees_are_counted(model, tmp_path):
    whole = PARTIAL.format(head="3", label="flat").replace("DT\t_\t_", "DT\t_\t0").encode()
    note = "had a whole tree, which was replaced; --keep-heads keeps such trees, --reparse replaces them without this"
    parsed, message = parse_with_messages(model, stdin=whole * 2)
    assert message == f"gardenpath: 2 sentences {note} note\n"
    assert parse_with_messages(model, "--reparse", stdin=whole * 2) == (parsed, "")
    assert parse_with_messages(model, "--keep-heads", stdin=whole)[1] == ""
    assert parse_with_messages(model, stdin=PARTIAL.format(head="3", label="flat").encode())[1] == ""
    assert note in parse_with_messages(model, "--kbest", 2, "--beam", 4, stdin=whole)[1]
    for name in ("a.conllu", "b.conllu"):
        (tmp_path / name).write_bytes(whole)
    message = parse_with_messages(model, tmp_path, "-o", tmp_path / "parsed", "-t", 2)[1]
    assert message == f"files: 2 parsed to {tmp_path / 'parsed'}\ngardenpath: 2 sentences {note} note\n"


def test_given_heads_with_a_cycle(model):
    cycle = PARTIAL.format(head="3", label="_").replace("DT\t_\t_", "DT\t_\t2").encode()
    assert "sent_id=s1: words 1, 2 and 3 form a cycle" in parse(model, "--keep-heads", stdin=cycle, code=1)
    assert heads_in(parse(model, "--keep-heads", "--drop-conflicts", stdin=cycle)) == ["2", "3", "0"]


def test_empty_input_gives_empty_output(model):
    assert parse(model, stdin=b"") == parse(model, stdin=b" \n\n") == ""


@pytest.mark.parametrize(
    ("arguments", "stdin", "code", "message"),
    [
        (
            ["--input", "words"], b"", 2,
            "unknown input format 'words'; choose one of auto, text, lines, tokens, html, docx, csv, conllu, conllx",
        ),
        (["--ranges", TEST], b"", 2, "--ranges needs text input"),
        (["--retag"], b"A text.", 2, "--retag needs input with columns"),
        (["--reparse"], b"A text.", 2, "--drop-conflicts need input with columns, such as CoNLL-U, not text"),
        (["--reparse", "--keep-heads", TEST], b"", 2, "--keep-heads and --reparse contradict each other"),
        (["--kbest", "2"], b"A text.", 2, "a beam of width 1 finds 1 parse, not 2; use a wider one"),
        ([], b"caf\xe9", 1, "<stdin>:1: byte 0xe9 is not UTF-8"),
        (["missing.txt"], b"", 1, "missing.txt: No such file"),
    ],
)
def test_errors(model, arguments, stdin, code, message):
    assert message in parse(model, *arguments, stdin=stdin, code=code)


def test_an_unknown_model_name():
    assert "no model is called 'klingon'; there are " in parse("klingon", code=2)


def test_confidence_in_misc(model, tmp_path):
    written = parse(model, "--confidence", stdin=TEXT.encode())
    assert written == trained(tags="predicted")(TEXT).to_conllu(confidence=True)
    sentences = list(gp.read_conllu(io.BytesIO(written.encode())))
    assert all("ConfHead=0." in word.misc for sentence in sentences for word in sentence)
    again = parse(model, "--confidence", "--retag", stdin=written.encode())
    assert again == written
    assert "needs a single parse" in parse(model, "--confidence", "--kbest", 2, "--beam", 4, stdin=b"Yes.", code=2)
    plain = tmp_path / "plain.gp"
    gp.train(TRAIN, epochs=1).save(plain)
    assert "needs a calibrated model" in parse(plain, "--confidence", stdin=b"Yes.", code=2)


def test_calibrate(tmp_path):
    plain, calibrated = tmp_path / "plain.gp", tmp_path / "calibrated.gp"
    gp.train(TRAIN, epochs=1).save(plain)
    done = subprocess.run(
        [*GARDENPATH, "calibrate", plain, str(TEST), "-o", calibrated], capture_output=True, text=True, check=True,
    )
    assert re.search(r"^arc +\d+\.\d\d  head and label right$", done.stdout, re.MULTILINE)
    described = subprocess.run([*GARDENPATH, "info", calibrated], capture_output=True, text=True, check=True).stdout
    assert "expected calibration error" in described
    assert gp.load(calibrated)("It barked.").sentences[0].words[0].confidence.head > 0
