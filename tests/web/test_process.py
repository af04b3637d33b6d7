"""Requests to UDPipe's API, without a server."""

import asyncio
import io
import unicodedata
from itertools import product

import pytest

import gardenpath as gp
from gardenpath.errors import InputError
from gardenpath.formats import text as plain_text
from gardenpath.formats.udpipe import from_conllu
from gardenpath.web import tasks
from gardenpath.web.limits import Limits
from gardenpath.web.process import MARKS, normalised, process, read_request
from gardenpath.web.served import Served, ServedModels
from gardenpath.web.work import Workers
from sample import TEST, small, trained

TEXT = "I don't know Zoë.\nShe sings.\n\nThe old man the boats! "
TAGGED = """\
# sent_id = a
1\tShe\tshe\tPRON\tPRP\tCase=Nom\t_\t_\t_\tX=y
2\tsings\tsing\tVERB\tVBZ\t_\t7\tconj\t2:conj\t_
2.1\tloudly\t_\t_\t_\t_\t_\t_\t2:advmod\t_

"""
UNTAGGED = """\
# sent_id = b
1-2\tdon't\t_\t_\t_\t_\t_\t_\t_\t_
1\tdo\tGIVEN\t_\t_\t_\t_\t_\t_\t_
2\tn't\t_\t_\t_\t_\t_\t_\t_\t_

"""
HEADING = (
    f"# generator = gardenpath {gp.__version__}\n# gardenpath_model = en\n# gardenpath_model_licence = CC BY-SA 4.0\n"
)


@pytest.fixture(scope="module")
def models():
    return ServedModels([Served("en", gp.load("en")), Served("gold-tags", trained())])


@pytest.fixture(scope="module")
def workers():
    threads = Workers(2)
    yield threads
    threads.close()


@pytest.fixture(scope="module")
def do(models, workers):
    """Process a request with these parameters, and return the result."""

    def result(limits=Limits(), **parameters):
        return asyncio.run(process(read_request(parameters, models), limits, workers)).text

    return result


TOKENIZERS = {
    None: None, "": "text", "ranges": "text", "presegmented": "lines", "ranges;presegmented": "lines",
    "normalized_spaces;allow_spaces=1": "text", "none": "text", "presegmented=0; ranges": "lines",
    "joint_with_parsing;default;unknown=file:/dev/zero": "text",
}
INPUTS = {
    None: "conllu", "": "conllu", "conllu": "conllu", "conllu=v2": "conllu", "horizontal": "horizontal",
    "vertical=x": "vertical", "generic_tokenizer=presegmented;ranges": "generic_tokenizer=presegmented;ranges",
    "generic_tokenizer=ranges=file:/dev/zero": "generic_tokenizer=ranges",
}
OUTPUTS = {
    None: "conllu", "": "conllu", "conllu": "conllu", "conllu=v2": "conllu", "conllu=v1": "conllu=v1",
    "conllu=v1;v2": "conllu", "conllu=odd": "conllu", "horizontal": "horizontal",
    "horizontal=paragraphs": "horizontal=paragraphs", "vertical=paragraphs;odd": "vertical=paragraphs",
    "matxin": "matxin", "epe": "epe", "plaintext=normalized_spaces": "plaintext=normalized_spaces",
    "plaintext=file:/dev/zero": "plaintext",
}
STEPS = {None: False, "": True, "none": False, "odd=1": True}


@pytest.mark.parametrize("tokenizer, given", list(product(TOKENIZERS, INPUTS)))
def test_all_combinations_of_parameters(models, tokenizer, given):
    for output, tagger, parser in product(OUTPUTS, STEPS, STEPS):
        values = {
            "data": "Žluť", "model": "", "tokenizer": tokenizer, "input": given, "output": output, "tagger": tagger,
            "parser": parser,
        }
        request = read_request({name: value for name, value in values.items() if value is not None}, models)
        assert (request.data, request.served) == ("Žluť", models.default)
        assert request.input == (TOKENIZERS[tokenizer] or INPUTS[given])
        assert request.is_text == (tokenizer is not None)
        assert request.ranges == ("ranges" in (tokenizer or ""))
        assert (request.output, request.tag, request.parse) == (OUTPUTS[output], STEPS[tagger], STEPS[parser])


@pytest.mark.parametrize(
    "parameters, sentence",
    [
        ({}, r"The parameter 'data' is required\."),
        ({"data": "", "model": "xx"}, r"The requested model 'xx' does not exist; available models: en, gold-tags\."),
        (
            {"data": "", "input": "odd"},
            r"Unknown input format 'odd'\. Choose one of conllu, generic_tokenizer, horizontal, vertical; "
            r"for plain.*'tokenizer'\.",
        ),
        ({"data": "", "input": "epe"}, r"Unknown input format 'epe'\..*"),
        (
            {"data": "", "output": "Conllu"},
            r"Unknown output format 'Conllu'\. Choose one of conllu, epe, horizontal, matxin, plaintext, vertical\.",
        ),
        ({"data": "", "model": "gold-tags", "tokenizer": ""}, "The required model does not contain a tokenizer!"),
        ({"data": "", "model": "gold", "tagger": ""}, "The required model does not contain a tagger!"),
        (
            {"data": "e" + "\u0301" * 300},
            r"The data has 300 combining characters in a row, from character 2 on; at most 30 are allowed\. "
            r"Remove the others\.",
        ),
    ],
)
def test_invalid_requests(models, parameters, sentence):
    with pytest.raises(InputError, match=f"^{sentence}$"):
        read_request(parameters, models)


def test_the_tokenizer_takes_precedence_over_the_input_format(models):
    assert read_request({"data": "", "tokenizer": "", "input": "odd"}, models).input == "text"


@pytest.mark.parametrize("name", ["english", "english-ewt", "english-ewt-ud", "english-ewt-ud-2.16", "en", ""])
def test_names_of_models(models, name):
    assert read_request({"data": "", "model": name}, models).served.name == "en"


def test_the_data_is_normalised():
    text = "e\u0301 \u1100\u1161 A\u030a\u0323" + "\N{BULLET}" * 300
    text += "a" + "\u0301\u0323" * (MARKS // 2) + "한국어" * 200
    assert normalised(text) == unicodedata.normalize("NFC", text) != text
    assert normalised("plain") == "plain"


@pytest.mark.parametrize("marks", ["\u0301", "\u0301\u0323", "\N{BULLET}" * 101 + "\u0301" * 101])
def test_many_combining_characters_do_not_take_long(marks):
    """Normalisation would take minutes."""
    with pytest.raises(InputError, match="combining characters in a row"):
        normalised("x" + "\N{BULLET}" * 200 + marks * (400_000 // len(marks)))


@pytest.mark.parametrize(
    "options, input", [("", "text"), ("ranges", "text"), ("presegmented", "lines"), ("presegmented;ranges", "lines")]
)
def test_text_gives_the_same_result_as_the_command(do, models, options, input):
    pieces = [plain_text.TextPiece(TEXT, 0, False)]
    expected = b"".join(models.default.model.to_conllu(pieces, input=input, ranges="ranges" in options)).decode()
    assert do(data=TEXT, tokenizer=options, tagger="", parser="") == HEADING + expected


def test_only_the_requested_columns_are_filled_in(do):
    full = rows(do(data=TEXT, tokenizer="", tagger="", parser=""))
    empty = ("_", "_", "_", "_")
    for tag, parse in product((False, True), repeat=2):
        found = rows(do(data=TEXT, tokenizer="", tagger="" if tag else "none", parser="" if parse else "none"))
        assert found == [
            (*row[:2], *(row[2:6] if tag else empty), *(row[6:8] if parse else empty[:2]), *row[8:]) for row in full
        ]


def test_existing_columns_are_kept(do):
    assert do(data=TAGGED + UNTAGGED) == HEADING + TAGGED + UNTAGGED
    parsed = rows(do(data=TAGGED + UNTAGGED, parser=""))
    given = rows(TAGGED + UNTAGGED)
    assert [row[:6] + row[8:] for row in parsed] == [row[:6] + row[8:] for row in given]
    assert [row[6:8] for row in parsed if "." not in row[0] and "-" not in row[0]] == [
        ("2", "nsubj"),
        ("0", "root"),
        ("0", "root"),
        ("1", "advmod"),
    ]
    tagged = rows(do(data=TAGGED + UNTAGGED, tagger=""))
    assert [row[:2] + row[6:] for row in tagged] == [row[:2] + row[6:] for row in given]
    assert [row[3] for row in tagged] == ["PRON", "VERB", "_", "_", "AUX", "PART"]
    assert tagged[4][2] == "do", "the given lemma is replaced by a predicted one"


def test_the_parser_uses_the_given_tags(do, models):
    sentences = list(gp.read_conllu(TEST))
    for sentence in sentences:
        for word in sentence:
            word.head, word.deprel = None, "_"
    data = "".join(sentence.to_conllu() for sentence in sentences)
    expected = "".join(sentence.to_conllu() for sentence in models.default.model.parse(sentences))
    assert do(data=data, parser="") == HEADING + expected
    assert do(data=data, tagger="", parser="") == HEADING + "".join(
        sentence.to_conllu() for sentence in models.default.model.parse(sentences, retag=True)
    )


def test_long_data_is_processed_in_pieces(do, monkeypatch):
    requests = [
        {"data": TEXT * 5, "tokenizer": "ranges"}, {"data": "She sings.\n\n" * 9, "tokenizer": "presegmented"},
        {"data": (TAGGED + UNTAGGED) * 5}, {"data": "a b\n" * 9, "input": "horizontal"},
    ]
    expected = [do(**request, tagger="", parser="") for request in requests]
    assert expected[2].count("# generator") == 1
    monkeypatch.setattr(plain_text, "PIECE", 20)
    monkeypatch.setattr(tasks, "CHUNK", 3)
    assert [do(**request, tagger="", parser="") for request in requests] == expected


def test_an_earlier_heading_is_replaced(do):
    first = do(data=TEXT, tokenizer="")
    second = do(data=first, tagger="")
    assert do(data=second, parser="") == do(data=TEXT, tokenizer="", tagger="", parser="")
    other = first.replace("gardenpath_model = en", "gardenpath_model = other").replace(
        "# newdoc", "# generator = UDPipe 2\n# newdoc"
    )
    assert do(data=other) == first.replace("# newdoc", "# generator = UDPipe 2\n# newdoc")


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_missing_blank_line_at_the_end_is_added(do, newline):
    heading, conllu = (text.replace("\n", newline) for text in (HEADING, TAGGED))
    for data in (conllu, conllu.removesuffix(newline), conllu.removesuffix(2 * newline)):
        assert do(data=data) == heading + conllu
    assert do(data="\ufeff" + newline + conllu + newline) == "\ufeff" + newline + heading + conllu + newline


@pytest.mark.parametrize("data", ["", " ", "\n", "\r\n\r\n", "\ufeff"])
def test_empty_data_gives_an_empty_result(do, data):
    assert do(data=data, tokenizer="", tagger="", parser="") == ""
    assert do(data=data.strip(" "), tagger="", parser="") == ""
    assert do(data=data.strip("\ufeff"), input="horizontal", parser="") == ""


@pytest.mark.parametrize(
    "output",
    ["conllu=v1", "epe", "horizontal", "horizontal=paragraphs", "matxin", "plaintext", "plaintext=normalized_spaces"],
)
def test_other_formats_are_written_by_udpipe(do, output):
    for parameters in (
        {"data": TEXT, "tokenizer": "", "tagger": "", "parser": ""},
        {"data": TAGGED + UNTAGGED, "parser": ""},
        {"data": ""},
    ):
        assert do(**parameters, output=output) == from_conllu(do(**parameters), output)


@pytest.mark.parametrize(
    "input, data", [("horizontal", "She sings\n"), ("vertical", "She\nsings\n\n"), ("generic_tokenizer", "She sings")]
)
def test_other_formats_are_read_by_udpipe(do, input, data):
    result = do(data=data, input=input, tagger="", parser="")
    assert [row[:4] + row[6:8] for row in rows(result)] == [
        ("1", "She", "she", "PRON", "2", "nsubj"),
        ("2", "sings", "sing", "VERB", "0", "root"),
    ]
    assert result.startswith(HEADING + "# newdoc\n# newpar\n# sent_id = 1\n")


def test_data_that_cannot_be_read_or_written(do):
    with pytest.raises(
        InputError,
        match=r"^Cannot parse the input in 'conllu' format\. data:8: sent_id=x: 2 columns instead of 10; columns .*",
    ):
        do(data=TAGGED + "# odd\n# sent_id = x\n1\ta\n\n", parser="")
    with pytest.raises(InputError, match=r"^data:1: no word has XPOS.*tag the text first"):
        do(data="1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n\n", parser="", model="gold-tags")
    with pytest.raises(
        InputError, match=r"^Cannot write the output in 'epe' format\. Node ID '2' form 'sings' has too large head"
    ):
        do(data=TAGGED, output="epe")


@pytest.mark.parametrize(
    "parameters",
    [
        {"data": "a " * 11, "tokenizer": "presegmented"},
        {"data": "a " * 11, "input": "horizontal"},
        {"data": "a\n" * 11, "input": "vertical", "parser": ""},
    ],
)
def test_a_sentence_that_is_too_long_is_an_error(do, parameters):
    with pytest.raises(InputError, match=r"11 words, .*10 .*--max-words"):
        do(Limits(words=10), **parameters)
    assert do(Limits(words=11), **parameters)


def rows(conllu):
    """Return the columns of all nodes."""
    return [tuple(line.split("\t")) for line in conllu.splitlines() if line and not line.startswith("#")]


def test_a_licence_of_several_lines_stays_one_comment(workers, tmp_path):
    model = gp.train(small(tmp_path, 5), epochs=1, tags="gold", licence="one\n1\ttwo")
    request = read_request({"data": "1\ta" + 8 * "\t_" + "\n\n"}, ServedModels([Served("odd", model)]))
    written = asyncio.run(process(request, Limits(), workers)).text
    assert "# gardenpath_model_licence = one 1 two\n" in written
    assert len(list(gp.read_conllu(io.BytesIO(written.encode())))) == 1
