"""UDPipe's formats, as ufal.udpipe reads and writes them."""

import io

import pytest
import ufal.udpipe
from hypothesis import given
from hypothesis import strategies as st

import gardenpath as gp
from gardenpath.formats.udpipe import (
    INPUTS,
    OUTPUTS,
    from_conllu,
    known_format,
    longest_sentence,
    options_of,
    to_conllu,
)
from sample import TEST

CONLLU = """\
# newdoc
# newpar
# sent_id = 1
# text = don't New York.
1-2\tdon't\t_\t_\t_\t_\t_\t_\t_\t_
1\tdo\tdo\tAUX\tVB\tMood=Imp\t3\taux\t_\t_
2\tn't\tnot\tPART\tRB\t_\t3\tadvmod\t_\t_
3\tNew York\tNew York\tPROPN\tNNP\t_\t0\troot\t_\tSpaceAfter=No
3.1\tx\tx\t_\t_\t_\t_\t_\t3:dep\t_
4\t.\t.\tPUNCT\t.\t_\t3\tpunct\t_\t_

"""
WRITTEN = {
    "horizontal": "do n't New\N{NO-BREAK SPACE}York .\n",
    "horizontal=paragraphs": "do n't New\N{NO-BREAK SPACE}York .\n",
    "vertical": "do\nn't\nNew York\n.\n\n",
    "plaintext=normalized_spaces": "don't New York.\n",
    "conllu=v2": CONLLU,
    "conllu=v1": CONLLU.replace("New York\tNew York", "New_York\tNew_York").replace(
        "3.1\tx\tx\t_\t_\t_\t_\t_\t3:dep\t_\n", "",
    ),
}
ANYTHING = st.text(
    st.one_of(st.characters(codec="utf-8"), st.sampled_from("\0\r\n\t _-\N{NO-BREAK SPACE}\ufeff.")), max_size=30,
)


@pytest.mark.parametrize("format", WRITTEN)
def test_writing(format):
    assert from_conllu(CONLLU, format) == WRITTEN[format]
    assert from_conllu("\ufeff" + CONLLU.replace("\n", "\r\n"), format) == WRITTEN[format]


def test_trees_are_written():
    node = '<NODE ord="3" alloc="0" form="New York" lem="New York" mi="" si="root">\n  <NODE ord="1"'
    assert node in from_conllu(CONLLU, "matxin")
    assert '"edges":[{"label":"aux", "target":1}, {"label":"advmod", "target":2}' in from_conllu(CONLLU, "epe")


@pytest.mark.parametrize("format", OUTPUTS)
def test_no_sentences_are_written(format):
    assert from_conllu("", format) == ("</corpus>\n" if format == "matxin" else ""), "the output of UDPipe"


@pytest.mark.parametrize(
    "format, text",
    [
        ("horizontal", "a b\nc\N{NO-BREAK SPACE}d e\n\nf"), ("vertical", "a\nb\n\nc d\ne\n\n\nf\n"),
        ("generic_tokenizer=presegmented", "a b\nc d e\n\nf"),
    ],
)
def test_reading(format, text):
    sentences = read(text, format)
    assert [len(sentence) for sentence in sentences] == [2, 3 if "generic" in format else 2, 1]
    assert [sentence.comments[:2] for sentence in sentences] == [
        ["# newdoc", "# newpar"], sentences[1].comments[:2], ["# newpar", "# sent_id = 3"],
    ]
    assert "generic" in format or sentences[1].words[0].form == "c d"


def test_ranges_of_the_generic_tokenizer():
    [sentence] = read("Hello, Zoë!", "generic_tokenizer=ranges")
    assert [word.misc.split("TokenRange=")[1] for word in sentence] == ["0:5", "5:6", "7:10", "10:11"]


def test_a_nul_does_not_end_the_text():
    assert [word.form for sentence in read("a\0b c\nd", "horizontal") for word in sentence] == ["a\ufffdb", "c", "d"]


def test_a_tree_that_cannot_be_written_raises_an_error():
    with pytest.raises(gp.InputError, match=r"Cannot write the output in 'matxin' format\. .*too large head: '7'"):
        from_conllu("1\ta\t_\t_\t_\t_\t7\tx\t_\t_\n\n", "matxin")


def test_formats_are_those_of_the_library():
    """Compare `INPUTS` and `OUTPUTS` with the formats of the library."""
    names = {
        "conllu", "epe", "generic_tokenizer", "horizontal", "matxin", "plaintext", "tokenizer", "vertical", "text",
        "json",
    }
    assert {name for name in names if ufal.udpipe.InputFormat.newInputFormat(name)} == {"conllu", *INPUTS}
    assert {name for name in names if ufal.udpipe.OutputFormat.newOutputFormat(name)} == {*OUTPUTS}


@pytest.mark.parametrize(
    "given, known",
    [
        ("horizontal", "horizontal"), ("horizontal=", "horizontal"), ("horizontal=paragraphs", "horizontal=paragraphs"),
        ("horizontal=x; paragraphs =1;", "horizontal=paragraphs"),
        ("horizontal=paragraphs=file:/dev/zero", "horizontal=paragraphs"),
        ("horizontal=x=file:/etc/passwd", "horizontal"), ("matxin=paragraphs", "matxin"),
        ("conllu=v2;v1", "conllu=v1;v2"),
        ("", None), ("Horizontal", None), (" horizontal", None), ("=horizontal", None), ("horizontal;paragraphs", None),
    ],
)
def test_only_known_options_are_passed_to_the_library(given, known):
    """The library would read the file after `file:`."""
    assert known_format(given, OUTPUTS) == known


def test_options():
    assert options_of("ranges; presegmented=1;;allow_spaces=0") == {"ranges", "presegmented", "", "allow_spaces"}


@given(ANYTHING, st.sampled_from(["generic_tokenizer=ranges", *INPUTS]))
def test_random_input_is_read_or_raises_an_input_error(text, format):
    try:
        sentences = read(text, format)
    except gp.InputError:
        return
    assert all(word.form for sentence in sentences for word in sentence)


@given(st.text("ab \t\r\n\x0b\N{NO-BREAK SPACE}", max_size=30), st.sampled_from(["horizontal", "vertical"]))
def test_the_longest_sentence_is_known_before_it_is_read(text, format):
    words = max(sentence.count("\t_" * 8) for sentence in to_conllu(text, format).split("\n\n"))
    if "\r" in text.replace("\r\n", ""):
        assert longest_sentence(text, format) >= words, "a lone CR may be counted as a line end"
    else:
        assert longest_sentence(text, format) == words


@pytest.mark.parametrize("characters", [".", "a-", "1,", "http://a."])
def test_long_runs_for_the_generic_tokenizer_raise_an_error(characters):
    text = f"Zoë {characters * 1_000_000}"
    message = r"'generic_tokenizer' format\. It has [\d,]+ characters without a space, from character 5 on"
    with pytest.raises(gp.InputError, match=message):
        to_conllu(text, "generic_tokenizer")
    assert longest_sentence(text, "generic_tokenizer") == 0
    assert to_conllu(f"Zoë {text[4:204]} 中{'文' * 1000}", "generic_tokenizer")


@pytest.mark.parametrize("format", OUTPUTS)
def test_the_sample_in_every_format(format):
    text = TEST.read_text(encoding="utf-8")
    written = from_conllu(text, format)
    assert written == text if format == "conllu" else len(written) > len(text) // 20


def read(text, format):
    """Convert a text to CoNLL-U and read its sentences."""
    return list(gp.read_conllu(io.BytesIO(to_conllu(text, format).encode())))


@pytest.mark.parametrize("format", OUTPUTS)
@pytest.mark.parametrize("place", ["comment", "form", "before"])
def test_a_lone_carriage_return_is_refused(format, place):
    """UDPipe's reader would never return, with the GIL held."""
    word = "1\ta\rb\t" if place == "form" else "1\ta\t"
    text = {"comment": "# \rx\n", "before": "\r\n\r"}.get(place, "") + word + "_\t" * 7 + "_\n\n"
    with pytest.raises(gp.InputError, match=r"Line \d has a carriage return \(CR\)"):
        from_conllu(text, format)


@pytest.mark.parametrize("heads, fault", [
    ([2, 1], "words 1 and 2 form a cycle"), ([0, None], "word 2 has no head"),
    ([0, *range(1, 80_000)], "the tree has 80,000 levels; the limit is 1,000"),
])
def test_matxin_needs_trees(heads, fault):
    words = [gp.Word(i, "a", head=head) for i, head in enumerate(heads, 1)]
    with pytest.raises(gp.InputError, match=fault):
        from_conllu(gp.Sentence(words).to_conllu(), "matxin")


def test_matxin_allows_several_roots_and_deep_trees():
    heads = [0, *range(1, 1_000), 0]
    words = [gp.Word(i, "a", head=head) for i, head in enumerate(heads, 1)]
    assert from_conllu(gp.Sentence(words).to_conllu(), "matxin").count("<NODE") == len(heads)
