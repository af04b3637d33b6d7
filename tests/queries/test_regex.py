"""Regular expressions: the same results as Python's `re`, in linear time."""

import re
from random import Random

import pytest

from gardenpath.queries.regex import Regex
from gardenpath.queries.regex_reader import RegexSyntaxError, plain_operators

ATOMS = ["a", "b", "c", ".", "[ab]", "[^a]", r"\w", r"\W", r"\b", "^", "$", r"\.", "[a-b-]", r"[\w-]", "é", r"\d"]
SUFFIXES = ["", "", "", "*", "+", "?", "{2}", "{1,2}", "{,2}", "{0,}", "*?", "+?"]
TEXTS = ["", "a", "b", "ab", "ba", "aab", "abc", "a b", ".", "-", "aaaa", "é", "A", "1", "cab.", "a.b", "b{2"]


def expression(random, depth=0):
    parts = []
    for _ in range(random.randint(0, 3)):
        atom = random.choice(ATOMS)
        if depth < 2 and random.random() < 0.3:
            atom = f"({random.choice(['', '?:'])}{expression(random, depth + 1)}|{expression(random, depth + 1)})"
        parts.append(atom + ("" if atom in (r"\b", "^", "$") else random.choice(SUFFIXES)))
    return "".join(parts)


def test_random_expressions_agree_with_python():
    random = Random(1)
    matched = 0
    for _ in range(600):
        source = expression(random)
        regex = Regex(source)
        for text in TEXTS:
            expected = re.fullmatch(source, text) is not None
            assert regex.matches(text) is expected, (source, text)
            matched += expected
    assert matched > 500


@pytest.mark.parametrize(
    ("source", "yes", "no"),
    [
        (".*ing", ["sing", "ing"], ["sings"]),
        (r"un.*\|.*less", ["undo", "useless"], ["do"]),
        (r"\(ab\)+", ["ab", "abab"], ["", "aba"]),
        ("(ab)", ["(ab)"], ["ab"]),
        ("a|b", ["a|b"], ["a", "b"]),
        ("a{2}", ["a{2}"], ["aa"]),
        (r".*\baux\b.*", ["les aux", "aux amis"], ["faux"]),
        ("[]a]+", ["]a"], ["b"]),
        (r"\.", ["."], ["a"]),
    ],
)
def test_the_basic_notation(source, yes, no):
    regex = Regex(source, basic=True)
    assert [text for text in [*yes, *no] if regex.matches(text)] == yes


def test_ignoring_case():
    regex = Regex("straße|É[a-c]", ignore_case=True)
    assert [text for text in ("STRAßE", "Straße", "éB", "Éd") if regex.matches(text)] == ["STRAßE", "Straße", "éB"]
    assert not Regex("a").matches("A")


def test_unicode_categories():
    assert Regex(r"\p{Lu}\p{Ll}+").matches("Ärger")
    assert Regex(r"\pL\PL").matches("x1")
    assert not Regex(r"\p{Lu}").matches("a")


@pytest.mark.parametrize(
    ("source", "position", "problem"),
    [
        ("a(b", 1, "not closed"), ("a)", 1, "closes no group"), ("*a", 0, "nothing to repeat"), ("a**", 2, "repeats"),
        ("[ab", 0, "not closed"), ("a{3,1}", 1, "smaller"), (r"(a)\1", 3, "references"), ("(?=a)", 0, "plain groups"),
        ("a\\", 1, "escapes nothing"), (r"\q", 0, "not supported"), ("[b-a]", 1, "is empty"), ("a{5000}", 0, "1000"),
        (r"\p{xx}", 0, "category"),
    ],
)
def test_errors_have_positions(source, position, problem):
    with pytest.raises(RegexSyntaxError, match=problem) as caught:
        Regex(source)
    assert caught.value.position == position


@pytest.mark.parametrize("source", ["(a{100}){100}", "((a{30}){30}){30}", "a{1,900}b{1,900}"])
def test_expressions_with_too_many_states_are_refused(source):
    with pytest.raises(ValueError, match="more than 1000 states"):
        Regex(source)


def test_deep_nesting_is_refused():
    with pytest.raises(RegexSyntaxError, match="nested"):
        Regex("(" * 10_000 + "a" + ")" * 10_000)


@pytest.mark.parametrize("source", ["(a+)+b", "(a|a)*b", "(a*)*b", "(.*a){12}b"])
def test_hostile_expressions_need_linear_time(source):
    regex, calls = Regex(source), []
    assert not regex.matches("a" * 5_000, lambda: calls.append(1))
    assert len(calls) < 10, "the automaton has few transitions, each of which is made once"


def test_the_watch_can_stop_the_work():
    def stop():
        raise TimeoutError

    with pytest.raises(TimeoutError):
        Regex("(.*a.{200})").matches("ab" * 5_000, stop)


def test_operators_that_are_plain_characters():
    assert plain_operators("a|b(c)") == {"|", "(", ")"}
    assert plain_operators(r"\(a\|b\)[(|]") == set()
