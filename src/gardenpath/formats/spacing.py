"""The text of sentences, from the comment `# text` or from forms and `SpaceAfter=No`, and the place of tokens in it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from gardenpath.formats.document import Sentence
    from gardenpath.formats.nodes import Token, Word

PARAGRAPH_BREAK = "\n\n"
Offsets = tuple[int, int]


class Covered(NamedTuple):
    """The text of some words, and their offsets in the text of the sentence, if they are known."""

    text: str
    offsets: Offsets | None


def is_glued(token: Token | Word) -> bool:
    """Return whether no space follows the token."""
    return "SpaceAfter=No" in token.misc.split("|")


def joined(tokens: Iterable[Token | Word]) -> str:
    """Return the forms of tokens with the spaces between them."""
    return "".join(token.form + ("" if is_glued(token) else " ") for token in tokens).strip()


def opens_document(sentence: Sentence) -> bool:
    """Return whether the sentence has a comment `# newdoc`."""
    return _has_comment(sentence, "newdoc")


def paragraphs(sentences: Iterable[Sentence]) -> list[list[Sentence]]:
    """Group sentences into paragraphs. The first sentence, `# newdoc` and `# newpar` begin a paragraph."""
    found: list[list[Sentence]] = []
    for sentence in sentences:
        if not found or _has_comment(sentence, "newpar", "newdoc"):
            found.append([])
        found[-1].append(sentence)
    return found


def text_of_paragraphs(parts: Iterable[list[Sentence]]) -> str:
    """Return the raw text of paragraphs. `SpaceAfter=No` suppresses the space after a token or a sentence."""
    return PARAGRAPH_BREAK.join(map(_paragraph_text, parts))


def raw_text(sentences: Iterable[Sentence]) -> str:
    """Return the raw text of sentences. A blank line separates paragraphs."""
    return text_of_paragraphs(paragraphs(sentences))


def sentence_text(sentence: Sentence) -> str:
    """Return the comment `# text` of a sentence, or its joined forms if the comment is missing or differs from them."""
    text, spelled = sentence.comment("text"), joined(sentence.tokens)
    return text if text is not None and text.split() == spelled.split() else spelled


def placed(sentence: Sentence) -> tuple[str, list[Offsets]]:
    """Return the text of a sentence, and the offsets of each token in it.

    The text is the comment `# text` if it consists of the tokens, otherwise their joined forms.
    """
    tokens, text = sentence.tokens, sentence.comment("text") or ""
    offsets = found_in(text, [token.form for token in tokens])
    return (text, offsets) if offsets is not None else _made(tokens)


def found_in(text: str, forms: Iterable[str]) -> list[Offsets] | None:
    """Return the offsets of the forms, or None if the text is not these forms with white space between them."""
    end, found = 0, []
    for form in forms:
        start = end
        while start < len(text) and text[start].isspace():
            start += 1
        end = start + len(form)
        if text[start:end] != form:
            return None
        found.append((start, end))
    return None if text[end:].strip() else found


def covered(sentence: Sentence, words: Sequence[Word]) -> Covered:
    """Return the text of words of a sentence, from the first to the last, and their place in the text of the sentence.

    Where only some words of a multi-word token are among them, their forms take its place in the text.
    """
    text, offsets = placed(sentence)
    parts: list[str] = []
    first, last, start, end = words[0].id, words[-1].id, 0, 0
    for token, place in zip(sentence.tokens, offsets, strict=True):
        if token.word_ids[-1] < first or token.word_ids[0] > last:
            continue
        parts.append(text[end : place[0]] if parts else "")
        is_whole = first <= token.word_ids[0] and token.word_ids[-1] <= last
        parts.append(text[slice(*place)] if is_whole else _inside(sentence, token, first, last))
        start, end = (place[0] if len(parts) == 2 else start), place[1]
    return Covered("".join(parts), (start, end) if text == sentence.text else None)


def _inside(sentence: Sentence, token: Token | Word, first: int, last: int) -> str:
    """Return the forms of those words of a token whose ids are between `first` and `last`."""
    forms = {number: sentence.word(number).form for number in token.word_ids}
    gap = "" if "".join(forms.values()) == token.form else " "
    return gap.join(form for number, form in forms.items() if first <= number <= last)


def _has_comment(sentence: Sentence, *names: str) -> bool:
    return any(line[1:].partition("=")[0].split()[:1] in [[name] for name in names] for line in sentence.comments)


def _paragraph_text(paragraph: list[Sentence]) -> str:
    ends = ["" if sentence.tokens and is_glued(sentence.tokens[-1]) else " " for sentence in paragraph]
    return "".join(sentence_text(each) + end for each, end in zip(paragraph, ends, strict=True)).rstrip(" ")


def _made(tokens: Iterable[Token | Word]) -> tuple[str, list[Offsets]]:
    """Build a text from tokens, and return it with their offsets."""
    text, offsets = "", []
    for token in tokens:
        offsets.append((len(text), len(text) + len(token.form)))
        text += token.form + ("" if is_glued(token) else " ")
    return text.removesuffix(" "), offsets
