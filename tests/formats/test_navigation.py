"""Navigation in documents: words, trees, spans, multi-word tokens; what stays right when a sentence changes."""

import copy
import pickle
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

import gardenpath as gp
from gardenpath import Document, InputError, Sentence, Token, UsageError, Word
from sample import DEV

LINES = """\
# newdoc id = d
# sent_id = 1
# text = We don't eat
1\tWe\twe\tPRON\t_\tCase=Nom|Number=Plur\t4\tnsubj\t_\t_
2-3\tdon't\t_\t_\t_\t_\t_\t_\t_\t_
2\tdo\tdo\tAUX\t_\t_\t4\taux\t_\t_
3\tn't\tnot\tPART\t_\t_\t4\tadvmod\t_\t_
4\teat\teat\tVERB\t_\t_\t0\troot\t_\t_

"""


@pytest.fixture
def sentence(tmp_path):
    (tmp_path / "a.conllu").write_text(LINES, encoding="utf-8")
    return next(gp.read_conllu(tmp_path / "a.conllu"))


def tree(*heads):
    return Sentence([Word(i, f"w{i}", head=head) for i, head in enumerate(heads, 1)])


@st.composite
def trees(draw):
    """Any tree, projective or not, with words attached to words that are attached already."""
    size = draw(st.integers(1, 9))
    order = draw(st.permutations(range(1, size + 1)))
    heads = {order[0]: 0} | {
        word: draw(st.sampled_from(order[:place])) for place, word in enumerate(order) if place
    }
    return tree(*(heads[i] for i in range(1, size + 1)))


def climb(heads, word):
    """Return the numbers of the ancestors of a word."""
    found = []
    while heads[word - 1]:
        word = heads[word - 1]
        found.append(word)
    return found


def ids(words):
    return [word.id for word in words]


@given(trees())
def test_navigation_agrees_with_the_heads(sentence):
    heads, everything = sentence.heads, range(1, len(sentence) + 1)
    assert sentence.root.head == 0
    for word in sentence:
        assert ids(word.children) == [i for i in everything if heads[i - 1] == word.id]
        assert ids(word.left_children + word.right_children) == ids(word.children)
        assert all(child.id < word.id for child in word.left_children)
        assert ids(word.ancestors) == climb(heads, word.id)
        assert word.depth == len(climb(heads, word.id))
        assert word.head_word is (word.ancestors[0] if word.ancestors else None)
        below = [i for i in everything if i == word.id or word.id in climb(heads, i)]
        assert ids(word.subtree) == below
        assert word.subtree.root is word
        assert [ids(piece) for piece in word.subtree.pieces if not piece.is_continuous] == []
        assert [number for piece in word.subtree.pieces for number in ids(piece)] == below
        for other in sentence:
            assert word.is_ancestor_of(other) == (word.id in climb(heads, other.id))
            path = word.path_to(other)
            assert (path[0], path[-1]) == (word, other)
            assert len(set(ids(path))) == len(path)
            assert all(one.head == two.id or two.head == one.id for one, two in pairwise(path))


def test_positions_and_ids(sentence):
    assert (sentence[0].form, sentence[-1].form, sentence.word(1).form) == ("We", "eat", "We")
    assert [word.form for word in sentence[1:3]] == ["do", "n't"]
    document = Document([sentence, tree(0)])
    assert (document[0], len(document), len(document[1:]), len(document.words)) == (sentence, 2, 1, 5)
    with pytest.raises(InputError, match="sent_id=1: there is no word 9 among its 4 words; ids begin at 1"):
        sentence.word(9)


def test_changes_of_heads_are_seen_at_once(sentence):
    we, eat = sentence[0], sentence[3]
    assert ids(eat.children) == [1, 2, 3]
    we.head = 3
    assert ids(eat.children) == [2, 3]
    assert we.head_word is sentence[2]
    assert we.depth == 2


@given(trees(), st.data())
def test_changes_of_any_kind_are_seen_at_once(sentence, data):
    """The index is made before every change; a slow search through all words agrees with it afterwards."""
    changes = (
        lambda word, number: setattr(word, "head", number),
        lambda word, number: setattr(word, "id", number),
        lambda word, number: sentence.words.reverse(),
        lambda word, number: sentence.words.sort(key=lambda other: other.head or 0),
        lambda word, number: sentence.words.append(Word(number, "new", head=word.id)),
        lambda word, number: Sentence([word]).words,
        lambda word, number: setattr(sentence, "words", [Word(number, "only", head=1), *sentence.words]),
    )
    for change in data.draw(st.lists(st.sampled_from(changes), min_size=1, max_size=4)):
        word, number = data.draw(st.sampled_from(sentence.words)), data.draw(st.integers(1, 12))
        sentence._tree_index  # noqa: B018
        change(word, number)
        for id in range(1, 13):
            assert sentence._tree_index.words.get(id) is next((w for w in sentence.words if w.id == id), None)
            assert ids(sentence._tree_index.children.get(id, [])) == [w.id for w in sentence.words if w.head == id]


def test_words_know_their_sentence_however_they_are_added():
    sentence = tree(0)
    assert sentence[0].sentence is sentence
    more = [Word(i, "x", head=1) for i in range(2, 8)]
    sentence.words.append(more[0])
    sentence.words.extend(more[1:3])
    sentence.words += more[3:4]
    sentence.words.insert(5, more[4])
    assert all(word.sentence is sentence for word in more[:5])
    assert ids(sentence[0].children) == [2, 3, 4, 5, 6]
    sentence.words[5:] = [more[5]]
    assert more[5].sentence is sentence
    sentence.words[0], old = Word(1, "new", head=0), sentence.words[0]
    assert sentence.root.form == "new"
    removed = [old, more[4], sentence.words.pop(), sentence.words.pop(1)]
    sentence.words.remove(more[1])
    del sentence.words[-1]
    for word in [*removed, more[1], more[3]]:
        with pytest.raises(UsageError, match="is not part of a sentence; add it to the words of one"):
            word.sentence  # noqa: B018
    sentence.words = [Word(1, "only", head=0)]
    assert sentence[0].sentence is sentence
    last = sentence[0]
    sentence.words.clear()
    with pytest.raises(UsageError):
        last.children  # noqa: B018


def test_a_word_belongs_to_the_sentence_that_it_was_added_to_last(sentence):
    other = Sentence(sentence.words[:1])
    assert other[0].sentence is other
    sentence.words.pop(0)
    assert other[0].sentence is other


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda each: pickle.loads(pickle.dumps(each))])
def test_copies_have_words_of_their_own(sentence, copied):
    assert sentence[0].sentence is sentence
    twin = copied(sentence)
    assert twin == sentence
    assert twin.to_conllu() == sentence.to_conllu()
    assert all(word.sentence is twin for word in twin)
    assert all(word.sentence is sentence for word in sentence)
    assert twin.ranges[0].words[0] is twin[1]
    twin[0].head = 2
    assert sentence[0].head == 4
    alone = copied(sentence[0])
    assert alone == sentence[0]
    with pytest.raises(UsageError, match="not part of a sentence"):
        alone.sentence  # noqa: B018


def test_reading_and_writing_make_no_links(sentence):
    sentence.to_conllu()
    assert not hasattr(sentence._words[0], "_sentence")


def test_multi_word_tokens_and_their_words(sentence):
    [token] = sentence.ranges
    assert [word.form for word in token.words] == ["do", "n't"]
    assert [word.token for word in sentence] == [None, token, token, None]
    assert sentence[1].token.words[0] is sentence[1]
    sentence.ranges.append(Token(4, 4, "eat"))
    assert sentence[3].token.form == "eat"


def test_spans_have_text_and_offsets(sentence):
    assert sentence[:].text == sentence.text == "We don't eat"
    assert (sentence[1:3].text, sentence[1:3].offsets) == ("don't", (3, 8))
    assert (sentence[0:2].text, sentence[2:4].text) == ("We do", "n't eat")
    assert sentence[0:2][1].form == "do"
    assert (sentence[:].start, sentence[0:0].text, sentence[0:0].offsets) == (None, "", None)
    du = Sentence([Word(1, "de"), Word(2, "le"), Word(3, "chat")], ranges=[Token(1, 2, "du")])
    assert (du[:].text, du[1:].text, du[:1].text) == ("du chat", "le chat", "de")


def test_a_subtree_with_a_gap():
    sentence = Sentence.from_words(
        [{"form": form, "head": head} for form, head in (("A", 2), ("hearing", 3), ("is", 0), ("on", 5), ("it", 2))],
        text="A hearing  is on it",
    )
    span = sentence[1].subtree
    assert (span.text, span.is_continuous, (span.start, span.end)) == ("A hearing on it", False, (0, 19))
    assert [(piece.text, piece.start, piece.end) for piece in span.pieces] == [("A hearing", 0, 9), ("on it", 14, 19)]
    assert sentence[1:3].text == "hearing  is"
    assert repr(span) == "<Span: A hearing on it>"
    assert span == sentence[1].subtree
    assert span != sentence[2].subtree


def test_heads_that_are_no_tree():
    circle = tree(2, 1, 0)
    with pytest.raises(InputError, match="sentence: the heads above word 1 form a cycle; correct HEAD"):
        circle[0].ancestors  # noqa: B018
    assert ids(circle[0].subtree) == [1, 2]
    two = tree(0, 0, None)
    assert two.root is two[0]
    assert two[0].path_to(two[1]) == []
    assert (two[2].head_word, two[2].depth, tree(None).root) == (None, 0, None)
    with pytest.raises(InputError, match="there is no word 7"):
        tree(7)[0].head_word  # noqa: B018
    with pytest.raises(UsageError, match="words of different sentences"):
        two[0].path_to(circle[0])


def test_the_text_of_a_document():
    sentences = list(gp.read_conllu(DEV))
    document = Document(sentences)
    assert all(sentence.text in document.text for sentence in sentences)
    bare = Sentence([Word(1, "a", misc="SpaceAfter=No"), Word(2, "b")])
    paragraph = Sentence([Word(1, "c")], ["# newpar"])
    glued = Sentence([Word(1, "d", misc="SpaceAfter=No")])
    assert Document([bare, bare, paragraph, glued, bare]).text == "ab ab\n\nc dab"
    assert (bare.text, Document().text) == ("ab", "")


def test_old_code_works():
    """Attributes, comparison, iteration, and positional arguments."""
    word = Word(1, "a", "a", "X", "Y", "A=b", 0, "root", "_", "_", 0, 1)
    one, two = (Sentence([copy.copy(word)], ["# x"], [], [], "", "\n", "\n\n", "f:1") for _ in range(2))
    assert one == two
    assert (one.words, one.heads, list(one), one.tokens) == ([word], [0], [word], [word])
    two.words[0].feats = "_"
    assert one != two
    assert Sentence() == Sentence([], [])
