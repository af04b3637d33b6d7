"""Patterns: errors say what is wrong and where; comments, spaces and strings are read."""

import pytest

import gardenpath as gp
from gardenpath.queries import Pattern, PatternError

ERRORS = [
    ("pattern { V [upos=VERB; X -> V }", 23, "expected `,` or `]`"),
    ("pattern { V [upos=VERB] X -> V }", 25, "expected `;` or `}`"),
    ("pattern { V -[nsubj]> N }", 20, "expected `]->`"),
    ("pattern { V -[nsubj-> N }", 21, "expected `]->`"),
    ("pattern { V - N }", 13, "expected `->`"),
    ("pattern { V [upos=VERB] ", 25, "found the end of the pattern"),
    ("patern { V [] }", 8, "after `patern`"),
    ("pattern { V [] } withut { V -> N }", 18, "expected `pattern`"),
    ("pattern { V [UPOS=VERB] }", 14, "write `upos`"),
    ("pattern { V [deprel=nsubj] }", 14, "use an edge"),
    ("pattern { V [lemma=re\"a] }", 20, "not closed"),
    ("pattern { V [lemma=/a(b/] }", 22, "not closed"),
    ('pattern { V [lemma=re"a\\(b"] }', 24, "not closed"),
    ("pattern { V [lemma=/a+*/] }", 23, "repeats a repetition"),
    ("pattern { V [lemma=] }", 20, "expected a value"),
    ("pattern { V [upos=VERB]; V << W }", 26, "no node `W`"),
    ("pattern { V [upos=VERB]; V.lemma = W.lemma }", 36, "no node `W`"),
    ("pattern { e: V -> N; e: N -> M }", 25, "two edges are called `e`"),
    ("pattern { e: V -> N; e < N }", 22, "cannot relate"),
    ("pattern { V []; N []; V <> N }", 23, "two named edges"),
    ("pattern { e: V -> N; e.lemma = N.lemma }", 22, "is an edge"),
    ("pattern { V []; V.label = nsubj }", 17, "feature of edges"),
    ("pattern { V []; V.upos = VERB|AUX }", 30, "only in node clauses"),
    ("pattern { * -> * }", 18, "at least one node"),
    ("pattern { e: V -> * }", 21, "needs two nodes"),
    ("pattern { V <- N }", 13, "from the head to the dependent"),
    ("pattern { V -[1=nsubj, 2]-> N }", 25, "write `2=*`"),
    ("pattern { V []; N []; length(V, N) = x }", 38, "whole number"),
    ("global { is_planar }", 10, "`is_planar` is unknown"),
    ("pattern { e []; e: V -> N }", 11, "is an edge"),
]


@pytest.mark.parametrize(("text", "column", "problem"), ERRORS)
def test_errors_have_a_position(text, column, problem):
    with pytest.raises(PatternError) as caught:
        Pattern(text)
    error = caught.value
    assert problem in str(error), str(error)
    assert (error.line, error.column) == (1, column), str(error)


def test_the_line_is_shown_with_a_caret():
    with pytest.raises(PatternError) as caught:
        Pattern("pattern {\n  V [upos=VERB];\n  V -[nsubj> N\n}")
    first, line, caret = str(caught.value).splitlines()
    assert first == "pattern, line 3, column 12: expected `]->` after the label; found `>`"
    assert line == "    V -[nsubj> N"
    assert line[caret.index("^")] == ">"


@pytest.mark.parametrize(
    ("pattern", "remedy"),
    [
        ("[upos=VERB]", "a node begins with a name, such as `X [upos=VERB]`"),
        ("upos=VERB", "write `X [upos=...]` for a node with this feature, and `X.upos = ...` elsewhere"),
        ("V", "found the end of the pattern; write `V []` for a word"),
    ],
)
def test_usual_mistakes(pattern, remedy):
    with pytest.raises(PatternError) as caught:
        Pattern(pattern)
    assert remedy in str(caught.value)


def test_errors_come_before_the_search():
    with pytest.raises(PatternError):
        gp.search([], "pattern {")


def test_comments_spaces_and_strings():
    text = 'pattern { % a comment ; }\n  X [ lemma = "a \\"b\\" \\\\" , upos=ADJ ] ;; }'
    with pytest.raises(PatternError, match="expected a node"):
        Pattern(text)
    pattern = Pattern(text.replace(";;", ";"))
    ((condition, _),) = pattern.request.clauses[0].alternatives
    assert condition.test.constants == {'a "b" \\'}


def test_blocks_may_be_left_out():
    assert Pattern("X -[nsubj]-> Y; Y << X").nodes == ("X", "Y")
    assert Pattern("").nodes == ()
    assert Pattern("with [upos=ADP]").nodes == ("with",), "only `with {` begins a block"


def test_names_and_edges():
    pattern = Pattern("pattern { e: V -> N; V -[obj]-> O } without { N -> M } pattern { f: O -> P }")
    assert pattern.nodes == ("V", "N", "O", "P")
    assert pattern.edges == {"e": ("V", "N"), "f": ("O", "P")}
    assert pattern.arcs == [("V", "N"), ("V", "O"), ("O", "P")]


def test_too_many_nodes():
    with pytest.raises(PatternError, match="more than 64 nodes"):
        Pattern("; ".join(f"X{i} []" for i in range(65)))


def test_too_long():
    with pytest.raises(PatternError, match="longer than 100,000 characters"):
        Pattern("X [] ; " * 20_000)


def test_plain_operators_of_basic_expressions_are_noted():
    with pytest.warns(gp.GardenpathWarning, match=r"`\|` match themselves, as in Grew"):
        gp.search([], 'X [lemma=re"be|have"]')
    assert Pattern(r'X [lemma=re"be\|have"]').notes == []
