"""Name the language of a text that does not fit a model."""

from __future__ import annotations

import unicodedata
from collections import Counter
from functools import cache
from pathlib import Path
from typing import NamedTuple

from gardenpath.models import lookup
from gardenpath.models.profile import CHARACTERS, Profile, words_of

TABLE = Path(__file__).with_name("languages.txt")
FEWEST = 3               # a text with fewer words in lower case is judged by its letters alone
ENOUGH = 8               # a shorter text, such as a list of names, must also have words of another language
LETTERS = 10             # a text with fewer letters is not judged
CLEAR = 0.75             # a text with a better fit is never of another language
NAMED = 0.25             # share of the words that must be function words of another language, to tell it by these
HINT = 0.06              # share of the words that must be function words of another language, to name it at all
DISTINCT = 3             # number of different function words for this
HALF = 0.5               # the same share for a text of few words that are all unusual for the model
CLOSE = 0.8              # languages with this share of the best score are named together
WORD_LENGTH = 6          # estimated number of letters per word, for scripts without spaces
_SCRIPTS = {
    "HANGUL": "Korean", "HIRAGANA": "Japanese", "KATAKANA": "Japanese", "CJK": "Chinese", "THAI": "Thai",
    "HEBREW": "Hebrew", "ARMENIAN": "Armenian", "GEORGIAN": "Georgian", "TAMIL": "Tamil", "TELUGU": "Telugu",
    "KANNADA": "Kannada", "MALAYALAM": "Malayalam", "BENGALI": "Bengali", "GUJARATI": "Gujarati", "GURMUKHI": "Punjabi",
    "SINHALA": "Sinhala", "ETHIOPIC": "Amharic", "KHMER": "Khmer", "LAO": "Lao", "MYANMAR": "Burmese",
    "TIBETAN": "Tibetan", "COPTIC": "Coptic", "SYRIAC": "Syriac", "GOTHIC": "Gothic",
}


class Language(NamedTuple):
    """A language of the table: its English name and its function words."""

    name: str
    words: frozenset[str]


class Evidence(NamedTuple):
    """The words of a text that are function words of another language.

    `words` are not frequent in the treebank. `shared` is the number of those that are, such as *a* and *do* in a
    Portuguese text for an English model.
    """

    language: str
    words: list[str]
    shared: int

    @property
    def explained(self) -> int:
        """The number of words of the text that are function words of the language."""
        return len(self.words) + self.shared

    def is_strong(self, profile: Profile, words: list[str]) -> bool:
        """Return whether they tell the language of a text with these words."""
        frequent = sum(word in profile.words for word in words)
        if not frequent and len(words) < ENOUGH and self.explained >= HALF * len(words):
            return True
        return len(set(self.words)) >= DISTINCT and self.explained >= max(NAMED * len(words), frequent + 1)


class Misfit(NamedTuple):
    """A text that does not fit a model, and its likely languages: none, one, or two that are alike."""

    fit: float
    languages: list[str]

    def __str__(self) -> str:
        return self.message(_remedy(self.languages))

    def message(self, remedy: str) -> str:
        """Return a sentence with the likely languages and with what to do about it."""
        if not self.languages:
            return f"the text does not look like the language of this model; {remedy}"
        likely = " or ".join(self.languages)
        return f"the text is probably {likely}, which is not the language of this model; {remedy}"


def misfit(profile: Profile, text: str) -> Misfit | None:
    """Return what is wrong if the beginning of a text is probably not in the language of the profile, else None."""
    if profile.clearly_fits(text):
        return None
    beginning = text[:CHARACTERS]
    words = words_of(beginning, with_capitals=False)
    letters = [letter for word in words for letter in word]
    if len(letters) < LETTERS:
        return None
    size = max(len(words), len(letters) / WORD_LENGTH)
    fit = profile.fit(words)
    is_foreign = sum(letter in profile.alphabet for letter in letters) < len(letters) / 4
    if not is_foreign and (size < FEWEST or fit >= CLEAR):
        return None
    evidence = _evidence(profile, words)
    is_unlike = fit < limit(size) and (size >= ENOUGH or bool(evidence))
    if is_foreign or is_unlike or (evidence and evidence[0].is_strong(profile, words)):
        return Misfit(fit, _by_script(letters) or _names(evidence))
    return None


def limit(words: float) -> float:
    """Return the fit below which a text of this number of words does not fit, whatever its language may be."""
    return max(0.0, 0.6 - 0.95 / float(words) ** 0.5)


def _by_script(letters: list[str]) -> list[str]:
    """Return the language that is usually written in the script of most letters, if there is one."""
    scripts = Counter(unicodedata.name(letter, "").split(" ")[0] for letter in letters)
    kana = scripts["HIRAGANA"] + scripts["KATAKANA"]
    if kana:
        scripts["HIRAGANA"] = kana + scripts.pop("CJK", 0)       # Japanese is written in three scripts
    script, count = scripts.most_common(1)[0]
    return [_SCRIPTS[script]] if script in _SCRIPTS and 2 * count >= len(letters) else []


def _evidence(profile: Profile, words: list[str]) -> list[Evidence]:
    """Return the function words of other languages in a text, the language with most of them first."""
    own = own_language(profile)
    unusual = [word for word in words if word not in profile.words]
    common = [word for word in words if word in profile.words]
    found = (
        Evidence(
            language.name, [word for word in unusual if word in language.words],
            sum(word in language.words for word in common),
        )
        for language in table() if language.name != own
    )
    enough = (each for each in found if len(set(each.words)) > 1 and each.explained >= HINT * len(words))
    return sorted(enough, key=lambda each: -len(each.words))


def _names(evidence: list[Evidence]) -> list[str]:
    """Return the best language, and the second if it is almost as good."""
    return [each.language for each in evidence[:2] if len(each.words) >= CLOSE * len(evidence[0].words)]


def _remedy(languages: list[str]) -> str:
    """Return what to do with a text in one of these languages: use a model that is there, or make one."""
    for language in languages:
        model = lookup.find_any(language)
        if model is not None:
            return f"parse it with the model {model.name}"
    for language in languages:
        if lookup.can_be_made(language):
            return f"`gardenpath models make {language}` makes a model for it"
    return "no treebank for a model of it is known" if languages else "choose a model for its language"


@cache
def table() -> tuple[Language, ...]:
    """Return the languages whose function words are known."""
    lines = TABLE.read_text(encoding="utf-8").splitlines()
    rows = (line.split("\t") for line in lines if not line.startswith("#"))
    return tuple(Language(name, frozenset(words.split())) for _, name, words in rows)


@cache
def own_language(profile: Profile) -> str | None:
    """Return the language of the table whose function words are most frequent in a treebank, if half of them are."""
    shares = {language.name: len(language.words & profile.words) / len(language.words) for language in table()}
    best = max(shares, key=lambda name: shares[name])
    return best if shares[best] >= 0.5 else None
