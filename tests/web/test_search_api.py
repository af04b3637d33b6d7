"""/api/search: matches, counts, errors and limits."""

import json
import urllib.error
import urllib.request

import pytest

import gardenpath as gp
from gardenpath.web.search_schemas import SearchResponse
from sample import DEV
from web.serving import running_server

pytestmark = pytest.mark.xdist_group("server")

SUBJECTS = "pattern { V [upos=VERB]; e: V -[1=nsubj]-> S }"


@pytest.fixture
def server(fast_server):
    return fast_server


def post(server, **request):
    content = json.dumps(request).encode()
    asked = urllib.request.Request(f"{server.url}/api/search", content, {"Content-Type": "application/json"})
    with urllib.request.urlopen(asked) as answer:
        return json.load(answer)


def found(server, **request):
    answer = post(server, **request)
    SearchResponse.model_validate(answer)
    return answer


def refused(server, **request):
    with pytest.raises(urllib.error.HTTPError) as caught:
        post(server, **request)
    assert caught.value.code == 400
    return json.loads(caught.value.read())["error"]


def test_text_is_parsed_and_searched(server):
    answer = found(server, pattern=SUBJECTS, text="She gave him a book. The dog barked.", by=["V.lemma"], svg=True)
    assert [match["nodes"] for match in answer["matches"]] == [{"V": 2, "S": 1}, {"V": 3, "S": 2}]
    assert answer["matches"][0]["edges"] == {"e": {"head": 2, "dependent": 1, "label": "nsubj"}}
    assert "".join(piece["text"] for piece in answer["matches"][1]["text"]).strip() == "The dog barked."
    assert [piece["name"] for piece in answer["matches"][1]["text"] if piece["name"]] == ["S", "V"]
    assert answer["matches"][0]["svg"].count("gp-word gp-match") == 2
    assert answer["counts"] == [{"values": ["bark"], "count": 1}, {"values": ["give"], "count": 1}]
    assert (answer["total"], answer["matched_sentences"], answer["sentences"]) == (2, 2, 2)


def test_conllu_with_heads_is_searched_as_it_is(server):
    text = DEV.read_text(encoding="utf-8")
    answer = found(server, pattern=SUBJECTS, text=text, input="conllu", limit=3)
    assert answer["total"] == gp.search(DEV, SUBJECTS).count()
    assert len(answer["matches"]) == 3
    assert answer["complete"]
    bare = "1\tShe\t_\t_\t_\t_\t_\t_\t_\t_\n2\tslept\t_\t_\t_\t_\t_\t_\t_\t_\n\n"
    assert found(server, pattern=SUBJECTS, text=bare, input="conllu")["total"] == 1


def test_errors(server):
    assert refused(server, pattern="pattern { V [", text="x").startswith("pattern, line 1, column 14: ")
    assert "no node `X`" in refused(server, pattern=SUBJECTS, text="x", by=["X.lemma"])
    assert "limit" in refused(server, pattern=SUBJECTS, text="x", limit=1000)
    assert "text:1" in refused(server, pattern=SUBJECTS, text="1\tx\n", input="conllu")
    assert found(server, pattern='X [lemma=re"a|b"]', text="x")["notes"]
    assert "`lemma`" in found(server, pattern="X []", text="x", by=["X.lemm"])["notes"][0]
    (note,) = found(server, pattern="X [upos=VREB]", text="x")["notes"]
    assert note.endswith("did you mean `VERB`?")


WORDS = "".join(f"{i}\tw\tw\tX\t_\t_\t{i - 1}\tdep\t_\t_\n" for i in range(1, 301)) + "\n"


def test_a_hostile_pattern_is_stopped_by_the_time_limit():
    nodes = "; ".join(f"X{i} []" for i in range(12))
    with running_server("en-fast", "--timeout", "2") as server:
        with pytest.raises(urllib.error.HTTPError) as caught:
            post(server, pattern=f"pattern {{ {nodes}; X0 << X11; X11 << X0 }}", text=WORDS, input="conllu")
        assert caught.value.code in (400, 503)
        assert "--timeout" in json.loads(caught.value.read())["error"]


def test_a_hostile_expression_needs_linear_time(server):
    answer = found(server, pattern="X [form=/(w+)+v/]", text=WORDS.replace("w", "w" * 2000), input="conllu")
    assert (answer["total"], answer["words"]) == (0, 300)
