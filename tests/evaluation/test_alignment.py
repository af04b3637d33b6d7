from __future__ import annotations

import io
import random
import re
import sys
import unicodedata
from copy import deepcopy

import pytest
from official import assert_equal_to_official

from gardenpath import Document, InputError, Sentence, Token, Word, evaluate, read_conllu
from gardenpath.evaluation.alignment import align, common_subsequence, long_common_subsequence
from gardenpath.evaluation.layout import SPACES, UNPARSED, lay_out


def sentence(*tokens: str) -> Sentence:
    """Make a sentence: `a` is a token, `ab=a+b` a multi-word token. The first word is the head of all others."""
    made = Sentence()
    for token in tokens:
        form, _, words = token.partition("=")
        first = len(made) + 1
        for piece in words.split("+") if words else [form]:
            made.words.append(
                Word(len(made) + 1, piece, head=int(bool(made.words)), deprel="dep" if made.words else "root")
            )
        if words:
            made.ranges.append(Token(first, len(made), form))
    return made


def aligned(gold: list[str], system: list[str]) -> list[tuple[int, int]]:
    """Return the pairs of aligned words, counted from 1."""
    found = align(lay_out([sentence(*gold)], "gold", "gold"), lay_out([sentence(*system)], "system", "system"))
    return [(g + 1, s + 1) for g, s in zip(found.gold_index.tolist(), found.system_index.tolist(), strict=True)]


@pytest.mark.parametrize(
    "gold, system, pairs",
    [
        (["ab", "c"], ["ab", "c"], [(1, 1), (2, 2)]),
        (["ab", "c"], ["a", "b", "c"], [(2, 3)]),
        (["a b", "c"], ["ab", "c"], [(1, 1), (2, 2)]),
        (["ab", "c"], ["a", "bc"], []),
        (["x", "du=de+le", "y"], ["x", "du=de+le", "y"], [(1, 1), (2, 2), (3, 3), (4, 4)]),
        (["x", "du=de+le", "y"], ["x", "du=De+la", "y"], [(1, 1), (2, 2), (4, 4)]),
        (["x", "du=de+le", "y"], ["x", "du", "y"], [(1, 1), (4, 3)]),
        (["x", "du", "y"], ["xdu=x+du", "y"], [(1, 1), (2, 2), (3, 3)]),
        (["ab=a+b", "cd=c+d"], ["a", "bc=b+c", "d"], [(1, 1), (2, 2), (3, 3), (4, 4)]),
    ],
)
def test_alignment_by_span_and_by_form_in_multi_word_tokens(gold, system, pairs):
    assert aligned(gold, system) == pairs


@pytest.mark.parametrize(
    "gold, system, pairs",
    [
        (["abcd", "e=b+c+d+e"], ["a", "b", "c", "d", "e"], [(2, 2), (3, 3), (4, 4), (5, 5)]),
        (["abcd", "e=a+e"], ["a", "b", "c", "d", "e"], [(3, 5)]),
        (["a", "b", "c", "d"], ["abc", "d=b+c+d"], [(3, 3), (4, 4)]),
        (["ab"], ["a=ab", "b"], [(1, 1)]),
        (["a=ab", "b"], ["ab"], []),
        (["ab", "c=bcd", "d"], ["a", "bcd"], [(2, 2)]),
        (["abcd", "e=b+c+d+e"], ["a=abcd", "b", "c", "d", "e"], [(1, 1), (3, 3), (4, 4), (5, 5)]),
    ],
)
def test_tokens_over_the_edge_of_a_stretch_are_aligned_as_in_the_official_scorer(gold, system, pairs):
    assert aligned(gold, system) == pairs
    assert_equal_to_official(*(Document([sentence(*tokens)]).to_conllu() for tokens in (gold, system)))


def test_common_subsequence_is_longest():
    pairs = common_subsequence(left := list("abcbdab"), right := list("bdcaba"))
    assert len(pairs) == 4
    assert [left[i] for i, _ in pairs] == [right[j] for _, j in pairs]
    assert [sorted(side) for side in zip(*pairs, strict=True)] == [list(side) for side in zip(*pairs, strict=True)]
    assert common_subsequence(["a"], ["b"]) == []
    assert common_subsequence([], ["b"]) == []


def test_spaces_are_the_unicode_category_zs():
    assert {c for c in map(chr, range(sys.maxunicode + 1)) if SPACES.fullmatch(c)} == {
        c for c in map(chr, range(sys.maxunicode + 1)) if unicodedata.category(c) == "Zs"
    }


def test_the_error_for_different_texts_names_both_places():
    gold, system = sentence("one", "two", "three"), sentence("one", "tow", "three")
    gold.place, system.place = "gold.conllu:1", "system.conllu:7"
    gold.comments.append("# sent_id = a")
    message = (
        "gold.conllu:1: sent_id=a: gold has 'wothree' in token 'two', "
        "but system.conllu:7: system has 'owthree' in token 'tow'"
    )
    with pytest.raises(InputError, match=re.escape(message)):
        evaluate([gold], [system])


def test_the_error_for_a_text_that_ends_early():
    message = "gold sentence 2: gold has 'two' in token 'two', but the system text ends with system sentence 1"
    with pytest.raises(InputError, match=message):
        evaluate([sentence("one"), sentence("two")], [sentence("one")])


@pytest.mark.parametrize(
    "heads, message",
    [
        ([2, 1, 0], "words 1 and 2 form a cycle"),
        ([0, 2, 1], "word 2 is its own head"),
        ([0, 0, 1], "several roots: words 1 and 2"),
        ([0, 4, 1], "word 2 has head 4, but the last word is 3"),
        ([0, None, 1], f"word 2 has no head; {UNPARSED}"),
    ],
)
def test_sentences_that_are_not_trees_raise_an_error(heads, message):
    lines = [f"{i}\tw\t_\t_\t_\t_\t{'_' if head is None else head}\tdep\t_\t_" for i, head in enumerate(heads, 1)]
    source = io.BytesIO("\n".join(["# sent_id = s", *lines, "", ""]).encode())
    source.name = "bad.conllu"
    with pytest.raises(InputError, match=f"bad.conllu:1: sent_id=s: {message}"):
        evaluate([sentence("w", "w", "w")], read_conllu(source))


def test_several_roots_are_scored_if_they_are_allowed():
    gold, system = (sentence("one", "two", "three") for _ in range(2))
    for one in (gold, system):
        one.words[1].head = 0
    assert evaluate([gold], [system], multi_root=True).uas == 100
    system.words[2].head = 0
    assert round(evaluate([gold], [system], multi_root=True).uas) == 67


def test_a_token_of_spaces_raises_an_error():
    with pytest.raises(InputError, match="gold sentence 1: the token at word 2 has no characters"):
        evaluate([sentence("a", "\u00a0")], [sentence("a")])


def test_a_very_deep_tree():
    chain = Sentence([Word(i, "w", head=i - 1, deprel="dep" if i > 1 else "root") for i in range(1, 5001)])
    assert evaluate([chain], [deepcopy(chain)]).las == 100


@pytest.mark.parametrize("seed", range(30))
def test_long_sequences_are_aligned_like_short_ones(seed):
    rng = random.Random(seed)
    left, right = ([rng.choice("abcdef"[: rng.randrange(1, 7)]) for _ in range(rng.randrange(40))] for _ in range(2))
    assert long_common_subsequence(left, right) == common_subsequence(left, right)


def test_multi_word_tokens_of_thousands_of_words():
    """Different forms would need gigabytes in a table of lengths; even longer tokens are refused."""
    gold, system = (sentence("x=" + "+".join(f"{side}{i % 7}" for i in range(2_500))) for side in "gs")
    assert evaluate([gold], [system]).scores["Words"].f1 == 0
    gold, system = (sentence("x=" + "+".join(f"{side}{i}" for i in range(12_000))) for side in "gs")
    with pytest.raises(InputError, match="have 12,000 gold words and 12,000 system words, too many to align"):
        evaluate([gold], [system])
