"""Words that are given in Python: forms, forms with tags, and lists of tokens."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from gardenpath.errors import InputError, UsageError
from gardenpath.formats.document import EMPTY, Sentence, Word
from gardenpath.formats.spacing import found_in

TUPLE = ("form", "upos", "xpos")
COLUMNS = ("form", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc")
NO_SPACE = "SpaceAfter=No"


def sentence_of_words(words: Iterable[Any], sent_id: str | None = None, text: str | None = None) -> Sentence:
    """Make a sentence; see `Sentence.from_words`."""
    given = _sequence(words, "`from_words` takes")
    if not given:
        raise UsageError("`from_words` takes at least one word, but the list is empty")
    made = [_word(number, word) for number, word in enumerate(given, 1)]
    comments = [_comment(name, value) for name, value in (("sent_id", sent_id), ("text", text)) if value is not None]
    if text is not None:
        _place(made, text)
    return Sentence(made, comments)


def token_lists(tokens: Iterable[Any], where: str = "`input='tokens'` takes") -> list[list[str]]:
    """Return sentences as lists of tokens, given as one list of tokens or as a list of such lists.

    `where` is the beginning of the message if something else is given.
    """
    given = _sequence(tokens, where)
    if not given:
        raise UsageError(f"{where} at least one token, but the list is empty")
    sentences = [given] if isinstance(given[0], str) else [_sequence(each, where) for each in given]
    for number, sentence in enumerate(sentences, 1):
        if not sentence:
            raise UsageError(f"{where} sentences with at least one token, but sentence {number} is empty")
        for place, form in enumerate(sentence, 1):
            check_form(form, f"token {place} of sentence {number}")
    return [list(map(str, sentence)) for sentence in sentences]      # also strings of NumPy become plain ones


def check_form(form: object, where: str) -> None:
    """Raise `UsageError` if something is not the form of a word."""
    if not isinstance(form, str):
        remedy = "; decode it first" if isinstance(form, bytes) else "; give a string"
        raise UsageError(f"{where} is {form!r}, which is not a string{remedy}")
    if not form.strip() or any(character in form for character in "\t\r\n"):
        rule = "a form must have characters other than white space, and no tabs or line breaks"
        raise UsageError(f"{where} is {form!r}; {rule}")


def _sequence(given: Iterable[Any], where: str) -> list[Any]:
    if isinstance(given, str):
        raise UsageError(f"{where} a list of strings, not a string; split {given[:40]!r} into tokens first")
    if given is None or isinstance(given, (bytes, Mapping)) or not isinstance(given, Iterable):
        raise UsageError(f"{where} a list of strings, not {type(given).__name__}")
    return list(given)


def _word(number: int, given: Any) -> Word:
    where = f"word {number}"
    if isinstance(given, Mapping):
        columns = dict(given)
    elif isinstance(given, tuple):
        if not 1 <= len(given) <= len(TUPLE):
            raise UsageError(f"{where} is {given!r}; give a form, (form, UPOS), (form, UPOS, XPOS), or a mapping")
        columns = dict(zip(TUPLE, given, strict=False))
    else:
        columns = {"form": given}
    unknown = [name for name in columns if name not in COLUMNS]
    if unknown:
        raise UsageError(f"{where} has no column {unknown[0]!r}; the columns are {', '.join(COLUMNS)}")
    check_form(columns.get("form"), where)
    return Word(number, **{name: _column(name, value, where) for name, value in columns.items()})


def _column(name: str, value: Any, where: str) -> Any:
    if name == "head":
        if value is not None and type(value) is not int:
            raise UsageError(f"the head of {where} is {value!r}; give the number of a word, 0 for the root, or None")
        return value
    if value is None or value == "":
        return EMPTY
    if name == "feats" and isinstance(value, Mapping) and not isinstance(value, str):
        return value
    if not isinstance(value, str) or any(character in value for character in "\t\r\n"):
        raise UsageError(f"the column {name} of {where} is {value!r}; give a string without tabs and line breaks")
    return str(value)


def _comment(name: str, value: object) -> str:
    if not isinstance(value, str) or any(character in value for character in "\r\n"):
        raise UsageError(f"{name} is {value!r}; give a string of one line")
    return f"# {name} = {value}"


def _place(words: Sequence[Word], text: str) -> None:
    """Set the offsets of words in a text, and `SpaceAfter=No` where the text has no space."""
    found = found_in(text, [word.form for word in words])
    if found is None:
        raise InputError(f"the text {text[:60]!r} does not consist of the words, in this order; correct one of them")
    for word, (start, end) in zip(words, found, strict=True):
        word.start, word.end = start, end
    for word, (start, _) in zip(words, found[1:], strict=False):
        if word.end == start and NO_SPACE not in word.misc.split("|"):
            word.misc = NO_SPACE if word.misc == EMPTY else f"{word.misc}|{NO_SPACE}"
