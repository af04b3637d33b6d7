"""Sentences as `TokenList` of the library `conllu`, and back.

Fields are as that library reads them, so `feats` and `misc` are dictionaries and `deps` lists of pairs; where it would lose something (`Gloss=a=b`, the same
key twice) they are the string of the file. Comments without a value, which it leaves out but for `newdoc` and `newpar`, are kept.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

from gardenpath.errors import InputError, UsageError
from gardenpath.formats.conllu import parse_block
from gardenpath.formats.document import EmptyNode, Sentence, Token, Word


def to_tokenlist(sentence: Sentence) -> Any:
    """The sentence as a `TokenList`, with multiword tokens and empty nodes."""
    if find_spec("conllu") is None:
        raise UsageError("this needs the library conllu: pip install conllu")
    from conllu.models import Metadata, TokenList
    from conllu.parser import DEFAULT_FIELDS

    metadata = Metadata()
    for comment in sentence.comments:
        key, equals, value = comment[1:].partition("=")
        metadata[key.strip()] = value.strip() if equals else None
    return TokenList([_token(node) for node in sentence.nodes()], metadata, default_fields=DEFAULT_FIELDS)


def from_tokenlist(tokens: Any) -> Sentence:
    """The sentence of a `TokenList`; its tokens may lack any field but `id` and `form`."""
    from conllu.parser import DEFAULT_FIELDS
    from conllu.serializer import serialize_field

    comments = [f"# {key}".rstrip() if value is None else f"# {key} = {value}" for key, value in (tokens.metadata or {}).items()]
    lines = ["\t".join(serialize_field(token.get(field)) for field in DEFAULT_FIELDS) for token in tokens]
    sentence = parse_block(["\n".join([*comments, *lines]).encode()], "TokenList as CoNLL-U", 1)
    if len(list(sentence.nodes())) != len(tokens):
        raise InputError("TokenList: a value has a line break in it; CoNLL-U has no place for such")
    sentence.place, sentence.ending = "TokenList", "\n\n"
    return sentence


def _token(node: Word | Token | EmptyNode) -> Any:
    """A node with the fields that the library reads from its line."""
    from conllu.models import Token as LibraryToken
    from conllu.parser import DEFAULT_FIELD_PARSERS, DEFAULT_FIELDS
    from conllu.serializer import serialize_field

    columns = list(node.columns())
    values = {}
    for place, (field, column) in enumerate(zip(DEFAULT_FIELDS, columns, strict=True)):
        value = DEFAULT_FIELD_PARSERS[field](columns, place) if field in DEFAULT_FIELD_PARSERS else column
        values[field] = value if serialize_field(value) == column else column
    return LibraryToken(values)
