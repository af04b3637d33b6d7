"""The commands from training to evaluation, and their errors: one line and an exit code."""

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import gardenpath as gp
from gardenpath import __main__ as front
from gardenpath.analysis.bounds import measure_bounds
from gardenpath.analysis.repairs import analyse_repairs
from gardenpath.cli.main import COMMANDS, main
from gardenpath.models.settings import Settings
from sample import DEV, TEST, TRAIN, small
from waiting import HANG

BROKEN = Path(__file__).parents[1] / "data" / "broken"
GARDENPATH = [sys.executable, "-m", "gardenpath"]
CONDITIONS = "gold tokens, predicted tags"
posix_only = pytest.mark.skipif(os.name == "nt", reason="Windows has other signals and pipes")


def run(*arguments, code=0, stdin=b"", **environment):
    """Run a command and check its exit code and that it did not crash. Return standard output and standard error."""
    done = subprocess.run(
        [*GARDENPATH, *map(str, arguments)], input=stdin, capture_output=True, check=False, env=os.environ | environment
    )
    errors = done.stderr.decode()
    assert done.returncode == code, errors
    assert "Traceback" not in errors
    return done.stdout.decode(), errors


@pytest.fixture
def inside(monkeypatch, capfd):
    """Run a command in this process, to save time; return exit code, standard output and standard error."""
    def call(*arguments):
        monkeypatch.setattr(sys, "argv", ["gardenpath", *map(str, arguments)])
        with pytest.raises(SystemExit) as stopped:
            main()
        return stopped.value.code or 0, *capfd.readouterr()

    return call


@pytest.fixture
def refused(inside):
    """Run a command that must fail; return its error message."""
    def call(*arguments, code=1):
        found, _, errors = inside(*arguments)
        assert found == code, errors
        assert re.fullmatch(r"gardenpath: [^\n]+\n", errors), errors
        return errors.removeprefix("gardenpath: ").rstrip("\n")

    return call


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    path = tmp_path_factory.mktemp("model") / "sample.gp"
    output, errors = run(
        "train", TRAIN, "--dev", DEV, "-o", path, "--epochs", 3, "--name", "Sample", "--licence", "MIT"
    )
    assert output == ""
    *epochs, last = errors.splitlines()
    conditions = rf"\({CONDITIONS}, punctuation counted, subtypes not compared\)"
    scores = rf"\d+\.\d\d % of decisions right, dev UAS \d+\.\d\d LAS \d+\.\d\d {conditions}, [\d,]+ words/s"
    assert [
        bool(re.fullmatch(rf"epoch {number}: {scores}(, best so far)?", line)) for number, line in enumerate(epochs, 1)
    ] == [True] * 3, errors
    assert last == f"wrote {path}"
    return path


@pytest.fixture
def parsed(model, tmp_path):
    run("parse", "-m", model, TEST, "-o", tmp_path / "parsed.conllu")
    return tmp_path / "parsed.conllu"


def test_train_equals_the_library(model):
    ours = gp.train(TRAIN, dev=DEV, epochs=3, name="Sample", licence="MIT")
    assert gp.load(model).description == ours.description


def test_info(model):
    output, _ = run("info", model)
    rows = dict(re.split(r"\s{2,}", line, maxsplit=1) for line in output.splitlines())
    assert (rows["system"], rows["treebank"], rows["licence"], rows["citation"]) == (
        "arc-eager-unshift", "Sample", "MIT", "not recorded",
    )
    assert rows["trained on"].startswith("400 sentences, 4,473 words")
    assert re.match(rf"UAS \d\d\.\d\d, LAS \d\d\.\d\d \(dev set, {CONDITIONS}", rows["scores"])
    assert json.loads(run("info", model, "--json")[0]) == gp.load(model).description


def test_info_of_a_model_without_scores(tmp_path):
    run("train", small(tmp_path), "-o", tmp_path / "model.gp", "--epochs", 1)
    assert "no dev set was given" in run("info", tmp_path / "model.gp")[0]


def test_parse_equals_the_library(model, parsed):
    expected = "".join(sentence.to_conllu() for sentence in gp.load(model).parse(gp.read_conllu(TEST)))
    assert parsed.read_text(encoding="utf-8") == expected


@pytest.mark.parametrize("arguments", [[], ["-"], ["-o", "-"], ["--threads", 2], ["--input", "conllu", "-"]], ids=str)
def test_parse_from_standard_input_to_standard_output(arguments, model, parsed):
    assert run("parse", "-m", model, *arguments, stdin=TEST.read_bytes())[0].encode() == parsed.read_bytes()


def test_parse_several_files(model, parsed):
    output, _ = run("parse", "-m", model, TEST, "-", TEST, stdin=TEST.read_bytes())
    assert output.encode() == parsed.read_bytes() * 3


def test_parse_conllx(model):
    output, _ = run("parse", "-m", model, "--input", "conllx", stdin=b"1\tGo\tgo\tVERB\tVB\t_\t_\t_\t_\t_\n\n")
    assert output == "1\tGo\tgo\tVERB\tVB\t_\t0\troot\t_\t_\n\n"


def test_line_ends_are_kept(model, parsed):
    source, expected = (content.replace(b"\n", b"\r\n") for content in (TEST.read_bytes(), parsed.read_bytes()))
    done = subprocess.run([*GARDENPATH, "parse", "-m", model], input=source, capture_output=True, check=True)
    assert done.stdout == expected


def test_evaluate(model, parsed):
    output, _ = run("evaluate", TEST, parsed)
    assert float(re.search(r"^LAS +(\d+\.\d\d)", output, re.MULTILINE)[1]) == pytest.approx(
        gp.evaluate(TEST, parsed).las, abs=0.005
    )
    assert "100.00" in run("evaluate", TEST, "-", stdin=TEST.read_bytes())[0]


def test_trace_of_a_model(model):
    output, _ = run("trace", TEST, "-m", model, "--sentence", 2, "--gold")
    assert "SHIFT" in output
    assert re.search(r"LEFT-ARC\(\w+\)", output)
    assert "costs" in output


def test_brackets_in_words_are_printed_literally():
    text = "# text = [/foo] [red]\n1\t[/foo]\t_\tX\t_\t_\t0\troot\t_\t_\n2\t[red]\t_\tX\t_\t_\t1\tdep\t_\t_\n\n"
    output, _ = run("trace", "--system", "arc-eager", stdin=text.encode())
    assert "[/foo] → [red]" in output


def test_trace_of_text():
    done = subprocess.run(
        [*GARDENPATH, "trace", "--sentence", "2"], input=b"It rained. They left.", capture_output=True, check=True
    )
    assert done.stdout.decode().split("\n")[0].strip() == "They left."
    for options in (["--gold"], ["--system", "arc-eager"], ["--what-if", "1=shift", "--then-oracle"], ["--reparse"]):
        done = subprocess.run([*GARDENPATH, "trace", *options], input=b"It rained.", capture_output=True, check=False)
        assert done.returncode == 1
        assert done.stderr == (
            b"gardenpath: <stdin> is not CoNLL-U; oracles, --gold and options for given heads need HEAD; "
            b"give a CoNLL-U file\n"
        )


def test_trace_as_json(model, parsed):
    sentence = list(gp.read_conllu(parsed))[4]
    steps = [
        json.loads(line) for line in run("trace", TEST, "-m", model, "-s", sentence.sent_id, "--json")[0].splitlines()
    ]
    system = gp.systems.get("arc-eager-unshift")
    c = system.initial(len(sentence))
    for step in steps:
        assert (step["stack"], step["buffer"], step["heads"]) == (c.stack, c.buffer, c.heads)
        system.apply(c, step["move"])
    assert c.heads == sentence.heads


def test_trace_keeps_given_heads(inside, model, tmp_path):
    path = tmp_path / "partial.conllu"
    path.write_text(
        "1\tThe\t_\tDET\tDT\t_\t_\t_\t_\t_\n2\tdog\t_\tNOUN\tNN\t_\t_\t_\t_\t_\n"
        "3\tbarked\t_\tVERB\tVBD\t_\t1\t_\t_\t_\n\n", encoding="utf-8",
    )

    def arcs(*options):
        code, output, _ = inside("trace", path, "-m", model, "--json", *options)
        assert code == 0
        return [step["arc"] for step in map(json.loads, output.splitlines()) if step["arc"]]

    assert [1, 3] in arcs()
    assert [1, 3] not in arcs("--reparse")
    code, _, error = inside("trace", path, "--system", "arc-eager", "--keep-heads")
    assert (code, "--drop-conflicts need a model" in error) == (2, True)


def test_trace_with_reasons(model, inside):
    sentence = next(gp.read_conllu(TEST))
    steps = [*gp.load(model).trace(sentence, reasons=True)]
    output = inside("trace", TEST, "-m", model, "--reasons", 2, "--json")[1]
    for line, step in zip(output.splitlines(), steps, strict=True):
        found = json.loads(line)["reasons"]
        assert [each["margin"] for each in found] == [comparison.margin for comparison in step.reasons]
        assert all(len(each["reasons"]) <= 2 for each in found)
    first = next(step.reasons[0] for step in steps if step.reasons)
    best = first.reasons[0]
    table = inside("trace", TEST, "-m", model, "--reasons", 1)[1]
    assert f"not {first.text}: {best.input}={best.value} {best.contribution:+,}" in table


@pytest.mark.parametrize("system", gp.systems.names())
@pytest.mark.parametrize("oracle", ["static", "dynamic"])
def test_trace_of_an_oracle(system, oracle, inside):
    code, output, _ = inside("trace", TEST, "--system", system, "--oracle", oracle, "--gold", "--json")
    assert code == 0
    steps = [json.loads(line) for line in output.splitlines()]
    gold = next(gp.read_conllu(TEST)).heads
    built = dict(reversed(step["arc"]) for step in steps if step["arc"])
    assert [built.get(word, 0) for word in range(1, len(gold) + 1)] == gold
    assert all(step["costs"][step["move"]] == 0 for step in steps)


@pytest.mark.parametrize("system", ["arc-standard", "lr-spine", "attardi"])
def test_costs_are_shown_for_the_valid_transitions_of_the_model(system, inside, tmp_path):
    """Transitions that would lead to several roots have no costs."""
    trained = gp.train(small(tmp_path), system=system, epochs=1)
    trained.save(tmp_path / "model.gp")
    steps = [
        json.loads(line)
        for line in inside("trace", TEST, "-m", tmp_path / "model.gp", "--gold", "--json")[1].splitlines()
    ]
    assert [sorted(step["costs"]) for step in steps] == [
        trained.parser.system.valid(step.configuration) for step in trained.trace(next(gp.read_conllu(TEST)))
    ]


@pytest.mark.parametrize("oracle", ["static", "dynamic"])
def test_attardis_parser_builds_crossing_arcs(oracle, inside):
    """For systems that cannot build crossing arcs, the arcs are lifted."""
    gold = {word.id: word.head for word in list(gp.read_conllu(TEST))[2]}
    built = {}
    for system in ("attardi", "arc-standard"):
        output = inside("trace", TEST, "--sentence", 3, "--system", system, "--oracle", oracle, "--json")[1]
        built[system] = dict(
            reversed(json.loads(line)["arc"]) for line in output.splitlines() if json.loads(line)["arc"]
        )
    assert built["attardi"] == gold != built["arc-standard"]


def test_arcs_are_lifted_and_lowered(inside, refused, tmp_path):
    code, _, errors = inside(
        "train", TRAIN, "-o", tmp_path / "model.gp", "--system", "arc-standard", "--nonprojective", "head", "--epochs",
        3,
    )
    assert code == 0, errors
    expected = "".join(sentence.to_conllu() for sentence in gp.load(tmp_path / "model.gp").parse(gp.read_conllu(TEST)))
    assert not re.search("[↑↓]", expected)
    for threads in (1, 2):
        assert inside("parse", "-m", tmp_path / "model.gp", TEST, "--threads", threads)[1] == expected
    traces = [
        inside("trace", TEST, "-m", tmp_path / "model.gp", "-s", number, "--gold")[1] for number in (3, 7, 12, 36, 49)
    ]
    lowered = re.compile(r"RIGHT-ARC\(\S+↑\S+\)(.|\n)+ LOWER\([^↑↓]+\)[^\n]+\n*$")
    assert any(lowered.search(trace) for trace in traces), traces[0]
    (tmp_path / "marked.conllu").write_text(
        TEST.read_text(encoding="utf-8").replace("\tdet\t", "\tdet↑x\t", 1), encoding="utf-8"
    )
    sentence = refused("train", tmp_path / "marked.conllu", "-o", tmp_path / "x.gp", "--nonprojective", "path")
    assert re.match(r".*marked\.conllu:\d+: sent_id=\S+: word \d+ has DEPREL 'det↑x'", sentence)
    assert "nonprojective must be one of" in refused(
        "train", TRAIN, "-o", tmp_path / "x.gp", "--nonprojective", "tail", code=2
    )


def test_info_names_the_template_set_of_the_system(inside, tmp_path):
    gp.train(small(tmp_path, 5), system="lr-spine", epochs=1).save(tmp_path / "model.gp")
    assert re.search(r"^features +lr-spine: \d+ templates", inside("info", tmp_path / "model.gp")[1], re.MULTILINE)


def table(output):
    """Return title, header and rows of a printed table. Rows are the cells that are not empty, by row name."""
    title, *lines = output.strip("\n").splitlines()
    header, *rows = [re.split(r"\s{2,}", line) for line in lines]
    return title, header, {name: rest for name, *rest in rows}


def test_repairs(inside, tmp_path):
    path = tmp_path / "model.gp"
    gp.train(small(tmp_path), system="covington-nm", epochs=2).save(path)
    result = analyse_repairs(gp.load(path), gp.read_conllu(DEV))
    counts, total = result.counts, result.total
    assert (
        min(
            counts.replacing, counts.gold, counts.harmful, total.true_positive, total.false_positive,
            total.false_negative,
        )
        > 0
    )
    code, output, errors = inside("repairs", DEV, "-m", path)
    conditions, moves, outcomes, labels = output.strip("\n").split("\n\n")
    assert (code, errors, conditions) == (0, "", result.conditions)
    title, header, rows = table(moves)
    assert (title, header) == (f"Transitions of {path}", ["Transitions", "Number", "Per cent", "Meaning"])
    assert {name: cells[:-1] if name != "all" else cells for name, cells in rows.items()} == {
        "all": [f"{counts.moves:,}"],
        "repairs": [f"{counts.repairs:,}"],
        "arcs": [f"{counts.arcs:,}"],
        "replacing": [f"{counts.replacing:,}", f"{counts.replacing_share:.2f}"],
        "gold": [f"{counts.gold:,}", f"{counts.gold_share:.2f}"],
        "harmful": [f"{counts.harmful:,}", f"{counts.harmful_share:.2f}"],
    }
    title, header, rows = table(outcomes)
    assert title == f"Opportunities to repair; oracle: {result.oracle}"
    assert header == [
        "Repair", "True positive", "False positive", "Even", "False negative", "True negative", "Other", "Precision",
        "Recall",
    ]
    assert rows == {
        kind: [*(f"{value:,}" for value in found.to_dict().values()), f"{found.precision:.2f}", f"{found.recall:.2f}"]
        for kind, found in {**result.kinds, "total": total}.items()
    }
    title, header, rows = table(labels)
    assert title == f"Arcs built by repairs; net gain in words with the right head: {result.gain:,}"
    assert header == ["Labels", "Number", "Head right", "Head and label right"]
    assert list(rows.items()) == [
        (
            f"{change.old or '(none)'} → {change.new}",
            [f"{number:,}" for number in (change.count, change.head_right, change.label_right)],
        )
        for change in result.labels[:10]
    ]
    assert len(table(inside("repairs", DEV, "-m", path, "--labels", 3)[1].split("\n\n")[-1])[2]) == 3
    assert json.loads(inside("repairs", DEV, "-m", path, "--json")[1]) == result.to_dict()
    assert json.loads(run("repairs", "-m", path, "--json", stdin=DEV.read_bytes())[0]) == result.to_dict()
    left_out = analyse_repairs(gp.load(path), gp.read_conllu(DEV), punctuation=False).to_dict()
    assert (
        json.loads(inside("repairs", DEV, "-m", path, "--no-punctuation", "--json")[1]) == left_out != result.to_dict()
    )


def test_repairs_of_any_model(model, inside, tmp_path):
    result = analyse_repairs(gp.load(model), gp.read_conllu(TEST))
    assert json.loads(inside("repairs", TEST, "--model", model, "--json")[1]) == result.to_dict()
    gp.train(small(tmp_path), system="arc-standard", epochs=1).save(tmp_path / "model.gp")
    assert inside("repairs", TEST, "-m", tmp_path / "model.gp")[1].count("\n\n") == 1  # conditions and transitions


@pytest.mark.parametrize(
    "options",
    [
        {"-n": 60},
        {"--configurations": 60, "--budget": 0},
        {"-n": 60, "--oracle": "upper", "--seed": 3, "--explore": 0.5, "--features": "fernandez-gomez"},
    ],
    ids=str,
)
def test_bounds(options, inside):
    arguments = ["bounds", TRAIN, *(argument for option in options.items() for argument in option)]
    chosen = {
        name: options[f"--{name}"] for name in ("oracle", "seed", "explore", "features") if f"--{name}" in options
    }
    report = measure_bounds(
        gp.treebank.read_treebank(TRAIN), Settings.of(system="covington-nm", **chosen), 60,
        options.get("--budget", 200_000),
    )
    assert (report.unsettled > 0) is ("--budget" in options)
    assert json.loads(inside(*arguments, "--json")[1]) == report.to_dict()
    code, output, errors = inside(*arguments)
    title, header, rows = table(output)
    assert (code, errors, title) == (0, "", f"60 configurations, {report.unsettled} unsettled")
    assert header == ["Bound", "Average", "Relative difference, per cent", "Below the loss", "Above it"]
    losses = {"loss": [f"{report.average_loss:.5f}"], "loss per word": [f"{report.loss_per_word:.5f}"]}
    assert rows == losses | {
        name: [f"{score.average:.5f}", f"{score.relative:.2f}", str(score.below), str(score.above)]
        for name, score in report.bounds.items()
    }


def test_bounds_from_standard_input():
    output = run("bounds", "-", "-n", 20, "--json", stdin=TRAIN.read_bytes())[0]
    assert (
        json.loads(output)
        == measure_bounds(gp.treebank.read_treebank(TRAIN), Settings.of(system="covington-nm"), 20).to_dict()
    )


def test_systems():
    lines = run("systems")[0].splitlines()
    assert [line.split()[0] for line in lines] == gp.systems.names()
    assert gp.systems.get("arc-eager-nmd").definition in run("systems", "arc-eager-nmd")[0]


def test_greek_letters_are_printed_in_any_locale(model):
    for environment in ({"PYTHONIOENCODING": "ascii"}, {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}):
        assert "σ" in run("systems", "arc-eager", **environment)[0]
        assert "→" in run("trace", TEST, "-m", model, **environment)[0]


def test_check():
    output, _ = run("check", TRAIN)
    assert "0 errors, 0 warnings" in output
    for system in gp.systems.names():
        assert re.search(rf"{system} derives +\d+ of 400 trees", output)
    run("check", BROKEN / "cycle.conllu", code=1)


def test_version_and_help():
    assert run("--version")[0] == f"gardenpath {gp.__version__}\n"
    overview = run("--help")[0]
    assert all(name in overview for name in COMMANDS)
    assert "Usage" in "".join(run(code=2))


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_each_command(command, inside):
    code, output, errors = inside(command, "--help")
    assert (code, errors) == (0, "")
    assert "Usage" in output
    assert inside(command, "-h")[1] == output


def test_the_installed_script():
    script = Path(sys.executable).with_name("gardenpath")
    if not script.exists():
        pytest.skip("gardenpath is not installed as a script beside this Python")
    done = subprocess.run([script, "--version"], capture_output=True, text=True, check=True)
    assert done.stdout == f"gardenpath {gp.__version__}\n"


def test_usage_errors_exit_with_2(refused, inside, model, tmp_path):
    out = tmp_path / "x.gp"
    assert "no system is called 'nonsense'" in refused("systems", "nonsense", code=2)
    assert "no system is called 'nonsense'" in refused("train", TRAIN, "-o", out, "--system", "nonsense", code=2)
    assert "seed must be between 0" in refused("train", TRAIN, "-o", out, "--seed", -1, code=2)
    assert "no template set" in refused("train", TRAIN, "-o", out, "--features", "nonsense", code=2)
    assert "its directory does not exist" in refused("train", TRAIN, "-o", tmp_path / "no" / "x.gp", code=2)
    assert "that is a directory" in refused("train", TRAIN, "-o", tmp_path, code=2)
    assert "unknown input format 'nonsense'" in refused("parse", "-m", model, "--input", "nonsense", code=2)
    assert "has no oracle called 'nonsense'" in refused(
        "trace", TEST, "--system", "arc-eager", "--oracle", "nonsense", code=2
    )
    assert "at least one configuration is needed, and a budget of 0 or more, not 0 and 2000" in refused(
        "bounds", TRAIN, "-n", 0, code=2
    )
    assert "at least one configuration is needed, and a budget of 0 or more, not 5 and -1" in refused(
        "bounds", TRAIN, "-n", 5, "--budget", -1, code=2
    )
    assert "oracle must be one of static, nondet, dynamic, lower, pc-upper," in refused(
        "bounds", TRAIN, "--oracle", "exact", code=2
    )
    assert "explore must be between 0 and 1, not 1.5" in refused("bounds", TRAIN, "--explore", 1.5, code=2)
    assert "no template set" in refused("bounds", TRAIN, "--features", "nonsense", code=2)
    for arguments in (
        ["repairs"], ["repairs", TEST], ["repairs", TEST, "-m", model, "--labels", -1], ["bounds"],
        ["bounds", TRAIN, "-n", "many"], ["bounds", TRAIN, "--system", "covington-nm"],
    ):
        assert inside(*arguments)[0] == 2
    for arguments in (
        ["nonsense"], ["parse", "-m", model, "--nonsense"], ["parse", "-m", model, "-t", 0], ["train"],
        ["train", TRAIN], ["info", "klingon"],
    ):
        assert inside(*arguments)[0] == 2
    assert os.listdir(tmp_path) == []


def test_input_errors_exit_with_1(refused, model, tmp_path):
    missing = tmp_path / "missing"
    for arguments in (
        ["train", missing, "-o", tmp_path / "x.gp"], ["parse", "-m", missing], ["parse", "-m", model, missing],
        ["info", missing], ["evaluate", TEST, missing], ["compare", missing, TEST, TEST],
        ["compare", TEST, TEST, missing], ["trace", missing, "-m", model], ["repairs", missing, "-m", model],
        ["repairs", TEST, "-m", missing], ["bounds", missing],
    ):
        assert refused(*arguments) == f"{missing}: No such file or directory"
    assert "not a usable gardenpath model" in refused("info", TEST)
    assert refused("info", tmp_path).startswith(f"{tmp_path}: this is a folder; ")
    assert refused("parse", "-m", model, TEST, "-o", missing / "x") == f"{missing / 'x'}: No such file or directory"
    assert refused("trace", TEST, "-m", model, "-s", 1000).startswith("the file has no sentence '1000'")
    long = tmp_path / "long.conllu"
    long.write_text("".join(f"{i}\tw\tw\tX\tX\t_\t{i - 1}\tdep\t_\t_\n" for i in range(1, 1002)) + "\n")
    assert refused("trace", long, "-m", model) == (
        f"{long}:1: 1,001 words, but a derivation is shown for at most 1,000; choose another sentence with --sentence"
    )
    long.unlink()
    empty = tmp_path / "empty.conllu"
    empty.touch()
    assert refused("repairs", empty, "-m", model) == f"{empty}: no sentences; give CoNLL-U with at least one sentence"
    assert run("repairs", "-m", model, "--json", code=1) == (
        "",
        "gardenpath: <stdin>: no sentences; give CoNLL-U with at least one sentence\n",
    )
    plain = tmp_path / "plain.gp"
    gp.train(TRAIN, tags="gold", epochs=1).save(plain)
    _, untagged = run("parse", "-m", plain, stdin=b"# sent_id = bare\n1\tGo\tgo\tVERB\t_\t_\t_\t_\t_\t_\n\n", code=1)
    assert re.fullmatch(r"gardenpath: <stdin>:1: sent_id=bare: no word has XPOS[^\n]+\n", untagged)
    templates = tmp_path / "mine.txt"
    templates.write_text("S0w\nS0zz\n")
    assert refused("train", TRAIN, "-o", tmp_path / "x.gp", "--features", templates).startswith(
        f"{templates}:2: 'S0zz' is not a word address"
    )
    assert sorted(os.listdir(tmp_path)) == ["empty.conllu", "mine.txt", "plain.gp"]


@pytest.mark.parametrize("path", sorted(BROKEN.glob("*.conllu")), ids=lambda path: path.stem)
def test_broken_files_give_one_line(path, inside, model, tmp_path):
    """Each command either works or prints one line with the place of the error."""
    codes = {}
    for name, arguments in {
        "train": [path, "-o", tmp_path / "x.gp", "--epochs", 1],
        "parse": ["-m", model, path, "-o", tmp_path / "out"],
        "evaluate": [path, path],
        "compare": [path, path, path, "--rounds", 10],
        "trace": [path, "--system", "arc-eager", "-s", 2],
        "repairs": [path, "-m", model],
        "bounds": [path, "-n", 5, "--budget", 10],
    }.items():
        codes[name], _, errors = inside(name, *arguments)
        assert codes[name] in (0, 1)
        if codes[name]:
            assert re.fullmatch(r"gardenpath: [^\n]+\n", errors), errors
            assert path.name in errors or name == "trace"
    expected = 0 if gp.treebank.check(path).ok or path.stem == "duplicate-sent-id" else 1
    assert codes["train"] == expected
    assert codes["bounds"] == (0 if path.stem == "several-roots" else expected)
    assert (tmp_path / "x.gp").exists() is (codes["train"] == 0)
    assert (tmp_path / "out").exists() is (codes["parse"] == 0)


def test_an_error_in_the_middle_of_the_input_keeps_the_old_output(refused, model, tmp_path):
    source, out = tmp_path / "source.conllu", tmp_path / "out.conllu"
    source.write_bytes(TEST.read_bytes() * 5 + b"1\tbroken\n\n")
    out.write_text("precious\n")
    for threads in (1, 2):
        line = TEST.read_bytes().count(b"\n") * 5 + 1
        assert refused("parse", "-m", model, source, "-o", out, "-t", threads).startswith(
            f"{source}:{line}: 2 columns instead of 10"
        )
        assert out.read_text() == "precious\n"
    assert sorted(os.listdir(tmp_path)) == ["out.conllu", "source.conllu"]


def test_the_output_may_replace_the_input(model, parsed, tmp_path):
    source = tmp_path / "source.conllu"
    source.write_bytes(TEST.read_bytes())
    run("parse", "-m", model, source, "-o", source)
    assert source.read_bytes() == parsed.read_bytes()


@posix_only
def test_a_closed_pipe_gives_no_message(model, tmp_path):
    (tmp_path / "long.conllu").write_bytes(TEST.read_bytes() * 30)
    with subprocess.Popen(
        [*GARDENPATH, "parse", "-m", model, tmp_path / "long.conllu"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0


@posix_only
@pytest.mark.parametrize("command", [("systems",), ("info", "en-fast"), ("check", TEST)], ids=lambda each: each[0])
def test_a_pipe_that_is_closed_before_the_output_is_no_error(command):
    read, write = os.pipe()
    os.close(read)
    result = subprocess.run([*GARDENPATH, *command], stdout=write, stderr=subprocess.PIPE, check=False)
    os.close(write)
    assert (result.returncode, result.stderr) == (0, b"")


def after_interrupt(process):
    """Wait for the end of a process after SIGINT and return its exit code and its messages."""
    _, errors = process.communicate(timeout=HANG)
    assert b"Traceback" not in errors
    return process.returncode, " ".join(errors.decode().split())


@posix_only
def test_ctrl_c_keeps_the_best_model(tmp_path):
    command = [*GARDENPATH, "train", TRAIN, "-o", tmp_path / "model.gp", "--epochs", "100000"]
    with subprocess.Popen(command, stderr=subprocess.PIPE) as process:
        assert process.stderr.readline().startswith(b"epoch 1:")
        process.stderr.readline()
        process.send_signal(signal.SIGINT)
        code, errors = after_interrupt(process)
    assert code == 0
    assert "interrupted;" in errors
    assert "holds the best model so far" in errors
    assert gp.load(tmp_path / "model.gp").description["pass"] >= 1
    assert os.listdir(tmp_path) == ["model.gp"]


@posix_only
def test_ctrl_c_in_the_first_epoch_writes_nothing(tmp_path):
    os.mkfifo(tmp_path / "slow")
    with (
        subprocess.Popen(
            [*GARDENPATH, "train", tmp_path / "slow", "-o", tmp_path / "model.gp"], stderr=subprocess.PIPE
        ) as process,
        open(tmp_path / "slow", "wb") as pipe,
    ):
        pipe.write(TRAIN.read_bytes()[:1000])
        pipe.flush()
        process.send_signal(signal.SIGINT)
        pipe.close()          # a signal just before a read is handled when the read ends
        code, errors = after_interrupt(process)
    assert (code, errors) == (130, "interrupted; no epoch was complete, so no model was written")
    assert os.listdir(tmp_path) == ["slow"]


def test_ctrl_c_while_modules_are_imported_gives_no_traceback(monkeypatch):
    class Interrupted(ModuleType):
        def __getattr__(self, name):
            raise KeyboardInterrupt

    monkeypatch.setitem(sys.modules, "gardenpath.cli.main", Interrupted("gardenpath.cli.main"))
    with pytest.raises(SystemExit) as ended:
        front.run()
    assert ended.value.code == 130
