"""The spaces of treebanks that do not record them.

In some treebanks no token has `SpaceAfter=No`, as if there were a space before every full stop. A tokenizer that is
trained on such a treebank does not separate punctuation from words in ordinary text. It therefore learns from the
treebank and from a copy of it: with the spaces of `# text` if these differ, otherwise with the usual ones.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Sequence
from itertools import pairwise
from unicodedata import category

from gardenpath.errors import GardenpathWarning
from gardenpath.formats.document import EMPTY, Sentence, Token, Word
from gardenpath.formats.spacing import found_in, is_glued

NO_SPACE = "SpaceAfter=No"
# Signs that do not follow words without a space, or whose spaces are not known.
OTHER_SIGNS = frozenset("#&'*/@\\§¶†‡•·※")
OPENING, CLOSING = frozenset("¿¡`"), frozenset("%‰")
APOSTROPHES = "'’"
# Chinese characters, Japanese syllables, Thai, Lao, Tibetan, Burmese, Khmer.
_WITHOUT_SPACES = re.compile("[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff\u0e00-\u109f\u1780-\u17ff]")
_SPACES_AT_ENDS = re.compile("[\u0e00-\u109f\u1780-\u17ff]")        # those with spaces between sentences


def with_usual_spaces(sentences: Sequence[Sentence]) -> Sequence[Sentence]:
    """Return the sentences; if they record no spaces, followed by a copy that has the usual ones, and warn."""
    if any(is_glued(token) for sentence in sentences for token in sentence.tokens):
        return sentences
    glued = [_glued_in_text(sentence) for sentence in sentences]
    if not any(map(any, glued)):
        guess = _guess_between_characters if _is_without_spaces(sentences) else glued_usually
        glued = [guess([token.form for token in sentence.tokens]) for sentence in sentences]
    if not any(map(any, glued)):
        return sentences
    warnings.warn(
        f"no token of the treebank has {NO_SPACE}; the tokenizer also learns from a copy with the usual spaces",
        GardenpathWarning, stacklevel=2,
    )
    return [*sentences, *map(_copy, sentences, glued)]


def glued_usually(forms: Sequence[str]) -> list[bool]:
    """Return for each token whether usually no space follows it, as before a comma and after an opening bracket."""
    glued = [False] * (len(forms) + 1)          # the last element is for a sign before the first token
    is_quoted = is_quoted_low = False
    for i, form in enumerate(forms):
        if form == '"':
            glued[i - 1 if is_quoted else i] = True
            is_quoted = not is_quoted
        elif form == "“" and is_quoted_low:     # „German“
            glued[i - 1] = True
            is_quoted_low = False
        elif _is_opening(form) or (len(form) > 1 and form[0].isalpha() and form[-1] in APOSTROPHES):
            glued[i] = True
            is_quoted_low |= form == "„"
        elif _is_closing(form) or (form[0] in APOSTROPHES and form[1:2].isalpha()):
            glued[i - 1] = True
    return [*glued[: len(forms) - 1], False]


def _is_opening(form: str) -> bool:
    return all(sign in OPENING or category(sign) in ("Ps", "Pi") for sign in form)


def _is_closing(form: str) -> bool:
    if form == "''":
        return True
    return all(sign in CLOSING or (category(sign) in ("Pe", "Pf", "Po") and sign not in OTHER_SIGNS) for sign in form)


def _is_without_spaces(sentences: Sequence[Sentence]) -> bool:
    """Return whether most words are in scripts that are written without spaces between words."""
    words = [word.form for sentence in sentences for word in sentence if word.form[0].isalpha()]
    return sum(_WITHOUT_SPACES.match(word) is not None for word in words) > len(words) / 2


def _guess_between_characters(forms: Sequence[str]) -> list[bool]:
    """Do the same for text without spaces: only words in other scripts have a space between them."""
    neighbours = zip(forms, [*forms[1:], ""], strict=True)
    glued = [not (_is_foreign(form[-1:]) and _is_foreign(after[:1])) for form, after in neighbours]
    if forms and any(map(_SPACES_AT_ENDS.search, forms)):
        glued[-1] = False
    return glued


def _is_foreign(sign: str) -> bool:
    return sign.isalnum() and not _WITHOUT_SPACES.match(sign)


def _glued_in_text(sentence: Sentence) -> list[bool]:
    """Return for each token whether the next one follows it without a space in `# text`."""
    offsets = found_in(sentence.comment("text") or "", [token.form for token in sentence.tokens])
    if offsets is None:
        return [False] * len(sentence.tokens)
    return [end == start for (_, end), (start, _) in pairwise(offsets)] + [False]


def _copy(sentence: Sentence, glued: Sequence[bool]) -> Sentence:
    """Return the forms of a sentence with other spaces."""
    words = [Word(word.id, word.form) for word in sentence]
    ranges = []
    for token, is_last in zip(sentence.tokens, glued, strict=True):
        misc = NO_SPACE if is_last else EMPTY
        if isinstance(token, Token):
            ranges.append(Token(token.first, token.last, token.form, (*token.rest[:-1], misc)))
        else:
            words[token.id - 1].misc = misc
    comments = [line for line in sentence.comments if not re.match(r"#\s*text\s*=", line)]
    return Sentence(words, comments, ranges)
