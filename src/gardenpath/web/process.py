"""What a request to UDPipe's `/process` asks for, and how it is done."""

from __future__ import annotations

import re
import unicodedata
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import chain, groupby

import gardenpath
from gardenpath.errors import InputError
from gardenpath.formats.conllu import read_conllu
from gardenpath.formats.document import Sentence
from gardenpath.formats.udpipe import INPUTS, OUTPUTS, from_conllu, known_format, longest_sentence, options_of, to_conllu
from gardenpath.web.limits import Limits
from gardenpath.web.served import Served, ServedModels
from gardenpath.web.tasks import SentenceTask, TextTask, check_length, chunks, in_order, named, pieces
from gardenpath.web.work import Workers

Columns = list[tuple[str, str, str, str]]        # LEMMA, UPOS, XPOS and FEATS of the words of a sentence

CONLLU = "conllu"
OFF = "none"
LARGE = 1 << 16          # characters of CoNLL-U; more are read in a thread
SHORT = 5                # sentences; so many are written at once, without a thread
MARKS = 30               # combining characters in a row, as in Stream-Safe Text (Unicode Standard Annex 15); to put many in order takes quadratic time
_MARKS = re.compile(r"[^\w\s\x00-\x7f]+")        # where they are found, among others
_HEADING = re.compile(r"# (generator = gardenpath|gardenpath_model(_licence)? =)")


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked for: this data through some steps of a model, from one format to another."""

    data: str
    served: Served
    input: str               # running `text`, `lines` that are sentences, `conllu`, or another of UDPipe's formats
    output: str              # `conllu`, or another of UDPipe's formats
    tag: bool
    parse: bool
    ranges: bool = False     # do tokens tell their place in the text?

    @property
    def is_text(self) -> bool:
        """Is our tokenizer asked for?"""
        return self.input in ("text", "lines")


@dataclass(slots=True)
class Answer:
    """What comes out, in parts, and how many characters its words have."""

    parts: list[str] = field(default_factory=list)
    characters: int = 0

    @property
    def result(self) -> str:
        """All of it."""
        return "".join(self.parts)


def ask(parameters: Mapping[str, str], models: ServedModels) -> Asked:
    """What the parameters of a request ask for; `InputError` if that cannot be done."""
    if "data" not in parameters:
        raise InputError("The parameter 'data' is required.")
    served = models.find(parameters.get("model"))
    options = options_of(parameters.get("tokenizer", ""))
    asked = Asked(
        data=normalised(parameters["data"]),
        served=served,
        input=("lines" if "presegmented" in options else "text") if "tokenizer" in parameters else _input(parameters.get("input") or CONLLU),
        output=_output(parameters.get("output") or CONLLU),
        tag=parameters.get("tagger", OFF) != OFF,
        parse=parameters.get("parser", OFF) != OFF,
        ranges="ranges" in options,
    )
    if asked.is_text and "tokenizer" not in served.steps:
        raise InputError("The required model does not contain a tokenizer!")
    if asked.tag and "tagger" not in served.steps:
        raise InputError("The required model does not contain a tagger!")
    return asked


def _input(format: str) -> str:
    name = CONLLU if format.partition("=")[0] == CONLLU else known_format(format, INPUTS)
    if name is None:
        raise InputError(f"Unknown input format '{format}'. There are {CONLLU}, {', '.join(INPUTS)}; for plain text, give the parameter 'tokenizer'.")
    return name


def _output(format: str) -> str:
    name = known_format(format, OUTPUTS)
    if name is None:
        raise InputError(f"Unknown output format '{format}'. There are {', '.join(OUTPUTS)}.")
    return name if name == "conllu=v1" or not name.startswith(CONLLU) else CONLLU


def normalised(text: str) -> str:
    """The text in Unicode's form NFC; `InputError` if so many combining characters are in a row that this would take for ever."""
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
            raise InputError(f"{length:,} combining characters in a row, from character {start + 1} on; more than {MARKS} are refused: leave them out.")
        start += length


async def process(asked: Asked, limits: Limits, workers: Workers) -> Answer:
    """Do what is asked for, the work itself in threads, a long text piece by piece."""
    answer = await (_text if asked.is_text else _sentences)(asked, limits, workers)
    if asked.output != CONLLU:
        answer.parts = [await workers.run_alone(from_conllu, answer.result, asked.output)]
    return answer


async def _text(asked: Asked, limits: Limits, workers: Workers) -> Answer:
    pipeline = asked.served.model.pipeline()
    task = TextTask(asked.served, asked.input, asked.tag, asked.parse, limits.words)
    answer = Answer()
    number = 1
    async for draft in in_order(workers, task, pieces(asked.data.encode(), by_line=asked.input == "lines")):
        if number == 1 and len(draft):
            answer.parts += [f"{comment}\n" for comment in _heading(asked.served)]
        answer.parts.append(pipeline.conllu(draft, number, number == 1, asked.ranges).decode())
        answer.characters += sum(map(len, chain.from_iterable(draft.forms)))
        number += len(draft)
    return answer


async def _sentences(asked: Asked, limits: Limits, workers: Workers) -> Answer:
    conllu = asked.data if asked.input == CONLLU else await workers.run_alone(_converted, asked, limits)
    task = SentenceTask(asked.served, asked.tag, asked.parse, limits.words)
    answer = Answer()
    given: deque[Columns] = deque()
    read: Iterable[Sentence] = _read(conllu, asked.input, given)
    if len(conllu) > LARGE:
        read = await workers.run_alone(list, read)
    write = partial(_write, asked, answer, given)
    async for sentences in in_order(workers, task, chunks(read)):
        if len(sentences) > SHORT:
            await workers.run_alone(write, sentences)
        else:
            write(sentences)
    return answer


def _converted(asked: Asked, limits: Limits) -> str:
    """The data in CoNLL-U."""
    check_length(longest_sentence(asked.data, asked.input), limits.words)
    return to_conllu(asked.data, asked.input)


def _write(asked: Asked, answer: Answer, given: deque[Columns], sentences: list[Sentence]) -> None:
    """Add sentences to the answer."""
    for sentence in sentences:
        columns = given.popleft()
        if not asked.tag:
            _give_back(sentence, columns)
        if not answer.parts:
            _set_heading(sentence, asked.served)
        answer.parts.append(sentence.to_conllu())
        answer.characters += sum(len(word.form) for word in sentence)


def _read(conllu: str, format: str, given: deque[Columns]) -> Iterator[Sentence]:
    """The sentences, read one by one, and beside them the columns that a tagger fills in, as they are given."""
    try:
        for sentence in read_conllu(named(_closed(conllu).encode(), "data")):
            given.append([(word.lemma, word.upos, word.xpos, word.feats) for word in sentence])
            yield sentence
    except InputError as error:
        raise InputError(f"Cannot parse the input in '{format}' format. {error}") from None


def _closed(conllu: str) -> str:
    """With a blank line at the end, as CoNLL-U wants it; shells like to take it away."""
    if conllu.endswith(("\n\n", "\r\n\r\n")):
        return conllu
    newline = "\r\n" if "\r\n" in conllu else "\n"
    return conllu + (newline if conllu.endswith(newline) else 2 * newline)


def _give_back(sentence: Sentence, given: Columns) -> None:
    """Put back the tags and lemmas that were given: others were for the parser only."""
    for word, columns in zip(sentence, given, strict=True):
        word.lemma, word.upos, word.xpos, word.feats = columns


def _heading(served: Served) -> list[str]:
    """The comments that say where a result comes from."""
    licence = served.model.description["licence"]
    comments = [f"# generator = gardenpath {gardenpath.__version__}", f"# gardenpath_model = {served.name}"]
    return [*comments, f"# gardenpath_model_licence = {licence}"] if licence else comments


def _set_heading(sentence: Sentence, served: Served) -> None:
    """Begin a sentence with the heading, in place of one that it may have from an earlier step."""
    sentence.comments = [*_heading(served), *(comment for comment in sentence.comments if not _HEADING.match(comment))]
