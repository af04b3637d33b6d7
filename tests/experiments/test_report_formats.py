import csv
import io
import json
import re
from xml.etree import ElementTree

import pytest
import typer
from typer.testing import CliRunner

from experiment_records import make_experiment
from gardenpath import InputError, UsageError
from gardenpath.cli import report
from gardenpath.experiments.engines import RunOutcome
from gardenpath.experiments.experiment import run_experiment
from gardenpath.experiments.plan import Condition, ExperimentPlan, Treebank
from gardenpath.experiments.run import perform
from gardenpath.report import FILES, render, write_report
from gardenpath.report.latex import escape as escape_latex
from gardenpath.report.markdown import escape as escape_markdown
from gardenpath.report.markdown import prose as markdown_prose
from sample import DEV, TEST, TRAIN

ODD = '50% & <b>_x_ #1 "q" | {$y} ~^\\'
QUALITIES = {"plain": 0.8, ODD: 0.86, "third": 0.82}
TREEBANKS = ["one", "two_&", "<three>"]
CLAIMS = [{"first": "plain", "second": ODD, "claim": f"{ODD} is better."}]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return make_experiment(
        tmp_path_factory.mktemp("records"),
        QUALITIES,
        TREEBANKS,
        [1, 2],
        claims=CLAIMS,
        title=f"Title {ODD}",
        notes="Templates are `rich`; 1 < 2.",
        missing={("third", "one", 2)},
    )


@pytest.fixture(scope="module")
def texts(folder):
    return render(folder)


def svgs(page):
    return re.findall(r"<svg .*?</svg>", page, re.DOTALL)


def test_tables_in_markdown_are_well_formed_and_names_are_escaped(texts):
    lines = texts["markdown"].splitlines()
    assert lines[0].startswith("# Title 50% &amp; &lt;b&gt;\\_x\\_ \\#1")
    starts = [i for i, line in enumerate(lines) if re.fullmatch(r"\|( :?--:? \|)+", line)]
    assert len(starts) > 10
    for start in starts:
        columns = lines[start].count("|")
        table = [lines[start - 1]]
        for line in lines[start + 1:]:
            if not line.startswith("|"):
                break
            table.append(line)
        assert len(table) > 1
        assert {len(re.findall(r"(?<!\\)\|", line)) for line in table} == {columns}
    assert "Templates are `rich`; 1 &lt; 2." in lines
    assert "<b>" not in texts["markdown"]


def test_numbers_are_the_same_in_all_formats(texts):
    numbers = json.loads(texts["json"])
    score = next(each for each in numbers["scores"]["las"] if (each["condition"], each["treebank"]) == ("plain", "one"))
    shown = f"{score['mean']:.2f} ± {score['spread']:.2f}"
    assert shown in texts["markdown"]
    assert shown in texts["html"]
    assert shown.replace("±", "$\\pm$") in texts["latex"]
    rows = list(csv.DictReader(io.StringIO(texts["csv"])))
    assert len(rows) == len(numbers["runs"]) == 3 * 3 * 2 - 1
    assert sum(
        float(row["las"]) for row in rows if (row["condition"], row["treebank"]) == ("plain", "one")
    ) / 2 == pytest.approx(score["mean"])
    assert {row["condition"] for row in rows} == set(QUALITIES)


def test_significance_and_the_best_are_marked(texts):
    numbers = json.loads(texts["json"])
    significant = [each for pairing in numbers["differences"] for each in pairing["treebanks"] if each["holm"] < 0.05]
    assert significant
    table = texts["markdown"].split("**LAS: points ahead of the baseline**")[1].split("<details>")[0]
    assert table.count("†") == len(significant)
    las = texts["markdown"].split("**LAS**")[1].split("**UAS**")[0]
    best = max(each["mean"] for each in numbers["scores"]["las"] if each["treebank"] == "one")
    assert f"**{best:.2f} ±" in las


def test_claims_have_verdicts(texts):
    verdict = json.loads(texts["json"])["claims"][0]["verdict"]
    assert verdict in ("holds", "no difference that these runs could show")
    assert f"is better. | {f'**{verdict}**' if verdict == 'holds' else verdict} |" in texts["markdown"]


@pytest.mark.parametrize("seeds, count", [(5, 0), (6, 2)])
def test_six_seeds_add_a_test_over_seeds_to_both_tables_of_comparisons(seeds, count, tmp_path):
    claims = [{"first": "plain", "second": "better", "claim": ""}]
    made = make_experiment(
        tmp_path, {"plain": 0.8, "better": 0.9}, ["one"], list(range(seeds)), claims=claims
    )
    text = render(made, ["markdown"])["markdown"]
    assert text.count("| Wilcoxon p over seeds |") == text.count("p of Wilcoxon's signed-rank test over seeds") == count
    assert text.count("| 6 | 0.031 |") == count


def test_latex_is_escaped_and_balanced(texts):
    text = "\n".join(line for line in texts["latex"].splitlines() if not line.startswith("%"))
    bare = re.sub(r"\\[\\{}$&#_%]", "", text)
    assert bare.count("{") == bare.count("}")
    assert not re.search(r"[#_~^<>|\"±−†–`]", bare.replace(r"\ifdim\width>\linewidth", ""))
    assert bare.count("$") % 2 == 0
    begun, ended = re.findall(r"\\begin\{(\w+)\}", text), re.findall(r"\\end\{(\w+)\}", text)
    assert sorted(begun) == sorted(ended)
    assert len(re.findall(r"\\label\{tab:[a-z-]+\}", text)) == len(set(re.findall(r"\\label\{tab:[a-z-]+\}", text)))
    for columns, body in re.findall(
        r"\\begin\{tabular\}\{((?:p\{18em\}|[lr])+)\}(.*?)\\end\{tabular\}", text, re.DOTALL
    ):
        width = len(columns.replace("p{18em}", "p"))
        rows = re.findall(r"^(.*) \\\\$", body, re.MULTILINE)
        assert {len(re.findall(r"(?<!\\)&", row)) + 1 for row in rows} == {width}


def test_long_tables_in_latex_may_span_pages(tmp_path):
    many = {f"c{i}": 0.8 for i in range(8)}
    text = render(make_experiment(tmp_path, many, [f"t{i}" for i in range(6)], [1]), ["latex"])["latex"]
    assert r"\begin{longtable}" in text
    assert text.count(r"\begin{longtable}") == text.count(r"\endhead") == text.count(r"\end{longtable}")


def test_the_page_is_self_contained(texts):
    page = texts["html"]
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "")
    assert not re.search(r"<(script|link|img|iframe|object|embed)\b|@import|url\(|\ssrc=", page)
    assert "<b>" not in page
    identifiers = re.findall(r'\bid="([^"]*)"', page)
    assert len(identifiers) == len(set(identifiers))
    assert set(re.findall(r'href="#([^"]*)"', page)) <= set(identifiers)


def test_figures_are_valid_xml_with_descriptions(texts):
    pictures = [ElementTree.fromstring(svg) for svg in svgs(texts["html"])]
    plots = [picture for picture in pictures if picture.get("class") == "plot"]
    assert len(plots) == 4 + 2 + 2 + 1 + 4
    for plot in plots:
        title, description = plot[0], plot[1]
        assert plot.get("role") == "img"
        assert plot.get("aria-labelledby") == f"{title.get('id')} {description.get('id')}"
        assert title.text
        assert "plain" in description.text or "third" in description.text
    assert len(pictures) - len(plots) == len(QUALITIES)


def test_everything_drawn_is_inside_its_figure(texts):
    for svg in svgs(texts["html"]):
        picture = ElementTree.fromstring(svg)
        width, height = float(picture.get("width")), float(picture.get("height"))
        for x, y in re.findall(r"translate\(([-\d.]+) ([-\d.]+)\)", svg):
            assert 0 <= float(x) <= width
            assert 0 <= float(y) <= height
        for element in picture.iter("{http://www.w3.org/2000/svg}text"):
            if element.get("x"):
                assert 0 <= float(element.get("x")) <= width
                assert 0 <= float(element.get("y")) <= height


def test_the_page_reports_missing_runs_and_can_hide_each_condition(texts):
    assert '<p class="notice">This report is not final: 1 of 18 runs is missing' in texts["html"]
    for i in range(len(QUALITIES)):
        assert f'id="show-{i}" checked' in texts["html"]
        assert f"#show-{i}:not(:checked)" in texts["html"]


def test_the_same_records_give_the_same_bytes(folder, texts):
    assert render(folder) == texts


def test_an_experiment_without_runs_has_a_report(tmp_path):
    missing = {(condition, "one", 1) for condition in QUALITIES}
    every = render(make_experiment(tmp_path, QUALITIES, ["one"], [1], missing=missing, claims=CLAIMS))
    assert "3 of 3 runs are missing" in every["markdown"]
    assert "<svg" not in every["html"]
    assert every["csv"].splitlines() == ["condition,treebank,seed"]


def test_one_condition_on_one_treebank_has_a_report(tmp_path):
    every = render(make_experiment(tmp_path, {"plain": 0.8}, ["one"], [1]))
    assert "Differences from the baseline" not in every["markdown"]
    assert [ElementTree.fromstring(svg) for svg in svgs(every["html"])]


def test_real_records_have_a_report(tmp_path):
    treebank = Treebank("sample", TRAIN, DEV, TEST)
    conditions = [
        Condition(name, {"system": name, "tags": "gold", "passes": 1}) for name in ("arc-eager", "arc-eager-nmd")
    ]
    plan = ExperimentPlan("real", "Real", [treebank], conditions, [1, 2], "arc-eager")
    for _ in run_experiment(
        plan,
        tmp_path,
        engine=lambda tasks, workers: (RunOutcome(task, perform(task.run, task.keep_model)) for task in tasks),
    ):
        pass
    text = render(tmp_path / "real", ["markdown"])["markdown"]
    assert re.findall("^## (.*)$", text, re.MULTILINE) == [
        "About this experiment",
        "Scores",
        "Differences from the baseline",
        "Length of arcs and sentences",
        "Projectivity",
        "Speed, time and memory",
        "Learning curves",
        "Repairs",
    ]


def test_escapes():
    assert escape_latex("a_b & 5 % # {x} \\ ~ ^ $ <\">") == (
        r"a\_b \& 5 \% \# \{x\} \textbackslash{} \textasciitilde{} \textasciicircum{} \$ "
        r"\textless{}\char34{}\textgreater{}"
    )
    assert escape_markdown("a|b *c* <d> `e`\nf") == r"a\|b \*c\* &lt;d&gt; \`e\` f"
    assert markdown_prose("see `a|b` and *this*, but 2 * 3") == r"see `a|b` and *this*, but 2 \* 3"


def test_files_are_written_to_the_given_folder(folder, tmp_path):
    paths = write_report(folder, tmp_path / "new", formats=["csv", "markdown", "csv"])
    assert [path.name for path in paths] == ["results.csv", "report.md"]
    assert sorted(path.name for path in (tmp_path / "new").iterdir()) == ["report.md", "results.csv"]
    assert [path.name for path in write_report(folder)] == list(FILES.values())
    assert (folder / "report.html").read_text(encoding="utf-8").endswith("</html>\n")


def test_usage_errors(tmp_path, folder):
    with pytest.raises(InputError, match=r"has no plan\.json"):
        render(tmp_path)
    with pytest.raises(UsageError, match="there is no report format 'pdf'"):
        render(folder, ["pdf"])


def test_the_command(folder, texts, tmp_path):
    app = typer.Typer()
    app.command()(report.command)

    def call(*options):
        return CliRunner().invoke(app, [str(folder), *options], catch_exceptions=False)

    assert call("--output", str(tmp_path), "--format", "latex", "-f", "json").stdout.split() == [
        str(tmp_path / "report.tex"),
        str(tmp_path / "results.json"),
    ]
    assert (tmp_path / "report.tex").read_text(encoding="utf-8") == texts["latex"]
    by_uas = call("--output", str(tmp_path), "--format", "markdown", "--metric", "uas")
    assert by_uas.exit_code == 0
    assert "**UAS: points ahead of the baseline**" in (tmp_path / "report.md").read_text(encoding="utf-8")
    with pytest.raises(UsageError, match="one format"):
        call("--output", "-")


def test_one_format_can_go_to_standard_output(folder, texts, capfd):
    report.command(str(folder), output="-", formats=["markdown"], metric="las")
    assert capfd.readouterr().out == texts["markdown"]
