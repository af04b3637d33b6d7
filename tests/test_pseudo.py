"""Pseudo-projective parsing: lifts equal `projectivise`, marks follow the paper, lowering always gives a tree."""

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brute import all_trees, random_projective_tree, random_tree
from gardenpath.errors import InputError, UsageError
from gardenpath.formats.document import Sentence, Word
from gardenpath.pseudo import ENCODINGS, any_decorated, check_labels, is_decorated, lift, lower
from gardenpath.trees import is_projective, is_tree, nonprojective_arcs, projectivise

# The tree, its labels, the lifted tree, and the labels that change for each encoding.
EXAMPLES = {
    "A hearing is scheduled on the issue today": (
        [2, 4, 4, 0, 7, 7, 2, 4], "det nsubj:pass aux:pass root case det nmod obl", [2, 4, 4, 0, 7, 7, 4, 4],
        {
            "head": {7: "nmod↑nsubj:pass"}, "path": {7: "nmod↑", 2: "nsubj:pass↓"},
            "head+path": {7: "nmod↑nsubj:pass", 2: "nsubj:pass↓"},
        },
    ),
    "What do you think she wants to buy": (
        [8, 4, 4, 0, 6, 4, 8, 6], "obj aux nsubj root nsubj ccomp mark xcomp", [4, 4, 4, 0, 6, 4, 8, 6],
        {
            "head": {1: "obj↑xcomp"}, "path": {1: "obj↑", 6: "ccomp↓", 8: "xcomp↓"},
            "head+path": {1: "obj↑xcomp", 6: "ccomp↓", 8: "xcomp↓"},
        },
    ),
    "4 is lifted from 2, and 1 from 4 to where 4 is": (
        [4, 3, 0, 2], "a b root d", [3, 3, 0, 3],
        {
            "head": {1: "a↑d", 4: "d↑b"}, "path": {1: "a↑", 2: "b↓", 4: "d↑↓"},
            "head+path": {1: "a↑d", 2: "b↓", 4: "d↑b↓"},
        },
    ),
    "2 is lifted from 4 to 1, and then 4 from 1": (
        [3, 4, 0, 1], "a b root d", [3, 1, 0, 3],
        {
            "head": {2: "b↑d", 4: "d↑a"}, "path": {1: "a↓", 2: "b↑", 4: "d↑↓"},
            "head+path": {1: "a↓", 2: "b↑d", 4: "d↑a↓"},
        },
    ),
}
# Output of a parser: the tree, its labels, and the heads that change for each encoding.
PARSES = {
    "the first from the left": ([0, 1, 1, 1], "root a a b↑a", {"head": {4: 2}, "path": {}, "head+path": {4: 2}}),
    "a higher word before the first from the left": (
        [0, 1, 2, 1, 1], "root c a a b↑a", {"head": {5: 4}, "path": {}, "head+path": {5: 4}},
    ),
    "level by level": ([0, 1, 2, 3, 1, 5, 1], "root c c a c a b↑a", {"head": {7: 6}, "path": {}, "head+path": {7: 6}}),
    "a lowered word is in its place": (
        [4, 4, 2, 0, 4], "a↑x x a root b↑a", {"head": {1: 2, 5: 1}, "path": {}, "head+path": {1: 2, 5: 1}},
    ),
    "a word over marked arcs before a higher word": (
        [0, 1, 2, 1, 1], "root c↓ a↓ a b↑a", {"head": {5: 4}, "path": {5: 3}, "head+path": {5: 3}},
    ),
    "the marked arcs are not joined": (
        [0, 1, 2, 1, 1], "root c a↓ a b↑a", {"head": {5: 4}, "path": {}, "head+path": {5: 4}},
    ),
    "the first path from the left, to its end": (
        [0, 1, 2, 1, 1], "root c↓ a↓ a↓ b↑", {"head": {}, "path": {5: 4}, "head+path": {}},
    ),
    "labels are compared without their marks": (
        [0, 1, 1], "root a↑x↓ b↑a", {"head": {3: 2}, "path": {3: 2}, "head+path": {3: 2}},
    ),
    "subtypes are compared": ([0, 1, 1], "root a:x b↑a", {"head": {}, "path": {}, "head+path": {}}),
    "not below the word itself": ([0, 1, 2], "root b↑a↓ a↓", {"head": {}, "path": {}, "head+path": {}}),
    "not to the current head": ([0, 1, 2], "root a↓ b↑a", {"head": {}, "path": {}, "head+path": {}}),
    "the root stays": ([0, 1], "root↑a a↓", {"head": {}, "path": {}, "head+path": {}}),
    "a second attempt after the head was lowered": (
        [3, 1, 0, 5, 3], "a↑e b↑d root d↑a e",
        {"head": {1: 5, 2: 4, 4: 1}, "path": {}, "head+path": {1: 5, 2: 4, 4: 1}},
    ),
}
ODD = [
    "a", "b", "a:x", "a↑", "a↓", "a↑b", "b↑a", "b↑a:x", "a↑b↓", "a↑↓", "b↓↑a", "a↑b↑a", "↑", "↓", "↑a", "", "a↓↓",
    "b↑b↓",
]

encodings = pytest.mark.parametrize("encoding", ENCODINGS)


@encodings
@pytest.mark.parametrize("example", EXAMPLES)
def test_lifting_of_examples(example, encoding):
    heads, labels, lifted, changes = EXAMPLES[example]
    assert lift(heads, labels.split(), encoding) == (lifted, changed(labels.split(), changes[encoding]))


@encodings
@pytest.mark.parametrize("example", EXAMPLES)
def test_lowering_restores_the_examples(example, encoding):
    heads, labels, lifted, changes = EXAMPLES[example]
    assert lower(lifted, changed(labels.split(), changes[encoding]), encoding) == (heads, labels.split())


@encodings
@pytest.mark.parametrize("parse", PARSES)
def test_lowering_of_parses(parse, encoding):
    heads, labels, changes = PARSES[parse]
    plain = [label.partition("↑")[0].partition("↓")[0] for label in labels.split()]
    assert lower(heads, labels.split(), encoding) == (changed(heads, changes[encoding]), plain)


@encodings
def test_an_arc_lifted_to_the_root_is_not_marked(encoding):
    assert lift([0, 0, 1], ["root", "root", "a"], encoding) == ([0, 0, 0], ["root", "root", "a"])


@encodings
@given(st.integers(1, 25), st.randoms(use_true_random=False))
def test_lifting_equals_projectivise(encoding, size, rng):
    heads, labels = random_tree(rng, size), random_labels(rng, size)
    lifted, decorated = lift(heads, labels, encoding)
    assert lifted == projectivise(heads)
    assert [is_decorated(label) for label in decorated] == [a != b for a, b in zip(decorated, labels, strict=True)]
    assert any_decorated(decorated) is not is_projective(heads)
    restored, plain = lower(lifted, decorated, encoding)
    assert is_tree(restored)
    assert plain == labels


@given(st.integers(1, 25), st.randoms(use_true_random=False))
def test_marks_encode_the_lifts(size, rng):
    heads, labels = random_tree(rng, size), random_labels(rng, size)
    lifted, left = slow_lift(heads)
    above = ["↑" + labels[old - 1] if old != new else "" for old, new in zip(heads, lifted, strict=True)]
    up, down = [mark[:1] for mark in above], ["↓" if word in left else "" for word in range(1, size + 1)]
    assert lift(heads, labels, "head") == (lifted, list(map("".join, zip(labels, above, strict=True))))
    assert lift(heads, labels, "path") == (lifted, list(map("".join, zip(labels, up, down, strict=True))))
    assert lift(heads, labels, "head+path") == (lifted, list(map("".join, zip(labels, above, down, strict=True))))


@encodings
@given(st.integers(1, 25), st.randoms(use_true_random=False))
def test_projective_trees_are_not_changed(encoding, size, rng):
    tree = random_projective_tree(rng, size), random_labels(rng, size)
    assert lift(*tree, encoding) == tree
    assert lower(*tree, encoding) == tree


@encodings
def test_arguments_are_not_changed(encoding):
    for transform, heads, labels in [
        (lift, [3, 4, 0, 1], ["a", "b", "root", "d"]), (lower, [3, 1, 0, 3], ["a↓", "b↑d", "root", "d↑a↓"]),
    ]:
        given_heads, given_labels = list(heads), list(labels)
        transform(heads, labels, encoding)
        assert (heads, labels) == (given_heads, given_labels)


def test_a_single_lifted_word_is_restored_along_its_path():
    for heads in all_trees(5, single_root=True):
        if sum(old != new for old, new in zip(heads, projectivise(heads), strict=True)) == 1:
            for labels in (list("abcde"), ["a"] * 5):
                assert lower(*lift(heads, labels, "path"), "path") == (list(heads), labels), heads


@pytest.mark.parametrize("encoding", ["head", "head+path"])
def test_unique_labels_restore_every_word(encoding):
    for heads in all_trees(5, single_root=True):
        assert lower(*lift(heads, list("abcde"), encoding), encoding) == (list(heads), list("abcde")), heads


@pytest.mark.parametrize("encoding", ["head", "head+path"])
@given(st.integers(6, 25), st.randoms(use_true_random=False))
def test_unique_labels_restore_every_word_of_random_trees(encoding, size, rng):
    heads, labels = random_tree(rng, size), [f"label{word}" for word in range(size)]
    assert lower(*lift(heads, labels, encoding), encoding) == (heads, labels)


@pytest.mark.parametrize("encoding, floor", [("head", 0.65), ("path", 0.65), ("head+path", 0.88)])
def test_most_trees_with_a_moved_word_are_restored(encoding, floor):
    rng = random.Random(5)
    trees = [tree_with_a_moved_word(rng, rng.randint(4, 16)) for _ in range(1500)]
    exact = Counter()
    for heads in trees:
        labels = random_labels(rng, len(heads))
        exact[lower(*lift(heads, labels, encoding), encoding)[0] == heads] += not is_projective(heads)
    assert exact.total() > 500
    assert exact[True] > floor * exact.total()


@encodings
@given(st.integers(1, 20), st.randoms(use_true_random=False))
def test_lowering_gives_a_tree_for_any_labels(encoding, size, rng):
    made = rng.choice([random_tree, random_projective_tree])(rng, size)
    heads = [0 if rng.random() < 0.1 else head for head in made]
    labels = [rng.choice(ODD) for _ in heads]
    lowered, plain = lower(heads, labels, encoding)
    assert is_tree(lowered, single_root=False)
    assert [head == 0 for head in lowered] == [head == 0 for head in heads]
    assert not any_decorated(plain)
    assert len(plain) == size


@encodings
def test_marks_of_other_encodings_are_removed(encoding):
    for other in ENCODINGS:
        heads, labels = lift([8, 4, 4, 0, 6, 4, 8, 6], list("abcdefgh"), other)
        lowered, plain = lower(heads, labels, encoding)
        assert is_tree(lowered)
        assert plain == list("abcdefgh")


def test_marks_in_a_treebank_raise_an_error():
    good = Sentence([Word(1, "Yes", head=0, deprel="root:x")])
    bad = Sentence(
        [Word(1, "No", head=2, deprel="a"), Word(2, "!", head=0, deprel="a↓b")], comments=["# sent_id = s2"],
        place="bad.conllu:4",
    )
    check_labels([good])
    with pytest.raises(InputError) as caught:
        check_labels([good, bad])
    assert str(caught.value).startswith(
        "bad.conllu:4: sent_id=s2: word 2 has DEPREL 'a↓b', but ↑ and ↓ are for lifted arcs; "
    )


@pytest.mark.parametrize("transform", [lift, lower])
def test_an_unknown_encoding_raises_an_error(transform):
    with pytest.raises(UsageError, match="'tail'; choose one of head, path, head\\+path"):
        transform([0], ["root"], "tail")


@encodings
def test_a_large_treebank_takes_only_seconds(encoding):
    """An exhaustive search would never end."""
    rng = random.Random(3)
    trees = [random_projective_tree(rng, 25) for _ in range(200)] + [tree_with_a_moved_word(rng, 25) for _ in range(50)]
    for heads in trees * 40:
        lower(*lift(heads, ["a"] * 25, encoding), encoding)


def changed(values, changes):
    """Return the values of words 1..n with some of them changed."""
    return [changes.get(word, value) for word, value in enumerate(values, 1)]


def random_labels(rng, size):
    return [rng.choice("abcdefgh") for _ in range(size)]


def slow_lift(heads):
    """Lift arcs one by one; return the lifted tree and all words from which another word was lifted."""
    heads, left = list(heads), set()
    while arcs := nonprojective_arcs(heads):
        head, word = min(arcs, key=lambda arc: (abs(arc[0] - arc[1]), arc[1]))
        left.add(head)
        heads[word - 1] = heads[head - 1]
    return heads, left


def tree_with_a_moved_word(rng, size):
    """Make a projective tree and move one word to another position."""
    heads, words = random_projective_tree(rng, size), list(range(1, size + 1))
    words.insert(rng.randrange(size), words.pop(rng.randrange(size)))
    place = {0: 0, **{word: i for i, word in enumerate(words, 1)}}
    return [place[heads[word - 1]] for word in words]
