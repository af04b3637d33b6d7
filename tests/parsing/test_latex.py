"""Derivations as LaTeX tables."""

import shutil
import subprocess

import pytest

import gardenpath as gp
from gardenpath.parsing.derivation import Course, derive
from gardenpath.parsing.latex import LONG, to_latex
from sample import TEST

SPECIAL = r"% # $ & _ { } ~ ^ \ < > | [x] `--`"


def table(sentence, **options):
    return to_latex(sentence, derive(sentence, Course(system="arc-eager-nml"), **options).steps)


def rows(latex):
    body = latex.split("\\midrule\n")[1].split("\\bottomrule")[0]
    return [[cell.strip() for cell in line.removesuffix(r"\\").split(" & ")] for line in body.splitlines()]


def short():
    return gp.Sentence([gp.Word(1, "Dogs", head=2, deprel="nsubj"), gp.Word(2, "bark", head=0, deprel="root")])


def test_a_row_for_every_step():
    assert rows(table(short())) == [
        ["1", "", r"Dogs bark \textsc{root}", r"\textsc{shift}", ""],
        ["2", "Dogs", r"bark \textsc{root}", r"\textsc{left-arc} (nsubj)", r"bark $\rightarrow$ Dogs"],
        ["3", "", r"bark \textsc{root}", r"\textsc{shift}", ""],
        ["4", "bark", r"\textsc{root}", r"\textsc{left-arc} (root)", r"\textsc{root} $\rightarrow$ bark"],
        ["5", "", r"\textsc{root}", r"\textsc{shift}", ""],
    ]


def test_costs_where_gold_is_known():
    assert [row[-2:] for row in rows(table(short(), gold=True))] == [["0", "0"]] * 5


def test_long_derivations_go_over_several_pages():
    words = [gp.Word(i, f"w{i}", head=i - 1, deprel="dep") for i in range(1, LONG)]
    latex = table(gp.Sentence(words))
    assert r"\begin{longtable}" in latex
    assert r"\dots" in latex


def test_a_repair_has_a_star():
    sentence = next(sentence for sentence in gp.read_conllu(TEST) if len(sentence) > 4)
    steps = derive(sentence, Course(system="arc-eager-nml"), gold=True).steps
    steps[0].repair = True
    assert rows(to_latex(sentence, steps))[0][3] == r"\textsc{shift}*"


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed")
def test_latex_takes_it_whatever_the_words(tmp_path):
    words = [gp.Word(i, form, head=i - 1, deprel=f"a{form}b") for i, form in enumerate([*SPECIAL.split(), SPECIAL], 1)]
    (tmp_path / "t.tex").write_text(
        "\n".join(
            [
                r"\documentclass{article}\usepackage{booktabs,longtable,textcomp}\begin{document}",
                table(gp.Sentence(words), gold=True),
                r"\end{document}",
            ]
        ),
        encoding="utf-8",
    )
    done = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "t.tex"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-2000:]
