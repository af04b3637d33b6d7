"""Convert sentences to and from `TokenList` of the library `conllu`.

Fields have the values that the library itself reads: `feats` and `misc` are dictionaries, `deps` is a list of pairs. If
such a value would lose information (`Gloss=a=b`, or the same key twice), the field is the original string. The library
drops comments without a value, except `newdoc` and `newpar`. Here they are kept.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

from gardenpath.errors import InputError, UsageError
from gardenpath.formats.conllu import parse_block
from gardenpath.formats.document import EmptyNode, Sentence, Token, Word


def to_tokenlist(sentence: Sentence) -> Any:
    """Convert a sentence to a `TokenList`, including multi-word tokens and empty nodes."""
    if find_spec("conllu") is None:
        raise UsageError("to_tokenlist needs the library conllu; install it: pip install conllu")
    from conllu.models import Metadata, TokenList
    from conllu.parser import DEFAULT_FIELDS

    metadata = Metadata()
    for comment in sentence.comments:
        key, equals, value = comment[1:].partition("=")
        metadata[key.strip()] = value.strip() if equals else None
    return TokenList([_token(node) for node in sentence.nodes()], metadata, default_fields=DEFAULT_FIELDS)


def from_tokenlist(tokens: Any) -> Sentence:
    """Convert a `TokenList` to a sentence. Tokens need the fields `id` and `form`; all other fields are optional."""
    from conllu.parser import DEFAULT_FIELDS
    from conllu.serializer import serialize_field

    metadata = (tokens.metadata or {}).items()
    comments = [f"# {key}".rstrip() if value is None else f"# {key} = {value}" for key, value in metadata]
    lines = ["\t".join(serialize_field(token.get(field)) for field in DEFAULT_FIELDS) for token in tokens]
    sentence = parse_block(["\n".join([*comments, *lines]).encode()], "TokenList as CoNLL-U", 1)
    if len(list(sentence.nodes())) != len(tokens):
        raise InputError("TokenList: a value contains a line break, which CoNLL-U does not allow; remove it")
    sentence.place, sentence.ending = "TokenList", "\n\n"
    return sentence


def _token(node: Word | Token | EmptyNode) -> Any:
    """Convert a node to a token with the fields that the library would read from its line."""
    from conllu.models import Token as LibraryToken
    from conllu.parser import DEFAULT_FIELD_PARSERS, DEFAULT_FIELDS
    from conllu.serializer import serialize_field

    columns = list(node.columns())
    values = {}
    for place, (field, column) in enumerate(zip(DEFAULT_FIELDS, columns, strict=True)):
        value = DEFAULT_FIELD_PARSERS[field](columns, place) if field in DEFAULT_FIELD_PARSERS else column
        values[field] = value if serialize_field(value) == column else column
    return LibraryToken(values)
