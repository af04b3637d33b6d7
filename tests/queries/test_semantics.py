"""The semantics that the documentation of Grew gives to each construct, on trees that are small enough to check by eye.

The expected matches were written by hand; the ids follow the order in which the nodes appear in the pattern.
"""

import pytest

import gardenpath as gp
from queries.slow_search import slow_search

GIVE = """\
# sent_id = give
# text = The old man gave her aux books today.
1\tThe\tthe\tDET\tDT\tDefinite=Def|PronType=Art\t3\tdet\t_\t_
2\told\told\tADJ\tJJ\tDegree=Pos\t3\tamod\t_\t_
3\tman\tman\tNOUN\tNN\tNumber=Sing\t4\tnsubj\t_\t_
4\tgave\tgive\tVERB\tVBD\tMood=Ind|Number=Sing|Tense=Past\t0\troot\t_\t_
5\ther\tshe\tPRON\tPRP\tNumber=Sing|Number[psor]=Plur|Person=3\t4\tiobj\t_\t_
6\taux\taux\tADJ\tJJ\t_\t7\tamod\t_\tGloss=to.the.POSS
7\tbooks\tbook\tNOUN\tNNS\tNumber=Plur\t4\tobj\t_\t_
8\ttoday\ttoday\tNOUN\tNN\tNumber=Sing\t4\tobl:tmod\t_\tSpaceAfter=No
9\t.\t.\tPUNCT\t.\t_\t4\tpunct\t_\t_

"""
HEARING = """\
# sent_id = hearing
# text = A hearing is scheduled on it today
1\tA\ta\tDET\t_\t_\t2\tdet\t_\t_
2\thearing\thearing\tNOUN\t_\tNumber=Sing\t4\tnsubj:pass\t_\t_
3\tis\tbe\tAUX\t_\t_\t4\taux:pass\t_\t_
4\tscheduled\tschedule\tVERB\t_\tVerbForm=Part\t0\troot\t_\t_
5\ton\ton\tADP\t_\t_\t6\tcase\t_\t_
6\tit\tit\tPRON\t_\tNumber=Sing\t2\tnmod\t_\t_
7\ttoday\ttoday\tNOUN\t_\tNumber=Sing\t4\tobl:tmod\t_\t_

"""
PAIR = """\
# sent_id = pair
1\tmake\tmake\tVERB\t_\t_\t0\troot\t_\t_
2\tmake\tmake\tVERB\t_\t_\t1\tconj\t_\t_

"""
SENTENCES = {"give": GIVE, "hearing": HEARING, "pair": PAIR}

CASES = [
    # Nodes
    ("give", "pattern { X [upos=VERB] }", [(4,)]),
    ("give", "pattern { X [upos=VERB|PRON] }", [(4,), (5,)]),
    ("give", "pattern { X [upos<>NOUN|PUNCT|ADJ] }", [(1,), (4,), (5,)]),
    ("give", "pattern { X [Number<>Sing] }", [(7,)]),
    ("give", "pattern { X [Number] }", [(3,), (4,), (5,), (7,), (8,)]),
    ("give", "pattern { X [Number=*, upos=NOUN] }", [(3,), (7,), (8,)]),
    ("give", "pattern { X [upos=NOUN|ADJ, !Number] }", [(2,), (6,)]),
    ("give", "pattern { X [] }", [(i,) for i in range(10)]),
    ("give", "pattern { X [upos] }", [(i,) for i in range(1, 10)]),
    ("give", "pattern { X [!upos] }", [(0,)]),
    ("give", 'pattern { X [form="__0__"] }', [(0,)]),
    ("give", 'pattern { X [form="books", lemma="book"] }', [(7,)]),
    ("give", 'pattern { X [lemma=re"o.*"] }', [(2,)]),
    ("give", 'pattern { X [lemma=re"o"] }', []),
    ("give", "pattern { X [Gloss=/.*poss.*/i] }", [(6,)]),
    ("give", "pattern { X [Gloss=/.*poss.*/] }", []),
    ("give", "pattern { X [SpaceAfter=No] }", [(8,)]),
    ("give", "pattern { X [Number__psor=Plur] }", [(5,)]),
    ("give", "pattern { X [Number[psor]] }", [(5,)]),
    ("give", "pattern { X [upos=ADJ, Degree]|[upos=PRON] }", [(2,), (5,)]),
    ("give", "pattern { X [upos=NOUN]; X [Number=Plur] }", [(7,)]),
    ("give", "pattern { X [upos=NOUN] } pattern { X [Number=Plur] }", [(7,)]),
    # Edges
    ("give", "pattern { X -> Y }", [(0, 4), (3, 1), (3, 2), (4, 3), (4, 5), (4, 7), (4, 8), (4, 9), (7, 6)]),
    ("give", "pattern { X -[amod]-> Y }", [(3, 2), (7, 6)]),
    ("give", "pattern { X -[nsubj|obj]-> Y }", [(4, 3), (4, 7)]),
    ("give", "pattern { X [upos=VERB]; X -[^nsubj|obj|punct]-> Y }", [(4, 5), (4, 8)]),
    ("give", 'pattern { X -[re".*obj"]-> Y }', [(4, 5), (4, 7)]),
    ("give", "pattern { X -[obl]-> Y }", []),
    ("give", "pattern { X -[1=obl]-> Y }", [(4, 8)]),
    ("give", "pattern { X -[1=obl, 2=tmod|arg]-> Y }", [(4, 8)]),
    ("give", "pattern { X -[1=obl, 2<>tmod]-> Y }", []),
    ("give", "pattern { X -[1=obl, !2]-> Y }", []),
    ("give", "pattern { X -[2=*]-> Y }", [(4, 8)]),
    ("give", "pattern { X -[1=obl, !deep]-> Y }", [(4, 8)]),
    ("give", "pattern { e: X -[root]-> Y }", [(0, 4)]),
    ("give", "pattern { X []; Y []; X -[nsubj]-> Y }", [(4, 3)]),
    ("give", "pattern { X [upos=NOUN]; * -[nsubj]-> X }", [(3,)]),
    ("give", "pattern { X [upos=NOUN]; X -[amod]-> * }", [(3,), (7,)]),
    ("give", "pattern { X [upos=NOUN]; X -[^amod]-> * }", [(3,)]),
    ("give", "pattern { X [upos=NOUN]; X -> * }", [(3,), (7,)]),
    # Features and order
    ("hearing", "pattern { X -> Y; X.upos = Y.upos }", []),
    ("pair", "pattern { X -> Y; X.upos = Y.upos; X.form = Y.lemma }", [(1, 2)]),
    ("give", "pattern { X -> Y; X.Number <> Y.Number }", [(4, 7)]),
    ("give", 'pattern { X [upos=NOUN]; X.lemma = "man" }', [(3,)]),
    ("give", 'pattern { X [upos=NOUN]; X.lemma <> "man" }', [(7,), (8,)]),
    ("give", 'pattern { X [upos=NOUN]; X.lemma = re".*oo.*" }', [(7,)]),
    ("give", "pattern { X [upos=NOUN]; X.lemma = /.*OO.*/i }", [(7,)]),
    ("give", "pattern { X [upos=ADJ]; Y [upos=NOUN]; X < Y }", [(2, 3), (6, 7)]),
    ("give", "pattern { X [upos=ADJ]; Y [upos=NOUN]; X << Y }", [(2, 3), (2, 7), (2, 8), (6, 7), (6, 8)]),
    ("give", "pattern { X [upos=ADJ]; Y [upos=NOUN]; X > Y }", []),
    ("give", "pattern { X [upos=ADJ]; Y [upos=NOUN]; X >> Y }", [(6, 3)]),
    ("give", "pattern { X [upos=VERB]; Y [upos=ADJ]; X ->> Y }", [(4, 2), (4, 6)]),
    ("give", "pattern { X [upos=VERB]; Y [upos=NOUN]; delta(X, Y) = 3 }", [(4, 7)]),
    ("give", "pattern { X [upos=VERB]; Y [upos=NOUN]; delta(X, Y) = -1 }", [(4, 3)]),
    ("give", "pattern { X [upos=VERB]; Y [upos=NOUN]; length(X, Y) <= 3 }", [(4, 3), (4, 7)]),
    ("give", "pattern { X [upos=VERB]; Y [upos=NOUN]; length(X, Y) > 3 }", [(4, 8)]),
    ("give", "pattern { e: X -[amod]-> A; f: Y -[amod]-> B; e.label = f.label; A << B }", [(3, 2, 7, 6)]),
    ("give", "pattern { e: X -[nsubj|obj]-> A; f: X -> B; e.label <> f.label; B [upos=NOUN]; A << B; B << C; C [] }",
     [(4, 3, 7, 8), (4, 3, 7, 9), (4, 3, 8, 9), (4, 7, 8, 9)]),
    ("hearing", "pattern { e: X -[nsubj:pass]-> A; f: B -[nmod]-> C }", []),
    ("hearing", "pattern { e: X -[obl:tmod]-> A; f: B -[nmod]-> C; e >< f }", [(4, 7, 2, 6)]),
    ("hearing", "pattern { e: B -[nmod]-> C; f: D -[case]-> E$; e << f }", []),
    ("hearing", "pattern { e: D$ -[case]-> E; f: B -[nmod]-> C; e << f }", [(6, 5, 2, 6)]),
    ("hearing", "pattern { e: A -[det]-> B; f: C -[case]-> D; e <> f }", [(2, 1, 6, 5)]),
    ("hearing", "pattern { e: B -[nmod]-> C; X [upos=VERB|AUX]; X << e }", [(2, 6, 3), (2, 6, 4)]),
    # Injectivity
    ("pair", "pattern { X [lemma=make]; Y [lemma=make] }", [(1, 2), (2, 1)]),
    ("pair", "pattern { X [lemma=make]; Y [lemma=make]; X.__id__ < Y.__id__ }", [(1, 2)]),
    ("pair", "pattern { X [lemma=make]; Y$ [lemma=make] }", [(1, 1), (1, 2), (2, 1), (2, 2)]),
    ("give", "pattern { X -[amod]-> Y; X -[det]-> Z }", [(3, 2, 1)]),
    # Filters
    ("give", "pattern { X [upos=NOUN] } without { X -> Y }", [(8,)]),
    ("give", "pattern { X [upos=NOUN] } without { X -[det]-> Y } without { X -[amod]-> Y }", [(8,)]),
    ("give", "pattern { X [upos=NOUN] } without { X -[det]-> Y; X -[amod]-> Z }", [(7,), (8,)]),
    ("give", "pattern { X [upos=NOUN] } with { X -[amod]-> Y }", [(3,), (7,)]),
    ("give", "pattern { X [form=/.*o.*/] } with { X [form=/.*a.*/] }", [(8,)]),
    ("give", "pattern { X [upos=NOUN] } without { X [Number=Plur] }", [(3,), (8,)]),
    ("give", "pattern { V -[nsubj]-> S } without { V -[^nsubj]-> S }", [(4, 3)]),
    ("pair", "pattern { X [upos=VERB] } without { Y [upos=VERB] }", []),
    ("give", "pattern { X [upos=VERB] } without { Y [upos=VERB] }", [(4,)]),
    ("give", "pattern { e: X -[obj]-> Y } without { Z [upos=ADJ]; Z << e }", []),
    # Whole sentences
    ("give", "global { is_projective } pattern { X [upos=VERB] }", [(4,)]),
    ("hearing", "global { is_projective } pattern { X [upos=VERB] }", []),
    ("hearing", "global { is_not_projective; is_tree; is_forest; is_not_cyclic }", [()]),
    ("give", 'global { sent_id = "give" | "take" }', [()]),
    ("hearing", 'global { sent_id = "give" | "take" }', []),
    ("hearing", 'global { sent_id <> "give" | "take" }', [()]),
    ("give", r'global { text = re".*\baux\b.*" }', [()]),
    ("pair", 'global { text <> "x" }', []),
    ("pair", "global { !text }", [()]),
    ("give", "without { X [upos=AUX] }", [()]),
    ("hearing", "without { X [upos=AUX] }", []),
]


@pytest.mark.parametrize(("name", "pattern", "expected"), CASES, ids=range(len(CASES)))
def test_grew_semantics(name, pattern, expected):
    sentence = next(gp.read_conllu(_file(SENTENCES[name])))
    assert [tuple(match.ids.values()) for match in gp.search(sentence, pattern)] == expected


@pytest.mark.parametrize(("name", "pattern", "expected"), [case for case in CASES if "__psor" not in case[1]])
def test_the_slow_search_agrees(name, pattern, expected):
    sentence = next(gp.read_conllu(_file(SENTENCES[name])))
    if pattern.count("[") < 6:
        assert slow_search(sentence, pattern) == expected


def _file(text):
    from io import BytesIO

    return BytesIO(text.encode())
