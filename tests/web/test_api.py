"""The JSON API: responses and errors."""

import asyncio
import gc
import gzip
import json
import zlib
from concurrent.futures import ThreadPoolExecutor

import pytest
from starlette.testclient import TestClient

import gardenpath as gp
from gardenpath.errors import InputError
from gardenpath.models.languages import table
from gardenpath.models.profile import Profile
from gardenpath.web import compression, tasks
from gardenpath.web.app import create_app
from gardenpath.web.limits import Limits
from gardenpath.web.served import Served, ServedModels
from gardenpath.web.work import Workers
from sample import DEV, trained

TEXT = "The old man the boat. I saw Jack and Jill fall.\n\nThey did."
LIMITS = Limits(words=50, threads=2, body=200_000)


@pytest.fixture(scope="module")
def models():
    return ServedModels([Served("en", gp.load("en")), Served("gold", trained())])


@pytest.fixture(scope="module")
def client(models):
    with TestClient(create_app(models, LIMITS), base_url="http://localhost") as client:
        yield client


def parse(client, **request):
    response = client.post("/api/parse", json=request)
    assert response.status_code == 200, response.text
    return response.json()


def error(response, status=400):
    assert response.status_code == status, response.text
    return response.json()["error"]


def test_health(client):
    response = client.get("/health")
    assert response.json() == {"status": "ok", "version": gp.__version__, "models": ["en", "gold"]}


def test_models(client, models):
    answer = client.get("/api/models").json()
    assert answer["default"] == "en"
    english, gold = answer["models"]
    assert english["steps"] == ["tokenizer", "tagger", "parser"]
    assert english["aliases"] == models.default.aliases
    assert (english["system"], english["treebank"], english["licence"]) == (
        "arc-eager-unshift", "UD English-EWT 2.16", "CC BY-SA 4.0",
    )
    assert english["scores"]["las"] == models.default.model.description["dev_las"]
    assert (
        english["scores"]["conditions"]
        == "dev set, gold tokens, predicted tags, punctuation counted, subtypes not compared"
    )
    assert gold["steps"] == ["parser"]
    assert (english["reads_tags"], gold["reads_tags"]) == (True, True)
    assert "gold tokens and tags" in gold["scores"]["conditions"]


def test_tags_of_a_model(client, models):
    tags = client.get("/api/models/en/tags").json()["tags"]
    assert tags == [list(tag) for tag in models.default.model.tagger.tags]
    assert ["NOUN", "NN", "Number=Sing"] in tags
    without_tagger = [served.name for served in models if served.model.tagger is None]
    assert client.get(f"/api/models/{without_tagger[0]}/tags").json() == {"tags": []}
    assert "'xx' does not exist" in error(client.get("/api/models/xx/tags"))


def test_systems(client):
    answer = client.get("/api/systems").json()["systems"]
    assert [system["name"] for system in answer] == gp.systems.names()
    (swap,) = (system for system in answer if system["name"] == "swap")
    assert client.get("/api/systems/swap").json() == swap
    assert swap["definition"] == gp.systems.get("swap").definition
    assert swap["title"] == swap["definition"].splitlines()[0]
    assert swap["moves"] == gp.systems.get("swap").moves
    assert swap["oracles"] == gp.oracles.kinds("swap")
    assert not swap["projective"]
    assert "unknown system 'swop'; choose one of arc-eager," in error(client.get("/api/systems/swop"), 404)


def test_text_is_parsed_as_in_python(client, models):
    answer = parse(client, text=TEXT)
    document = models.default.model(TEXT)
    sentences = document.to_dict()["sentences"]
    assert answer == {"model": "en", "warnings": [], "conllu": document.to_conllu(), "sentences": sentences}


@pytest.mark.parametrize("kind", ["lines", "tokens"])
def test_lines_and_tokens(client, models, kind):
    answer = parse(client, text="I saw it .\nYou did not .", input=kind, model="english")
    assert answer["conllu"] == models.default.model("I saw it .\nYou did not .", input=kind).to_conllu()


def test_long_text_is_parsed_in_pieces(client, models, monkeypatch):
    monkeypatch.setattr("gardenpath.formats.text.PIECE", 100)
    monkeypatch.setattr(tasks, "PIECE", 100)
    text = "\n\n".join(f"Sentence {number} is here. It has a brother." for number in range(200))
    assert parse(client, text=text)["conllu"] == models.default.model(text).to_conllu()


def test_the_first_of_several_errors_is_reported(caplog):
    class Failing:
        threads = 3

        async def run(self, task, item, size):
            raise InputError(f"item {item}")

    async def ask():
        try:
            async for _ in tasks.in_order(Failing(), None, [(1, 1), (2, 1), (3, 1)]):
                pass
        except InputError as error:
            return str(error)

    assert asyncio.run(ask()) == "item 1"
    gc.collect()
    assert caplog.text == ""             # asyncio does not log the other errors


def test_conllu_is_parsed_and_keeps_its_columns(client, models):
    given = DEV.read_text(encoding="utf-8")
    answer = parse(client, text=given, input="conllu", model="gold")
    sentences = models.find("gold").model.parse(gp.read_conllu(DEV))
    assert answer["conllu"] == "".join(sentence.to_conllu() for sentence in sentences)
    assert len(answer["sentences"]) == len(sentences)


def test_retagging(client):
    sentence = "1\tdogs\t_\tX\tX\t_\t_\t_\t_\tKept=Yes\n\n"
    kept, retagged = (
        parse(client, text=sentence, input="conllu", retag=retag)["sentences"][0]["words"][0] for retag in (False, True)
    )
    assert (kept["upos"], kept["lemma"], kept["misc"]) == ("X", None, {"Kept": "Yes"})
    assert (retagged["upos"], retagged["lemma"], retagged["misc"]) == ("NOUN", "dog", {"Kept": "Yes"})
    assert "retag: needs the input format `conllu`" in error(
        client.post("/api/parse", json={"text": "a", "retag": True})
    )


def test_given_tags_change_the_tree_of_a_network(client):
    """In a what-if with another tag, the page sends the sentence with this tag."""
    tagged = "The/DET/DT old/ADJ/JJ man/NOUN/NN the/DET/DT boat/_/_"
    forms = [word.split("/") for word in tagged.split()]
    labels = []
    for tags in ("NOUN\tNN", "VERB\tVBP"):
        lines = ["\t".join([str(i), form, "_", upos, xpos, *"_____"]) for i, (form, upos, xpos) in enumerate(forms, 1)]
        conllu = "\n".join(lines).replace("NOUN\tNN", tags) + "\n\n"
        parsed = parse(client, text=conllu, input="conllu")["sentences"][0]["words"]
        traced = client.post("/api/trace", json={"conllu": conllu}).json()
        assert [(word["upos"], word["xpos"]) for word in traced["words"]][2:] == [
            tuple(tags.split("\t")), ("DET", "DT"), ("NOUN", "NN"),
        ]
        assert traced["final"]["labels"] == [word["deprel"] for word in parsed]
        labels.append(traced["final"]["labels"][4])
    assert labels[0] != labels[1] == "obj"


def test_given_heads(client):
    partial = "1\tdogs\t_\tNOUN\tNN\t_\t_\t_\t_\t_\n2\tbark\t_\tVERB\tVB\t_\t1\t_\t_\t_\n\n"

    def heads(text, **options):
        [sentence] = parse(client, text=text, input="conllu", model="gold", **options)["sentences"]
        return [word["head"] for word in sentence["words"]]

    assert heads(partial) == heads(partial, keep_heads=True) == [0, 1]
    assert heads(partial, keep_heads=False) == [2, 0]
    cycle = partial.replace("NN\t_\t_", "NN\t_\t2")
    assert heads(cycle, keep_heads=True, drop_conflicts=True) == [2, 0]
    request = {"text": cycle, "input": "conllu", "model": "gold", "keep_heads": True}
    assert "words 1 and 2 form a cycle" in error(client.post("/api/parse", json=request))
    assert "keep_heads, drop_conflicts: need the input format `conllu`" in error(
        client.post("/api/parse", json={"text": "a", "keep_heads": True})
    )


def test_pictures(client, models):
    document = models.default.model(TEXT)
    for compact in (False, True):
        assert parse(client, text=TEXT, svg=True, compact=compact)["svg"] == [
            sentence.to_svg(compact=compact) for sentence in document
        ]


def test_confidence_in_pictures(client, models):
    document = models.default.model(TEXT)
    pictures = [sentence.to_svg(confidence=True) for sentence in document]
    assert parse(client, text=TEXT, svg=True, confidence=True)["svg"] == pictures


def test_empty_input_gives_empty_output(client):
    for text in ("", "\n\n", "\ufeff"):
        assert parse(client, text=text) == {"model": "en", "warnings": [], "conllu": "", "sentences": []}
    assert parse(client, text="", input="conllu") == {"model": "en", "warnings": [], "conllu": "", "sentences": []}


@pytest.mark.parametrize(
    ("request_", "message"),
    [
        ({}, "text: Field required"),
        ({"text": 1}, "text: Input should be a valid string"),
        ({"text": "a", "svg": "yes"}, "svg: Input should be a valid boolean"),
        ({"text": "a", "input": "html"}, "input: Input should be 'text', 'lines', 'tokens' or 'conllu'"),
        ({"text": "a", "texts": "b"}, "texts: Extra inputs are not permitted"),
        ({"text": "a", "model": "x"}, "The requested model 'x' does not exist; available models: en, gold."),
        ({"text": "a", "model": "gold"}, "no tokenizer and no tagger"),
        ({"text": "1\ta\n\n", "input": "conllu"}, "text:1: 2 columns"),
        ({"text": "1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n\n", "input": "conllu", "model": "gold"}, "no word has"),
        (
            {"text": "a " * 51, "input": "tokens"},
            "a sentence has 51 words, but the server allows at most 50 (option --max-words); split it",
        ),
        (
            {"text": "".join(f"{i}\ta\t_\t_\t_\t_\t_\t_\t_\t_\n" for i in range(1, 52)) + "\n", "input": "conllu"},
            "text:1: a sentence has 51 words",
        ),
        ([], "the body must be a JSON object, sent with `Content-Type: application/json`"),
    ],
)
def test_errors(client, request_, message):
    assert message in error(client.post("/api/parse", json=request_))


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"", "the body must be a JSON object"),
        (b"{", "the body is not JSON: Expecting property name enclosed in double quotes, at character 2"),
        (b"\xff", ""),
        (b'{"text": "\\ud800"}', "text: character 1 is a lone surrogate"),
        (b'{"text": "a\x00', "the body is not JSON"),
        (b"[" * 100_000, ""),
    ],
)
def test_invalid_json_is_an_error(client, body, message):
    assert message in error(client.post("/api/parse", content=body, headers={"Content-Type": "application/json"}))


def test_an_invalid_request_does_not_affect_others_in_its_batch(client):
    texts = ["a " * 51 if number % 3 == 0 else "I fell ." for number in range(30)]
    with ThreadPoolExecutor(10) as pool:
        answers = list(pool.map(lambda text: client.post("/api/parse", json={"text": text, "input": "tokens"}), texts))
    assert [answer.status_code for answer in answers] == [400 if number % 3 == 0 else 200 for number in range(30)]
    assert len({answer.text for answer in answers}) == 2


def test_evaluation(client):
    gold = DEV.read_text(encoding="utf-8")
    system = gold.replace("nsubj", "obj")
    for settings in ({}, {"punctuation": False, "subtypes": True}):
        answer = client.post("/api/evaluate", json={"gold": gold, "system": system, **settings}).json()
        expected = gp.evaluate(
            tasks.named(gold.encode(), "gold"), tasks.named(system.encode(), "system"), **settings
        ).to_dict()
        assert answer == json.loads(json.dumps(expected))
    assert 0 < answer["scores"]["LAS"]["f1"] < 100
    assert "gold:1: " in error(client.post("/api/evaluate", json={"gold": "x\n\n", "system": system}))
    assert error(client.post("/api/evaluate", json={"gold": "", "system": ""}))


def test_unknown_urls_and_methods(client):
    response = client.get("/api/nothing")
    assert (response.status_code, response.text) == (404, "No handler for the given URL '/api/nothing'.\n")
    assert response.headers["content-type"] == "text/plain; charset=utf-8"
    assert error(client.delete("/api/parse"), 405) == "/api/parse does not support DELETE; use POST"
    response = client.delete("/process")
    assert (response.status_code, response.headers["content-type"]) == (405, "text/plain; charset=utf-8")


def test_head_is_get_without_a_body(client):
    for path in ("/health", "/api/systems", "/metrics", "/models", "/api", "/"):
        response = client.head(path)
        assert (response.status_code, response.content) == (200, b"")
        assert int(response.headers["content-length"]) > 0


def test_many_problems_give_a_short_error(client):
    """Many unknown fields would block the event loop, and get megabytes back."""
    unknown = {f"field{number}": number for number in range(8_000)}
    assert error(client.post("/api/parse", json={"text": "a", **unknown})) == (
        "the object has 8,001 fields; the operation has 9"
    )
    assert error(client.post("/api/parse", json={"text": "a", **dict.fromkeys("qrstuvw", 1)})).endswith("; and 2 more")
    assert len(error(client.post("/api/parse", json={"text": "a", "x" * 100_000: 1}))) < 500
    assert len(error(client.post("/api/parse", json={"text": "a", "model": "x" * 100_000}))) < 500
    wrong = {"conllu": "x", "moves": [{}] * 20_000}
    assert error(client.post("/api/trace", json=wrong)) == "moves.0.move: Field required"


def test_evaluation_has_the_limit_on_words(client):
    words = "".join(f"{i}\ta" + 4 * "\t_" + f"\t{min(i - 1, 1)}" + 3 * "\t_" + "\n" for i in range(1, 60))
    assert "a sentence has 59 words, but the server allows at most 50" in error(
        client.post("/api/evaluate", json={"gold": words + "\n", "system": words + "\n"})
    )


def test_an_internal_error_is_logged_but_not_sent_to_the_client(models, monkeypatch, caplog):
    monkeypatch.setattr("gardenpath.web.api._evaluate", lambda *_: 1 / 0)
    with TestClient(create_app(models, LIMITS), base_url="http://localhost") as client:
        message = error(client.post("/api/evaluate", json={"gold": "", "system": ""}), 500)
    assert "division" not in message
    assert "ZeroDivisionError" in caplog.text


def test_large_responses_are_compressed_if_the_client_accepts_it(client, monkeypatch):
    body = json.dumps({"text": TEXT}).encode()

    def ask(accepted):
        request = client.build_request(
            "POST", "/api/parse", content=body,
            headers={"Content-Type": "application/json", "Accept-Encoding": accepted},
        )
        response = client.send(request, stream=True)
        return response, b"".join(response.iter_raw())

    plain, content = ask("identity")
    assert "content-encoding" not in plain.headers
    for long in (compression.LONG, 10):
        monkeypatch.setattr(compression, "LONG", long)
        packed, bytes_ = ask("br, gzip;q=0.5")
        assert packed.headers["content-encoding"] == "gzip"
        assert int(packed.headers["content-length"]) == len(bytes_) < len(content)
        assert gzip.decompress(bytes_) == content
    assert "content-encoding" not in client.get("/health", headers={"Accept-Encoding": "gzip"}).headers


@pytest.mark.parametrize(
    ("accepted", "expected"),
    [
        (b"gzip", True),
        (b"deflate, GZIP;q=1.0", True),
        (b"gzip;q=0", False),
        (b"*", True),
        (b"br", False),
        (b"gzip; q=0.001", True),
    ],
)
def test_accept_encoding(accepted, expected):
    assert compression.takes_gzip(accepted) is expected


def test_streamed_responses_are_compressed_part_by_part():
    async def in_parts(scope, receive, send):
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"text/plain")]})
        for part in (b"one ", b"two ", b"three"):
            await send({"type": "http.response.body", "body": part, "more_body": part != b"three"})

    sent = []

    async def send(message):
        sent.append(message)

    scope = {"type": "http", "headers": [(b"accept-encoding", b"gzip")]}
    asyncio.run(compression.Compression(in_parts, Workers(1))(scope, None, send))
    assert (b"content-encoding", b"gzip") in sent[0]["headers"]
    unpack = zlib.decompressobj(zlib.MAX_WBITS | 16)
    assert [unpack.decompress(message["body"]) for message in sent[1:]] == [b"one ", b"two ", b"three"]


def test_the_scores_of_the_network_are_log_probabilities(client):
    conllu = parse(client, text="He gave his brother a book.")["conllu"]
    steps = client.post("/api/trace", json={"conllu": conllu}).json()["steps"]
    scores = [move["score"] for step in steps for move in step["moves"] if move["score"] is not None]
    assert scores
    assert all(isinstance(score, float) and score <= 0 for score in scores)


GERMAN = "Der Hund hat die Katze gesehen, und sie ist mit dem Jungen in den Garten gelaufen."
CONLLU = "".join(f"{number}\t{form}" + 8 * "\t_" + "\n" for number, form in enumerate(GERMAN.split(), 1)) + "\n"


@pytest.mark.parametrize("request_", [
    {"text": GERMAN}, {"text": 50 * f"{GERMAN} "}, {"text": CONLLU, "input": "conllu"},
])
def test_text_in_another_language_gives_a_warning(client, request_):
    [warning] = parse(client, **request_)["warnings"]
    assert warning == (
        "the text is probably German, which is not the language of this model; this server has no model for it"
    )


def test_text_that_fits_gives_no_warning(client):
    assert parse(client, text=TEXT)["warnings"] == []


def test_the_warning_names_a_model_of_the_server():
    english = gp.load("en-fast")
    words = sorted(next(language.words for language in table() if language.name == "German"))
    other = english.described(profile=Profile.of([gp.Sentence.from_words(words)] * 400).record())
    models = ServedModels([Served("en-fast", english), Served("deutsch", other)])
    with TestClient(create_app(models, LIMITS), base_url="http://localhost") as client:
        [warning] = parse(client, text=GERMAN)["warnings"]
        assert warning.endswith("; choose the model deutsch")
        found = client.post("/api/search", json={"text": GERMAN, "pattern": "X [upos=VERB]"}).json()
        assert found["warnings"] == [warning]
        answer = client.post("/process", data={"data": GERMAN, "tokenizer": "", "parser": ""}).json()
        assert (list(answer), answer["warnings"]) == (["model", "acknowledgements", "warnings", "result"], [warning])
        assert "warnings" not in client.post("/process", data={"data": "She saw him.", "tokenizer": ""}).json()
        answer = client.post("/process", data={"data": CONLLU, "parser": ""}).json()
        assert answer["warnings"] == [warning]
