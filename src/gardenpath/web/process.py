"""Read and process requests to UDPipe's `/process`."""

from __future__ import annotations

import re
import unicodedata
from collections import deque
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import chain, groupby

from gardenpath import version as package
from gardenpath.errors import InputError
from gardenpath.files import named
from gardenpath.formats.conllu import read_conllu
from gardenpath.formats.document import Sentence
from gardenpath.formats.udpipe import (
    INPUTS,
    OUTPUTS,
    from_conllu,
    known_format,
    longest_sentence,
    options_of,
    to_conllu,
)
from gardenpath.models.profile import CHARACTERS
from gardenpath.parsing.given import HeadPolicy
from gardenpath.web.limits import Limits
from gardenpath.web.served import Served, ServedModels
from gardenpath.web.tasks import SentenceTask, TextTask, check_length, chunks, in_order, pieces
from gardenpath.web.work import Workers

Columns = list[tuple[str, str, str, str]]        # LEMMA, UPOS, XPOS and FEATS of the words of a sentence

CONLLU = "conllu"
OFF = "none"
LARGE = 1 << 16          # characters of CoNLL-U; more are read in a worker thread
LINE = 10                # estimated number of characters of CoNLL-U for one of the text
SHORT = 5                # maximum number of sentences that are written without a worker thread
# Maximum number of combining characters in a row, as in the Stream-Safe Text Format (Unicode Standard Annex 15).
# Sorting them takes quadratic time.
MARKS = 30
_MARKS = re.compile(r"[^\w\s\x00-\x7f]+")        # sequences that may contain combining characters
_HEADING = re.compile(r"# (generator = gardenpath|gardenpath_model(_licence)? =)")


@dataclass(frozen=True, slots=True)
class ProcessRequest:
    """A request: data, a model, the steps to run, and the formats of input and output."""

    data: str
    served: Served
    input: str               # `text`, `lines` (one sentence per line), `conllu`, or another of UDPipe's formats
    output: str              # `conllu`, or another of UDPipe's formats
    tag: bool
    parse: bool
    ranges: bool = False     # whether tokens get their character offsets

    @property
    def is_text(self) -> bool:
        """Whether the input is text for the tokenizer of the model."""
        return self.input in ("text", "lines")

    @property
    def beginning(self) -> str:
        """The beginning of the text, to judge its language: the data, or the forms of the first lines of CoNLL-U."""
        if self.input != CONLLU:
            return self.data[:CHARACTERS]
        lines = (line.split("\t", 2) for line in self.data[: LINE * CHARACTERS].splitlines())
        return " ".join(columns[1] for columns in lines if len(columns) > 2)


@dataclass(slots=True)
class ProcessResult:
    """The output in parts, and the number of characters in its words."""

    parts: list[str] = field(default_factory=list)
    characters: int = 0

    @property
    def text(self) -> str:
        """The whole output."""
        return "".join(self.parts)


def read_request(parameters: Mapping[str, str], models: ServedModels) -> ProcessRequest:
    """Read a request from its parameters. Raise `InputError` if it is invalid."""
    if "data" not in parameters:
        raise InputError("The parameter 'data' is required.")
    served = models.find(parameters.get("model"))
    options = options_of(parameters.get("tokenizer", ""))
    request = ProcessRequest(
        data=normalised(parameters["data"]),
        served=served,
        input=_input(parameters, options),
        output=_output(parameters.get("output") or CONLLU),
        tag=parameters.get("tagger", OFF) != OFF,
        parse=parameters.get("parser", OFF) != OFF,
        ranges="ranges" in options,
    )
    if request.is_text and "tokenizer" not in served.steps:
        raise InputError("The required model does not contain a tokenizer!")
    if request.tag and "tagger" not in served.steps:
        raise InputError("The required model does not contain a tagger!")
    return request


def _input(parameters: Mapping[str, str], options: Container[str]) -> str:
    if "tokenizer" in parameters:
        return "lines" if "presegmented" in options else "text"
    format = parameters.get("input") or CONLLU
    name = CONLLU if format.partition("=")[0] == CONLLU else known_format(format, INPUTS)
    if name is None:
        known = ", ".join((CONLLU, *INPUTS))
        raise InputError(
            f"Unknown input format '{format}'. Choose one of {known}; for plain text, give the parameter 'tokenizer'."
        )
    return name


def _output(format: str) -> str:
    name = known_format(format, OUTPUTS)
    if name is None:
        raise InputError(f"Unknown output format '{format}'. Choose one of {', '.join(OUTPUTS)}.")
    return name if name == "conllu=v1" or not name.startswith(CONLLU) else CONLLU


def normalised(text: str) -> str:
    """Return the text in the Unicode form NFC. Raise `InputError` if it has too many combining characters in a row."""
    if text.isascii():
        return text
    for found in _MARKS.finditer(text):
        if found.end() - found.start() > MARKS:
            _check_marks(found[0], found.start())
    return unicodedata.normalize("NFC", text)


def _check_marks(characters: str, start: int) -> None:
    for combining, group in groupby(map(unicodedata.combining, characters), bool):
        length = sum(1 for _ in group)
        if combining and length > MARKS:
            place = f"{length:,} combining characters in a row, from character {start + 1} on"
            raise InputError(f"The data has {place}; at most {MARKS} are allowed. Remove the others.")
        start += length


async def process(request: ProcessRequest, limits: Limits, workers: Workers) -> ProcessResult:
    """Process a request in worker threads. A long text is processed in pieces."""
    result = await (_text if request.is_text else _sentences)(request, limits, workers)
    if request.output != CONLLU:
        result.parts = [await workers.run_alone(from_conllu, result.text, request.output)]
    return result


async def _text(request: ProcessRequest, limits: Limits, workers: Workers) -> ProcessResult:
    output = request.served.model.pipeline().output(ranges=request.ranges)
    task = TextTask(request.served, request.input, request.tag, request.parse, limits.words)
    result = ProcessResult()
    async for draft in in_order(workers, task, pieces(request.data.encode(), by_line=request.input == "lines")):
        if not result.characters and len(draft):
            result.parts += [f"{comment}\n" for comment in _heading(request.served)]
        result.parts.append(output.conllu(draft).decode())
        result.characters += sum(map(len, chain.from_iterable(draft.forms)))
    return result


async def _sentences(request: ProcessRequest, limits: Limits, workers: Workers) -> ProcessResult:
    conllu = request.data if request.input == CONLLU else await workers.run_alone(_converted, request, limits)
    task = SentenceTask(request.served, request.tag, request.parse, limits.words, HeadPolicy(keep=False))
    result = ProcessResult()
    given: deque[Columns] = deque()
    read: Iterable[Sentence] = _read(conllu, request.input, given)
    if len(conllu) > LARGE:
        read = await workers.run_alone(list, read)
    write = partial(_write, request, result, given)
    async for sentences in in_order(workers, task, chunks(read)):
        if len(sentences) > SHORT:
            await workers.run_alone(write, sentences)
        else:
            write(sentences)
    return result


def _converted(request: ProcessRequest, limits: Limits) -> str:
    """Convert the data to CoNLL-U."""
    check_length(longest_sentence(request.data, request.input), limits.words)
    return to_conllu(request.data, request.input)


def _write(request: ProcessRequest, result: ProcessResult, given: deque[Columns], sentences: list[Sentence]) -> None:
    """Add sentences to the result."""
    for sentence in sentences:
        columns = given.popleft()
        if not request.tag:
            _give_back(sentence, columns)
        if not result.parts:
            _set_heading(sentence, request.served)
        result.parts.append(sentence.to_conllu())
        result.characters += sum(len(word.form) for word in sentence)


def _read(conllu: str, format: str, given: deque[Columns]) -> Iterator[Sentence]:
    """Yield the sentences. Append to `given` the original columns that a tagger would fill in."""
    try:
        for sentence in read_conllu(named(_closed(conllu).encode(), "data")):
            given.append([(word.lemma, word.upos, word.xpos, word.raw_feats) for word in sentence])
            yield sentence
    except InputError as error:
        raise InputError(f"Cannot parse the input in '{format}' format. {error}") from None


def _closed(conllu: str) -> str:
    """Add the blank line that CoNLL-U requires at the end. Shells often remove it."""
    if conllu.endswith(("\n\n", "\r\n\r\n")):
        return conllu
    newline = "\r\n" if "\r\n" in conllu else "\n"
    return conllu + (newline if conllu.endswith(newline) else 2 * newline)


def _give_back(sentence: Sentence, given: Columns) -> None:
    """Restore the original tags and lemmas. Predicted ones were only used for parsing."""
    for word, columns in zip(sentence, given, strict=True):
        word.lemma, word.upos, word.xpos, word.raw_feats = columns


def _heading(served: Served) -> list[str]:
    """Return the comments with the version and the model."""
    licence = " ".join((served.model.about.licence or "").split())
    comments = [f"# generator = gardenpath {package.__version__}", f"# gardenpath_model = {served.name}"]
    return [*comments, f"# gardenpath_model_licence = {licence}"] if licence else comments


def _set_heading(sentence: Sentence, served: Served) -> None:
    """Put the heading at the beginning of a sentence. A heading from an earlier step is replaced."""
    sentence.comments = [*_heading(served), *(comment for comment in sentence.comments if not _HEADING.match(comment))]
