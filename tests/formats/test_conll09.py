"""CoNLL-2009: columns and errors."""

import io

import pytest

from gardenpath import InputError
from gardenpath.formats.conll09 import read_conll09

TEXT = """\
1\tDogs\tdog\tdogs\tNNS\tNN\tpl\t_\t2\t3\tSBJ\t_\t_\t_\tA0\t_
2\tbark\tbark\tbark\tVBP\tVBP\t_\t_\t0\t0\tROOT\tROOT\tY\tbark.01\t_\tA|B

1\ta\t_\t_\t_\t_\t_\t_\t_\t_\t_\t_\t_\t_

"""


def read(text):
    return list(read_conll09(io.BytesIO(text.encode())))


def test_columns():
    first, second = read(TEXT)
    assert [word.columns() for word in first] == [
        ("1", "Dogs", "dog", "_", "NNS", "pl", "2", "SBJ", "_", "PLEMMA=dogs|PPOS=NN|PHEAD=3|APRED1=A0"),
        (
            "2", "bark", "bark", "_", "VBP", "_", "0", "ROOT", "_",
            r"PLEMMA=bark|PPOS=VBP|PHEAD=0|PDEPREL=ROOT|FILLPRED=Y|PRED=bark.01|APRED2=A\pB",
        ),
    ]
    assert second.words[0].columns() == ("1", "a", *("_",) * 8)


@pytest.mark.parametrize("line, fault", [
    ("1\ta" + 8 * "\t_", "10 columns instead of 14"), ("2\ta" + 12 * "\t_", "id 2 where 1 is expected"),
])
def test_errors_name_the_line(line, fault):
    with pytest.raises(InputError, match=f"<stream>:1: {fault}"):
        read(line)
