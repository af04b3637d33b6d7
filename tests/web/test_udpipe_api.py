"""UDPipe's REST API: clients send requests to a real server."""

import io
import json
import re
import shlex
import shutil
import subprocess
import unicodedata
from itertools import cycle, product
from pathlib import Path
from urllib.parse import quote, urlencode

import pytest

import gardenpath as gp
from gardenpath.formats.document import EMPTY
from gardenpath.formats.udpipe import LONGEST_RUN, from_conllu, to_conllu
from gardenpath.web.limits import Limits
from gardenpath.web.process import MARKS
from waiting import HANG
from web.udpipe_client import URL_ENCODED, WAYS, get, multipart, post, post_multipart, request

pytestmark = pytest.mark.xdist_group("server")

REPOSITORY = Path(__file__).parents[2]
TEXT = "I don't know Zoë, she said.\nShe's naïve \N{SNOWMAN}\n\n  The old man the boats!  "
TOKENIZERS = (None, "", "ranges", "presegmented", "ranges;presegmented")
STEPS = (None, "", "none")
OUTPUTS = (
    "conllu=v1", "conllu=v2", "epe", "horizontal", "horizontal=paragraphs", "matxin", "plaintext",
    "plaintext=normalized_spaces", "vertical", "vertical=paragraphs",
)
INPUTS = {
    "conllu": "# sent_id = x\n1-2\tdon't\t_\t_\t_\t_\t_\t_\t_\tA=b\n1\tdo\t_\t_\t_\t_\t_\t_\t_\t_\n"
    "2\tn't\t_\t_\t_\t_\t_\t_\t_\t_\n2.1\tgo\t_\t_\t_\t_\t_\t_\t0:root\t_\n\n"
    "# note\n# text = Zoë sang\n1\tZoë\tZOE\tPROPN\tNNP\t_\t0\troot\t_\tX=y\n"
    "2\tsang\t_\tVERB\tVBD\t_\t1\tdep\t_\t_\n\n",
    "horizontal": "Zoë sang\nNew\N{NO-BREAK SPACE}York does n't\n\nIt does\n",
    "vertical": "Zoë\nsang\n\nNew York\ndoes\n\n\nIt\ndoes\n",
    "generic_tokenizer": "Zoë sang. New York doesn't.\n\nIt does.",
    "generic_tokenizer=ranges;presegmented": "Zoë sang. New York doesn't.\n\nIt does.",
}
HEADING = (
    f"# generator = gardenpath {gp.__version__}\n# gardenpath_model = en\n# gardenpath_model_licence = CC BY-SA 4.0\n"
)
TAGS = ("lemma", "upos", "xpos", "feats")


@pytest.fixture(scope="module")
def nlp():
    return gp.load("en")


@pytest.fixture(scope="module")
def curl():
    path = shutil.which("curl")
    if path is None:
        pytest.skip("curl is not installed")

    def run(*arguments, content=None):
        done = subprocess.run([path, "-sS", *arguments], input=content, capture_output=True, timeout=HANG, check=False)
        return done.stdout.decode(), done.stderr.decode()

    return run


def given(**parameters):
    """Return the parameters that are not None."""
    return {name: value for name, value in parameters.items() if value is not None}


def analysed(nlp, tokenizer, tagger, parser):
    """Parse the text with the package, and keep the requested columns."""
    document = nlp(TEXT, input="lines" if "presegmented" in tokenizer else "text")
    for sentence in document:
        for word in sentence:
            for column in TAGS if tagger in (None, "none") else ():
                setattr(word, column, EMPTY)
            if parser in (None, "none"):
                word.head, word.deprel = None, EMPTY
        if "ranges" in tokenizer:
            add_ranges(sentence)
    return document.to_conllu()


def add_ranges(sentence):
    for token in sentence.tokens:
        found = f"TokenRange={token.start}:{token.end}"
        misc = found if token.misc == EMPTY else f"{token.misc}|{found}"
        if token in sentence.ranges:
            token.rest = (*token.rest[:-1], misc)
        else:
            token.misc = misc


def filled(nlp, conllu, tagger, parser):
    """Tag and parse sentences with the package, and keep the requested columns."""
    sentences = list(gp.read_conllu(io.BytesIO(conllu.encode())))
    kept = [[tuple(getattr(word, column) for column in TAGS) for word in sentence] for sentence in sentences]
    if tagger == "":
        nlp.tag(sentences)
    if parser == "":
        nlp.parse(sentences)
    for sentence, columns in zip(sentences, kept, strict=True):
        for word, values in zip(sentence, columns, strict=True):
            for column, value in zip(TAGS if tagger != "" else (), values, strict=False):
                setattr(word, column, value)
    return "".join(sentence.to_conllu() for sentence in sentences)


@pytest.mark.parametrize("way", WAYS)
def test_the_models(server, way):
    answer = request(server, "GET" if way == "get" else "POST", "/models")
    assert (answer.status, answer.headers["Content-Type"]) == (200, "application/json")
    steps = ["tokenizer", "tagger", "parser"]
    assert answer.json == {"models": {"en": steps, "sample": steps}, "default_model": "en"}
    assert answer.text.startswith('{\n "models": {\n  "en": [\n   "tokenizer",\n')


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("tokenizer", TOKENIZERS[1:])
def test_text(server, nlp, way, tokenizer):
    for tagger, parser in product(STEPS, STEPS):
        answer = WAYS[way](server, given(data=TEXT, tokenizer=tokenizer, tagger=tagger, parser=parser, input="conllu"))
        expected = analysed(nlp, tokenizer, tagger, parser)
        assert answer.result == HEADING + expected
        assert answer.json["model"] == "en"
        assert answer.json["acknowledgements"] == [nlp.description["citation"]]
        assert answer.headers["X-Billing-Input-NFC-Len"] == str(
            sum(len(row[1]) for row in rows(expected) if row[0].isdecimal())
        )
        assert answer.text.startswith('{\n "model": "en",\n "acknowledgements": [\n  "')
        assert "Zoë" in answer.text, "letters are not escaped"


@pytest.mark.parametrize("way", WAYS)
def test_ranges_match_the_text(server, way):
    for tokenizer in ("ranges", "ranges;presegmented"):
        found = re.findall(
            r"^[-\d]+\t([^\t]*)\t.*TokenRange=(\d+):(\d+)$",
            WAYS[way](server, {"data": TEXT, "tokenizer": tokenizer}).result, re.MULTILINE,
        )
        assert len(found) > 15
        assert all(TEXT[int(start) : int(end)] == form for form, start, end in found)


@pytest.mark.parametrize("input", [None, *INPUTS])
@pytest.mark.parametrize("way", WAYS)
def test_sentences(server, nlp, way, input):
    data = INPUTS[input or "conllu"]
    conllu = data if input in (None, "conllu") else to_conllu(data, input)
    for tagger, parser in product(STEPS, STEPS):
        answer = WAYS[way](server, given(data=data, input=input, tagger=tagger, parser=parser, output="conllu"))
        assert answer.result == HEADING + filled(nlp, conllu, tagger, parser)


@pytest.mark.parametrize("output", OUTPUTS)
def test_outputs(server, output):
    ways = cycle(WAYS.values())
    sources = [{"data": TEXT, "tokenizer": tokenizer} for tokenizer in TOKENIZERS[1:]] + [
        {"data": data, "input": input} for input, data in INPUTS.items()
    ]
    parsers = ("",) if output == "matxin" else (None, "")       # Matxin needs trees
    for source, tagger, parser in product(sources, (None, ""), parsers):
        parameters = given(**source, tagger=tagger, parser=parser)
        plain = get(server, parameters)
        written = next(ways)(server, parameters | {"output": output})
        assert written.result == from_conllu(plain.result, output)
        assert written.headers["X-Billing-Input-NFC-Len"] == plain.headers["X-Billing-Input-NFC-Len"]


def test_the_body_takes_precedence_over_the_query(server):
    query = urlencode({"data": "no", "model": "nobody", "output": "matxin", "tokenizer": ""})
    body = urlencode({"data": "She sings.", "model": "sample", "output": "horizontal"}).encode()
    answer = request(server, "POST", f"/process?{query}", body, URL_ENCODED)
    assert (answer.json["model"], answer.result) == ("sample", "She sings .\n")
    assert "acknowledgements" in answer.json


def test_an_empty_body_keeps_the_query(server):
    assert request(server, "POST", "/process?data=Hi&tokenizer=&output=horizontal").result == "Hi\n"
    assert request(server, "POST", "/process?data=Hi&tokenizer=&output=horizontal", b"", URL_ENCODED).result == "Hi\n"


@pytest.mark.parametrize(
    "name, model",
    [
        ("", "en"),
        ("en", "en"),
        ("english", "en"),
        ("english-ewt", "en"),
        ("english-ewt-ud-2.16", "en"),
        ("sample", "sample"),
    ],
)
def test_models_by_name(server, name, model):
    assert post(server, {"data": "Hi", "model": name}).status == 400, "not CoNLL-U"
    answer = post(server, {"data": "She sings.", "model": name, "tokenizer": ""})
    assert f"\n# gardenpath_model = {model}\n" in answer.result
    assert answer.json["model"] == model


ERRORS = [
    ({"model": "en", "tokenizer": ""}, "The parameter 'data' is required."),
    ({"data": "a", "model": "xx"}, "The requested model 'xx' does not exist; available models: en, sample."),
    (
        {"data": "a", "model": "english-ewt-ud-2.17"},
        "The requested model 'english-ewt-ud-2.17' does not exist; available models: en, sample.",
    ),
    ({"data": "a", "input": "xx"}, "Unknown input format 'xx'."),
    ({"data": "a", "output": "xx"}, "Unknown output format 'xx'."),
    (
        {"data": "1\ta\n"},
        "Cannot parse the input in 'conllu' format. data:1: 2 columns instead of 10; "
        "columns are separated by single tabs",
    ),
    (
        {"data": "# a\n1\ta\t_\t_\t_\t_\t9\tdep\t_\t_\n", "output": "matxin"},
        "Cannot write the output in 'matxin' format. Node ID '1' form 'a' has too",
    ),
    (
        {"data": "e" + "\u0301" * 500, "tokenizer": ""},
        "The data has 500 combining characters in a row, from character 2 on",
    ),
]


@pytest.mark.parametrize("way", ["get", "post", "multipart"])
@pytest.mark.parametrize("parameters, sentence", ERRORS)
def test_errors(server, way, parameters, sentence):
    assert WAYS[way](server, parameters).error.startswith(sentence)


@pytest.mark.parametrize(
    "content_type, body, sentence",
    [
        ("text/plain", b"data=a", "Unsupported payload Content-Type 'text/plain'."),
        (None, b"data=a", "Unsupported payload Content-Type ''."),
        (
            URL_ENCODED, b"data=%ff",
            "Cannot parse the application/x-www-form-urlencoded payload. "
            "It is not UTF-8 (byte 0xff); convert it to UTF-8 first.",
        ),
        (
            URL_ENCODED, b"data=%ED%A0%80",
            "Cannot parse the application/x-www-form-urlencoded payload. "
            "It is not UTF-8 (byte 0xed); convert it to UTF-8 first.",
        ),
        ("multipart/form-data", b"--x--", "Cannot parse the multipart/form-data payload."),
        ("multipart/form-data; boundary=x", b"data=a", "Cannot parse the multipart/form-data payload."),
        (
            "multipart/form-data; boundary=x",
            b"--x\r\nContent-Disposition: form-data; name=data\r\n\r\n\xed\xa0\x80\r\n--x--",
            "Cannot parse the multipart/form-data payload. It is not UTF-8 (byte 0xed); convert it to UTF-8 first.",
        ),
    ],
)
def test_bodies_that_cannot_be_read(server, content_type, body, sentence):
    assert request(server, "POST", "/process?tokenizer=", body, content_type).error.startswith(sentence)


def test_no_parameters(server):
    for method in ("GET", "POST"):
        assert request(server, method, "/process").error == "The parameter 'data' is required."


def test_urls_that_cannot_be_read(server):
    for query in ("data=%ff&tokenizer=", "data=%ED%A0%80&tokenizer="):
        assert request(server, "GET", f"/process?{query}").error.startswith("Cannot parse request URL.")


@pytest.mark.parametrize("tokenizer", TOKENIZERS)
def test_empty_data(server, tokenizer):
    for data in ("", "\n", "\r\n \n" if tokenizer is not None else "\r\n\r\n"):
        answer = post(server, given(data=data, tokenizer=tokenizer, tagger="", parser=""))
        assert (answer.result, answer.headers["X-Billing-Input-NFC-Len"]) == ("", "0")


@pytest.mark.parametrize("way", WAYS)
def test_the_data_is_normalised(server, way):
    text = unicodedata.normalize("NFD", "Zoë sang naïvely.")
    composed = unicodedata.normalize("NFC", text)
    assert text != composed
    options = {"tokenizer": "ranges", "tagger": "", "parser": ""}
    answer = WAYS[way](server, {"data": text, **options})
    assert answer.result == WAYS[way](server, {"data": composed, **options}).result
    assert answer.headers["X-Billing-Input-NFC-Len"] == str(len(composed.replace(" ", "")))


def test_line_ends(server):
    """Line ends are LF in values of forms, and unchanged in files and in URL-encoded data."""
    text = "She sings.\r\n\r\nHe sleeps."
    file = (
        b'--x\r\nContent-Disposition: form-data; name="data"; filename="a.txt"\r\n\r\n'
        + text.encode()
        + b"\r\n--x--\r\n"
    )
    sent = request(server, "POST", "/process?tokenizer=ranges", file, "multipart/form-data; boundary=x")
    for answer in (sent, post(server, {"data": text, "tokenizer": "ranges"})):
        assert "1\tHe\t_\t_\t_\t_\t_\t_\t_\tTokenRange=14:16\n" in answer.result
    assert (
        "1\tHe\t_\t_\t_\t_\t_\t_\t_\tTokenRange=12:14\n"
        in post_multipart(server, {"data": text, "tokenizer": "ranges"}).result
    )
    conllu = INPUTS["conllu"].replace("\n", "\r\n")
    assert post(server, {"data": conllu}).result == HEADING.replace("\n", "\r\n") + conllu
    assert post_multipart(server, {"data": conllu}).result == HEADING + INPUTS["conllu"]


@pytest.mark.parametrize("output", ["conllu", *OUTPUTS])
def test_odd_characters(server, output):
    text = "a\0b \x01\x85\u2028 \ufeff\ufffe \U0010ffff \"\\\" </NODE> \N{PILE OF POO}\t\x0b."
    answer = post(server, {"data": text, "tokenizer": "ranges", "tagger": "", "parser": "", "output": output})
    assert answer.result
    assert answer.headers["X-Billing-Input-NFC-Len"] == "19", "all characters except spaces"


def test_a_sentence_with_too_many_words(server):
    for way in (post, post_multipart):
        assert "\n1000\ta\t" in way(server, {"data": "a " * 1000, "tokenizer": "presegmented"}).result
        for parameters in (
            {"data": "a " * 1001, "tokenizer": "presegmented"},
            {"data": "a " * 1001, "input": "horizontal", "tagger": ""},
        ):
            assert re.search(r"1,001 words.* 1,000 .*--max-words", way(server, parameters).error)


@pytest.mark.parametrize(
    "parameters",
    [
        {"input": "vertical", "data": "a\n" * 1_000_000},
        {"input": "horizontal", "data": "a " * 1_000_000},
        {"input": "generic_tokenizer", "data": "." * 1_000_000},
        {"tokenizer": "", "data": "e" + "\u0301\u0323" * 300_000},
        {"data": "".join(f"{i}\ta\t_\t_\t_\t_\t_\t_\t_\t_\n" for i in range(1, 30_000))},
        {"input": "generic_tokenizer=ranges=file:/dev/zero", "data": "." * 1_000},
        {"output": "plaintext=x=file:/dev/zero", "data": "no"},
    ],
    ids=["vertical", "horizontal", "generic", "marks", "conllu", "file", "output"],
)
def test_malicious_requests_do_not_block_the_server(server, parameters):
    """Each of these fails, and other clients still get responses."""
    assert post_multipart(server, {"tagger": "", "parser": "", **parameters}).error
    assert get(server, {"data": "She sings.", "tokenizer": "", "output": "horizontal"}).result == "She sings .\n"


def test_a_body_that_is_too_large(server):
    assert "4" in request(server, "POST", "/process", b"data=" + b"a" * (5 << 20), URL_ENCODED).error


def test_long_texts_are_processed_completely(server, nlp):
    text = f"{TEXT}\n\n" * 2_000
    result = post_multipart(
        server, {"data": text, "tokenizer": "", "tagger": "", "parser": "", "output": "conllu"}
    ).result
    assert result == HEADING + nlp(text).to_conllu()


@pytest.mark.parametrize("step, parameter", [("tokenize", "tokenizer"), ("tag", "tagger"), ("parse", "parser")])
def test_weblicht(server, step, parameter):
    data = TEXT if step == "tokenize" else INPUTS["conllu"]
    for model in ("", "?model=sample", "?tokenizer=&data=no&output=matxin"):
        answer = request(server, "POST", f"/weblicht/{step}{model}", data.encode(), "text/plain")
        assert (answer.status, answer.headers["Content-Type"]) == (200, "application/conllu")
        expected = post(server, {"data": data, parameter: "", "model": "sample" if "sample" in model else ""})
        assert answer.text == expected.result
        assert answer.headers["X-Billing-Input-NFC-Len"] == expected.headers["X-Billing-Input-NFC-Len"]


def test_errors_of_weblicht(server):
    assert (
        request(server, "POST", "/weblicht/tokenize", b"a\xff").error
        == "Cannot parse the payload. Byte 2 (0xff) is not UTF-8; convert it to UTF-8 first."
    )
    assert request(server, "POST", "/weblicht/parse", b"no").error.startswith(
        "Cannot parse the input in 'conllu' format. data:1: 1 column instead of 10"
    )
    assert request(server, "POST", "/weblicht/tag?model=xx", b"").error.startswith(
        "The requested model 'xx' does not exist"
    )
    assert request(server, "GET", "/weblicht/tag").status == 405
    answer = request(server, "POST", "/weblicht/lemmatize", b"")
    assert (answer.status, answer.text.strip()) == (404, "No handler for the given URL '/weblicht/lemmatize'.")


def test_other_methods(server):
    for path in ("/models", "/process?data="):
        answer = request(server, "HEAD", path)
        assert (answer.status, answer.body, answer.headers["Content-Type"]) == (200, b"", "application/json")
        assert int(answer.headers["Content-Length"]) == len(request(server, "GET", path).body)
        assert request(server, "PUT", path).status == 405


def test_curl_with_a_form(server, curl, nlp, tmp_path):
    file = tmp_path / "Zoë's text.txt"
    file.write_text(TEXT, encoding="utf-8")
    expected = HEADING + analysed(nlp, "ranges", "", "")
    for data in (f"data=@{file}", f"data=<{file}", f"data=@{file};type=text/plain", f"data={TEXT}"):
        out, errors = curl(
            "-F", data, "-F", "model=english", "-F", "tokenizer=ranges", "-F", "tagger=", "-F", "parser=",
            f"{server.url}/process",
        )
        assert json.loads(out)["result"] == expected, errors


def test_curl_with_url_encoded_data(server, curl, nlp):
    expected = HEADING + analysed(nlp, "", "", "")
    options = ("--data-urlencode", "data@-", "-d", "tokenizer", "-d", "tagger=&parser", f"{server.url}/process")
    for arguments in (options, ("-G", *options)):
        out, errors = curl(*arguments, content=TEXT.encode())
        assert json.loads(out)["result"] == expected, errors
    out, _ = curl(f"{server.url}/process?tokenizer&tagger&parser&data={quote(TEXT)}")
    assert json.loads(out)["result"] == expected


def test_curl_with_expect_100_continue(server, curl):
    out, errors = curl(
        "-v", "-H", "Expect: 100-continue", "-F", "data=@-", "-F", "tokenizer=", f"{server.url}/process",
        content=TEXT.encode() * 20_000,
    )
    assert "< HTTP/1.1 100 Continue" in errors
    assert json.loads(out)["result"].count("\tZoë\t") == 20_000


def test_curl_with_errors(server, curl):
    out, _ = curl("-w", "%{http_code} %{content_type}", "-F", "tokenizer=", f"{server.url}/process")
    assert out == "The parameter 'data' is required.\n400 text/plain; charset=utf-8"
    out, _ = curl(
        "-F", "data=@-;encoder=base64", "-F", "tokenizer=", "-F", "output=horizontal", f"{server.url}/process",
        content="Zoë".encode(),
    )
    assert json.loads(out)["result"] == "Zoë\n"
    out, _ = curl(
        "-F", "data=@-;encoder=quoted-printable", "-F", "tokenizer=", "-F", "output=horizontal",
        f"{server.url}/process", content="Zoë".encode(),
    )
    assert json.loads(out)["result"] == "Zoë\n"


@pytest.mark.parametrize("encoding", ["8bit", "quoted-printable", "base64"])
def test_encodings_of_the_parts(server, encoding):
    content_type, body = multipart({"data": TEXT, "tokenizer": "", "output": "horizontal"}, encoding)
    assert "Zoë" in request(server, "POST", "/process", body, content_type).result


def test_the_examples_in_the_documentation_run(server, curl, monkeypatch, capsys):
    monkeypatch.chdir(REPOSITORY)
    page = (REPOSITORY / "docs" / "rest.md").read_text(encoding="utf-8").replace("http://localhost:8001", server.url)
    commands = re.findall(r"^curl (.*)$", page, re.MULTILINE)
    answers = [json.loads(curl(*shlex.split(command))[0]) for command in commands]
    assert ["result" in answer for answer in answers] == [True, True, True, False]
    assert "TokenRange=0:5" in answers[1]["result"]
    assert answers[2]["result"] == "Where did you put the keys ?\n"
    for code in re.findall(r"^```py\n(.*?)^```$", page, re.MULTILINE | re.DOTALL):
        exec(compile(code, "rest.md", "exec"), {})
    assert "\troot\t" in capsys.readouterr().out


def test_the_documentation_states_the_limits():
    limits = Limits()
    page = (REPOSITORY / "docs" / "rest.md").read_text(encoding="utf-8")
    options = (REPOSITORY / "docs" / "serve.md").read_text(encoding="utf-8")
    assert "[Limits](serve.md#limits)" in page
    assert f"| `--max-body` | {limits.body >> 20} | " in options
    assert f"| `--max-words` | {limits.words} | " in options
    assert f"| `--timeout` | {limits.seconds:.0f} | " in options
    assert f"more than {MARKS} combining characters" in page
    assert f"more than {LONGEST_RUN} ASCII characters" in page


def rows(conllu):
    """Return the columns of all nodes."""
    return [line.split("\t") for line in conllu.splitlines() if line and not line.startswith("#")]
