"""`gardenpath convert`: formats by file extension and by name, pipes, warnings about losses, and errors."""

import re
import subprocess
import sys

import pytest

from sample import DEV, TEST

GARDENPATH = [sys.executable, "-m", "gardenpath"]
RICH = """\
# sent_id = 1
1-2\tdon't\t_\t_\t_\t_\t_\t_\t_\t_
1\tdo\t_\tAUX\t_\t_\t0\troot\t_\t_
2\tn't\t_\tPART\t_\t_\t1\tadvmod\t_\tX:Y=z

"""


def convert(*arguments, stdin=b"", code=0):
    done = subprocess.run([*GARDENPATH, "convert", *map(str, arguments)], input=stdin, capture_output=True, check=False)
    assert done.returncode == code, done.stderr.decode()
    assert b"Traceback" not in done.stderr
    return done.stdout, done.stderr.decode()


@pytest.mark.parametrize(
    "options",
    [["-o", "a.parquet"], ["-o", "b.parquet", "--nested"], ["-o", "c.feather"], ["-o", "d.json"], ["-o", "e.conllup"]],
)
def test_formats_by_file_extension(options, tmp_path):
    path = tmp_path / options[1]
    assert convert(DEV, "-o", path, *options[2:]) == (b"", "")
    assert convert(path) == (DEV.read_bytes(), "")


def test_several_files_and_folders(tmp_path):
    folder = tmp_path / "trees" / "below"
    folder.mkdir(parents=True)
    for path, source in ((folder / "b.conllu", TEST), (folder.parent / "a.conllu", DEV)):
        path.write_bytes(source.read_bytes())
    together = DEV.read_bytes() + TEST.read_bytes()
    assert convert(DEV, TEST) == convert(folder.parent) == (together, "")
    convert(DEV, "-o", tmp_path / "dev.parquet")
    assert convert(tmp_path / "dev.parquet", TEST) == (together, "")
    assert "would replace the input file" in convert(DEV, folder / "b.conllu", "-o", folder / "b.conllu", code=2)[1]
    (tmp_path / "empty").mkdir()
    assert "the folder has no files *.conllu" in convert(tmp_path / "empty", "-o", tmp_path / "x.csv", code=1)[1]


def test_formats_by_name_and_through_pipes(tmp_path):
    content, _ = convert(DEV, "--to", "parquet")
    assert convert("--from", "parquet", stdin=content) == (DEV.read_bytes(), "")
    assert convert(stdin=DEV.read_bytes())[0] == DEV.read_bytes()
    odd = tmp_path / "treebank.txt"
    odd.write_bytes(DEV.read_bytes())
    assert convert(odd, "--from", "conllu", "-o", odd, "--to", "conllu") == (b"", "")
    assert odd.read_bytes() == DEV.read_bytes()


def test_losses_are_reported_once():
    content, said = convert("--to", "conllx", stdin=(RICH + RICH + "1\ta" + 8 * "\t_" + "\n\n").encode())
    assert content.count(b"\tdo\t") == 2
    message = "gardenpath: left out because CoNLL-X cannot represent it (number of sentences): "
    assert said.startswith(message)
    assert re.fullmatch(r"comments \(2\), multi-?word tokens \(2\), MISC \(2\)\n", said.removeprefix(message))


def test_no_losses_are_reported_for_plain_text():
    content, said = convert("--to", "plaintext", stdin=RICH.encode())
    assert (content.strip(), said) == (b"don't", "")


def test_columns():
    content, said = convert("--to", "conllup", "--columns", "ID, FORM, X:Y", stdin=RICH.encode())
    assert content == b"# global.columns = ID FORM X:Y\n# sent_id = 1\n1-2\tdon't\t_\n1\tdo\t_\n2\tn't\tz\n\n"
    message = "gardenpath: left out because CoNLL-U Plus cannot represent it (number of sentences): "
    assert said == f"{message}UPOS (1), HEAD (1), DEPREL (1)\n"
    assert convert("--from", "conllup", "--to", "conllup", stdin=content) == (content, "")
    assert b"\tX:Y=z\n" in convert("--from", "conllup", stdin=content)[0]


def test_brat(tmp_path):
    convert(TEST, "-o", tmp_path / "notes.ann")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["notes.ann", "notes.txt"]


@pytest.mark.parametrize(
    "arguments, stdin, code, fault",
    [
        (["x.doc"], b"", 2, "x.doc: unknown file extension; name the format with --from: conllu,"),
        (["-o", "x.doc"], b"", 2, "x.doc: unknown file extension; name the format with --to: conllu,"),
        (["--from", "doc"], b"", 2, "no format is called 'doc'"),
        (["--to", "doc"], b"", 2, "no format is called 'doc'"),
        (["x.svg"], b"", 2, "SVG can only be written; choose a format that can be read"),
        (["x.txt"], b"", 2, "vertical; `gardenpath parse` makes trees from text"),
        (["--to", "brat"], b"", 2, "brat has two files"),
        (["--columns", "ID"], b"", 2, "CoNLL-U has no option `columns`"),
        (["--nested"], b"", 2, "CoNLL-U has no option `nested`"),
        (["nowhere.conllu"], b"", 1, "nowhere.conllu: No such file"),
        (["--to", "json"], b"1\ta\n", 1, "<stdin>:1: 2 columns instead of 10"),
        (["--from", "parquet"], b"text", 1, "<stdin>: "),
        (["--to", "matxin"], b"1\ta" + 4 * b"\t_" + b"\t7\tx\t_\t_\n\n", 1, "too large head"),
    ],
)
def test_errors(arguments, stdin, code, fault):
    said = convert(*arguments, stdin=stdin, code=code)[1]
    assert fault in said
    assert said.count("\n") == 1


def test_a_closed_pipe_is_no_error():
    command = f"{sys.executable} -m gardenpath convert {DEV} --to conllx | head -1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("1\t")
    assert "Traceback" not in done.stderr


def test_other_formats_can_be_parsed(tmp_path):
    parquet = tmp_path / "test.parquet"
    convert(TEST, "-o", parquet)
    parsed = [
        subprocess.run([*GARDENPATH, "parse", *map(str, arguments)], capture_output=True, check=True).stdout
        for arguments in ([TEST], [parquet, "--input", "parquet"])
    ]
    assert parsed[0] == parsed[1]


def test_tables(tmp_path):
    assert convert(TEST, "-o", tmp_path / "a.csv", "--columns", "sent_id form head_form")[0] == b""
    assert (tmp_path / "a.csv").read_text(encoding="utf-8").startswith("sent_id,form,head_form\n")
    assert convert(TEST, "-o", tmp_path / "a.xlsx", "--rows", "sentences")[0] == b""
    assert (tmp_path / "a.xlsx").read_bytes().startswith(b"PK")
    content, said = convert("--to", "tsv", stdin=RICH.encode())
    assert content.splitlines()[1].split(b"\t")[3:5] == [b"1", b"do"]
    assert "CSV" not in said
    assert re.search(r"TSV cannot represent it .*multi-?word tokens \(1\)", said)
    assert "CSV can only be written" in convert(tmp_path / "a.csv", "-o", tmp_path / "b.conllu", code=2)[1]
    assert "unknown file extension" in convert(TEST, "-o", tmp_path / "a.tab", code=2)[1]
