"""CoNLL-U Plus: round trips with other columns, and errors."""

import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import gardenpath as gp
from gardenpath.formats.conllup import TEN, check_columns, conllup_parts, read_conllup
from sample import DEV

CUPT = """\
# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC PARSEME:MWE
# source_sent_id = . . 1
# text = don't take it
1-2\tdon't\t_\t_\t_\t_\t_\t_\t_\t_\t*
1\tdo\tdo\tAUX\t_\t_\t3\taux\t_\t_\t*
2\tn't\tnot\tPART\t_\t_\t3\tadvmod\t_\tX=1\t*
3\ttake\ttake\tVERB\t_\t_\t0\troot\t_\t_\t1:VPC.full;2:LVC.full
3.1\tx\t_\t_\t_\t_\t_\t_\t_\t_\t_
4\tit\tit\tPRON\t_\t_\t3\tobj\t_\tSpaceAfter=No\t1|2\\

1\ta\t_\t_\t_\t_\t_\t_\t_\t_\t_

"""


def read(text, **options):
    return read_conllup(io.BytesIO(text.encode()), **options)


def test_other_columns_are_items_of_misc():
    first, second = read(CUPT)
    assert [word.misc for word in first] == [
        "PARSEME:MWE=*", "X=1|PARSEME:MWE=*", "PARSEME:MWE=1:VPC.full;2:LVC.full", r"SpaceAfter=No|PARSEME:MWE=1\p2\\",
    ]
    assert first.ranges[0].misc == "PARSEME:MWE=*"
    assert first.empty_nodes[0].rest[-1] == second.words[0].misc == "_"
    assert first.comments == ["# source_sent_id = . . 1", "# text = don't take it"]
    assert first.words[2].head == 0


@pytest.mark.parametrize("text", [CUPT, CUPT.replace("\n", "\r\n")], ids=["LF", "CRLF"])
def test_files_round_trip(text):
    found = read(text)
    assert "".join(conllup_parts(found, found.columns)) == text


def test_columns_in_another_order():
    text = "# global.columns = HEAD X:Y FORM ID\n0\t_\ta\t1\n1\tz\tb\t2\n\n"
    found = read(text)
    assert found.columns == ("HEAD", "X:Y", "FORM", "ID")
    (sentence,) = found
    assert [word.columns() for word in sentence] == [
        gp.Word(1, "a", head=0).columns(), gp.Word(2, "b", head=1, misc="X:Y=z").columns(),
    ]
    assert "".join(conllup_parts([sentence], found.columns)) == text


def test_items_without_value_stay_in_misc():
    sentence = gp.Sentence([gp.Word(1, "a", misc="X|Y=1|Z=")])
    assert list(conllup_parts([sentence], ["ID", "X", "Y", "Z", "MISC"]))[1] == "1\t_\t1\t_\tX|Z=\n\n"


def test_files_with_and_without_sentences():
    assert list(read("# global.columns = ID FORM\n")) == []
    assert [len(sentence) for sentence in read("\ufeff# global.columns = ID FORM\n\n1\ta\n\n")] == [1]
    assert [len(sentence) for sentence in read("#global.columns=ID FORM\r\n1\ta\r\n\r\n")] == [1]
    assert list(read("")) == []
    assert list(conllup_parts([])) == [f"# global.columns = {' '.join(TEN)}\n"]


def test_conllu_is_conllu_plus_with_a_header():
    text = DEV.read_text(encoding="utf-8")
    assert "".join(conllup_parts(gp.read_conllu(DEV))) == f"# global.columns = {' '.join(TEN)}\n{text}"
    assert "".join(
        sentence.to_conllu()
        for sentence in gp.read_conllup(io.BytesIO(f"# global.columns = {' '.join(TEN)}\n{text}".encode()))
    ) == text


@given(
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\t\n\r"), min_size=1),
    st.text("ab|=\\p_", min_size=1),
)
def test_random_values_round_trip(form, value):
    text = f"# global.columns = ID FORM A:B\n1\t{form}\t{value}\n\n"
    found = read(text)
    assert "".join(conllup_parts(found, found.columns)) == text


@pytest.mark.parametrize("text, fault", [
    ("1\ta\n", "<stream>:1: CoNLL-U Plus starts with the line `# global.columns = ID FORM ...`; add it"),
    ("# global.columns = FORM\na\n", "<stream>:1: the column names 'FORM' are not valid; ID must be among them"),
    ("# global.columns = ID FORM FORM\n", "the column names 'ID FORM FORM' are not valid"),
    ("# global.columns = ID FORM\n1\ta\tb\n", "<stream>:2: 3 columns instead of 2"),
    ("# global.columns = ID FORM\n# sent_id = 7\n1\ta\n3\tb\n", "<stream>:4: sent_id=7: id 3 where 2 is expected"),
    ("# global.columns = ID MISC A\n1\tA=2\t1\n", "<stream>:2: MISC has an item A, and there is also a column A"),
    ("# global.columns = ID HEAD\n1\tx\n", "<stream>:2: HEAD 'x' is not a word number"),
])
def test_errors_name_the_line(text, fault):
    with pytest.raises(gp.InputError, match=re.escape(fault)):
        list(read(text))


def test_reading_continues_after_an_error():
    found = []
    assert len(list(read("# global.columns = ID FORM\n1\n\n1\ta\n\n", on_error=found.append))) == 1
    assert "<stream>:2: 1 column instead of 2" in str(found[0])


@pytest.mark.parametrize("columns", [["FORM"], ["ID", "ID"], ["ID", "a b"], ["ID", "a=b"], ["ID", ""]])
def test_invalid_columns(columns):
    with pytest.raises(gp.UsageError, match="are not valid; ID must be among them"):
        check_columns(columns)
