"""Rules about comments: sent_id, and the text of a sentence against its tokens."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gardenpath.formats.document import EmptyNode, Sentence, Token, Word
from gardenpath.treebank.rules import Finding, Node

_SENT_ID = re.compile(r"#\s*sent_id\s*=\s*(\S+)")
_TEXT = re.compile(r"#\s*text\s*=\s*(.*)")
_NEW = {
    "newdoc": re.compile(r"#\s*newdoc(\s+\S.*)?"),
    "newpar": re.compile(r"#\s*newpar(\s+\S.*)?"),
}
_LOST = "\ufffd"
_SHOWN = 20


class MetadataRules:
    """The rules about comments. Some of them need the sentences before."""

    def __init__(self) -> None:
        self._places: dict[str, str] = {}         # of sent_ids
        self._is_joined = False                   # the last token of the sentence before has no space after it

    def findings(self, sentence: Sentence) -> Iterator[Finding]:
        """Yield the problems of the next sentence."""
        yield from self._sent_id(sentence)
        yield from self._beginnings(sentence)
        yield from _text(sentence)
        yield from _spaces(sentence)
        yield from _lost_characters(sentence)
        self._is_joined = _has_no_space(sentence.tokens[-1])

    def _sent_id(self, sentence: Sentence) -> Iterator[Finding]:
        found = [match[1] for line in sentence.comments if (match := _SENT_ID.fullmatch(line))]
        if not found and any(re.match(r"# ?sent_id", line) for line in sentence.comments):
            yield Finding("invalid-sent-id", None, "the sent_id is empty or has spaces; write `# sent_id = NAME`")
        elif not found:
            yield Finding("missing-sent-id", None, "no sent_id; add `# sent_id = NAME`")
        elif len(found) > 1:
            yield Finding("multiple-sent-id", None, f"{len(found)} sent_ids; keep one")
        elif found[0].count("/") > 1:
            yield Finding("slash-in-sent-id", None, "the sent_id has several slashes; remove them")
        identity = sentence.sent_id
        if identity is None:
            return
        if identity in self._places:
            problem = f"the sent_id is already used at {self._places[identity]}; give every sentence its own"
            yield Finding("non-unique-sent-id", None, problem)
        self._places.setdefault(identity, sentence.place)

    def _beginnings(self, sentence: Sentence) -> Iterator[Finding]:
        counts = {name: sum(map(bool, map(form.fullmatch, sentence.comments))) for name, form in _NEW.items()}
        for name, count in counts.items():
            if count > 1:
                yield Finding(f"multiple-{name}", None, f"`# {name}` occurs {count} times; keep one")
        if self._is_joined and any(counts.values()):
            problem = "a new document or paragraph, but the sentence before ends with SpaceAfter=No; remove that"
            yield Finding("spaceafter-newdocpar", None, problem)


def _text(sentence: Sentence) -> Iterator[Finding]:
    found = [match[1] for line in sentence.comments if (match := _TEXT.fullmatch(line))]
    if not found:
        yield Finding("missing-text", None, "no text; add `# text = ...`")
    elif len(found) > 1:
        yield Finding("multiple-text", None, f"`# text` occurs {len(found)} times; keep one")
    elif not found[0]:
        yield Finding("empty-text", None, "`# text` is empty; add the text of the sentence")
    else:
        if found[0][-1].isspace():
            yield Finding("text-trailing-whitespace", None, "`# text` ends with a space; remove it")
        yield from _tokens_in(found[0], sentence)


def _tokens_in(text: str, sentence: Sentence) -> Iterator[Finding]:
    """Compare a text with the tokens and their spaces, up to the first token that differs."""
    rest = text
    for token in sentence.tokens:
        if not rest.startswith(token.form):
            problem = f"the text has {rest[:_SHOWN]!r} where the token {token.form!r} is expected"
            yield Finding("text-form-mismatch", token, f"{problem}; correct `# text`, FORM or SpaceAfter")
            return
        rest = rest[len(token.form):]
        if _has_no_space(token):
            continue
        if rest and not rest[0].isspace():
            problem = f"the text has no space after {token.form!r}; add SpaceAfter=No to MISC"
            yield Finding("missing-spaceafter", token, problem)
        rest = rest.lstrip()
    if rest.strip():
        problem = f"`# text` goes on with {rest[:_SHOWN]!r} after the last token; correct it"
        yield Finding("text-extra-chars", None, problem)


def _spaces(sentence: Sentence) -> Iterator[Finding]:
    inside = {number for token in sentence.ranges for number in range(token.first, token.last + 1)}
    for node in sentence.nodes():
        misc = node.columns()[-1]
        if "Space" not in misc:
            continue
        items = misc.split("|")
        if "NoSpaceAfter=Yes" in misc:
            yield Finding("nospaceafter-yes", node, "MISC has NoSpaceAfter=Yes; write SpaceAfter=No")
        if any(item.startswith("SpaceAfter=") and item != "SpaceAfter=No" for item in items):
            yield Finding("spaceafter-value", node, "SpaceAfter has a value other than No; remove it or write No")
        if "SpaceAfter=No" not in misc:
            continue
        if isinstance(node, EmptyNode):
            yield Finding("spaceafter-empty-node", node, "SpaceAfter=No at an empty node; remove it")
        elif isinstance(node, Word) and node.id in inside:
            problem = "SpaceAfter=No at a word of a multi-word token; move it to the line of the token"
            yield Finding("spaceafter-mwt-node", node, problem)


def _lost_characters(sentence: Sentence) -> Iterator[Finding]:
    lines: list[tuple[Node | None, str]] = [(None, comment) for comment in sentence.comments]
    lines += [(node, "\t".join(node.columns())) for node in sentence.nodes()]
    for node, line in lines:
        if _LOST in line:
            problem = "the line has U+FFFD, so a character was lost in a conversion; restore it from the source"
            yield Finding("invalid-utf", node, problem)


def _has_no_space(token: Token | Word) -> bool:
    return "SpaceAfter=No" in token.misc.split("|")
