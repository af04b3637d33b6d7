"""Beam search: width 1 equals greedy search; any width and any weights give trees; the k best parses."""

import math
import pickle
import random
import re
import subprocess
import sys
from copy import deepcopy
from functools import cache

import pytest
from random_weights import random_sentence, randomised

import gardenpath as gp
from brute import COVINGTON, REORDERING, SINGLE_ROOT, random_tree
from gardenpath.cli.main import main
from gardenpath.core import storage
from gardenpath.errors import InputError, UsageError
from gardenpath.models.settings import Settings
from gardenpath.models.training import training
from gardenpath.parsing.parser import Parser
from gardenpath.parsing.python_scorer import PythonScorer
from gardenpath.parsing.trace import LOWER
from gardenpath.parsing.trace import SINGLE_ROOT as POLICY
from gardenpath.pseudo import is_decorated
from gardenpath.trees import is_projective, is_tree
from sample import TEST, TRAIN, small

EVERY_TREE = (*COVINGTON, *REORDERING)       # can be built by these systems: they lift nothing
EACH = pytest.mark.parametrize("system", gp.systems.names())
MODES = pytest.mark.parametrize(
    "system, single_root",
    [
        (system, single_root)
        for system in gp.systems.names()
        for single_root in (True, False)
        if single_root or system not in SINGLE_ROOT
    ],
)


@cache
def trained(system, **settings):
    """A greedy model that has seen the sample twice."""
    return gp.train(TRAIN, tags="gold", system=system, epochs=2, **settings)


@cache
def random_model(system, seed, single_root=True):
    return randomised(trained(system, single_root=single_root), seed, single_root)


def several(seed, count, most=15):
    rng = random.Random(seed)
    return [random_sentence(rng, rng.randint(1, most)) for _ in range(count)]


def trees(sentences):
    return [[(word.head, word.deprel) for word in sentence] for sentence in sentences]


def parsed(model, sentences, **options):
    """The trees; the sentences stay as they are."""
    return trees(model.parse(deepcopy(sentences), **options))


# Width 1.


def compare_with_greedy(parser, sentences):
    """Compare the best parses of beams of width 1 with greedy parses. Return the names of all transitions made."""
    assert parser.width == 1
    made = set()
    for sentence, words in zip(
        sentences, parser.parse([sentence.words for sentence in deepcopy(sentences)]), strict=True
    ):
        [(_, heads, labels)] = parser.kbest(sentence.words, 1)
        assert list(zip(heads, labels, strict=True)) == [(word.head, word.deprel) for word in words]
        made |= {step.move for step in parser.trace(sentence.words, policy=True)}
    return made


@MODES
def test_a_beam_of_one_is_greedy(system, single_root):
    assert "shift" in compare_with_greedy(
        trained(system, single_root=single_root).parser, list(gp.read_conllu(TEST))[:12]
    )


@MODES
def test_a_beam_of_one_is_greedy_whatever_the_weights(system, single_root):
    made = set.union(
        *(compare_with_greedy(random_model(system, seed, single_root).parser, several(seed, 12, 10)) for seed in (0, 1))
    )
    rules = gp.systems.get(system)
    assert (POLICY in made) is (single_root and not rules.single_root and not rules.has_root_mode)


@cache
def lowering(system):
    """Return a model of random trees with many crossing arcs, so that most labels mark lifted arcs."""
    rng, treebank = random.Random(1), []
    for _ in range(40):
        sentence = random_sentence(rng, rng.randint(5, 10))
        for word, head in zip(sentence, random_tree(rng, len(sentence)), strict=True):
            word.head, word.deprel = head, rng.choice("ab") if head else "root"
        treebank.append(sentence)
    *_, last = training(treebank, None, Settings.of(system=system, nonprojective="head", epochs=2, tags="gold"))
    return last.model


@EACH
def test_a_beam_of_one_is_greedy_where_arcs_are_lowered(system):
    made = set.union(
        *(
            compare_with_greedy(model.parser, several(2, 12))
            for model in (trained(system, nonprojective="head"), lowering(system))
        )
    )
    assert (
        (LOWER in made) is any(map(is_decorated, lowering(system).parser.classes.labels)) is (system not in EVERY_TREE)
    )


# Larger widths.


@MODES
def test_whatever_the_weights_every_parse_is_a_tree(system, single_root):
    for seed, width, count in ((0, 2, 40), (1, 8, 25), (0, 64, 6), (1, 64, 6)):
        model = random_model(system, seed, single_root)
        parser = model.parser.with_beam(width)
        assert parser.width == width
        for sentence in model.parse(several(seed + width, count), beam=width):
            assert is_tree(sentence.heads, single_root=single_root)
            assert is_projective(sentence.heads) or not parser.system.is_projective
            assert all(
                word.deprel in parser.classes.labels and (word.deprel == "root") is (word.head == 0)
                for word in sentence
            )
        for sentence in several(width, 4):
            moves = [step for step in parser.trace(sentence.words) if step.move not in (POLICY, LOWER)]
            assert len(moves) <= parser.system.most_moves(len(sentence))


@EACH
def test_a_trace_is_the_parse(system):
    """Each configuration follows from the one before, and the arcs of the last one are those of the parse."""
    parser, sentences = random_model(system, 1).parser.with_beam(8), several(3, 12)
    scored = better = 0
    for sentence, words in zip(
        sentences, parser.parse([sentence.words for sentence in deepcopy(sentences)]), strict=True
    ):
        c = parser.system.initial(len(sentence))
        heads = {}
        for step in parser.trace(sentence.words, policy=True):
            if step.move in (POLICY, LOWER):
                heads[step.arc[1]] = step.arc[0]
                continue
            assert (step.configuration.stack, step.configuration.buffer, step.configuration.heads) == (
                c.stack,
                c.buffer,
                c.heads,
            )
            if step.scores:
                scored += 1
                better += step.score < max(step.scores.values())
                assert step.score <= step.scores[step.move]
            parser.system.apply(c, step.move, step.label)
        assert [word.head for word in words] == [heads.get(word, head) for word, head in enumerate(c.heads, 1)]
    assert 0 < better < scored


@EACH
def test_a_wider_beam_finds_other_parses(system):
    """And it is the same as that of a greedy model."""
    model, sentences = random_model(system, 0), several(4, 30, 10)
    assert sum(a != b for a, b in zip(parsed(model, sentences), parsed(model, sentences, beam=8), strict=True)) > 5
    assert parsed(model, sentences, beam=1) == parsed(model, sentences)


@pytest.mark.parametrize("system", ["arc-eager-unshift", "lr-spine", "covington", "stay-eager"])
def test_threads_and_neighbours_change_nothing(system):
    for model, width in ((trained(system), 8), (random_model(system, 1), 3)):
        sentences = several(5, 150)
        assert sum(map(len, sentences)) > 2 * model.parser.batch_words
        alone = parsed(model, sentences, beam=width)
        assert parsed(model, sentences, beam=width, threads=2) == alone
        assert [parsed(model, [sentence], beam=width)[0] for sentence in reversed(sentences[:20])] == alone[:20][::-1]


class Erratic(PythonScorer):
    """Log-probabilities that depend on the stack and the buffer in an irregular way."""

    is_normalised = True

    def score(self, words, configuration, transitions):
        rng = random.Random(f"{configuration.stack} {configuration.buffer}")
        scores = [rng.gauss(0, 2) for _ in transitions]
        total = math.log(sum(map(math.exp, scores)))
        return [score - total for score in scores]


def erratic_trees(system, margin, width):
    """The trees of some sentences with a beam of this width and margin."""
    scorer = type("Scorer", (Erratic,), {"beam_margin": margin})
    parser = trained(system).parser
    sentences = several(5, 15, 9)
    found = Parser(scorer(parser.system, parser.classes), width=width).parse([each.words for each in sentences])
    return [[(word.head, word.deprel) for word in words] for words in found]


@EACH
def test_derivations_beyond_the_margin_are_dropped(system):
    """With a margin of 0, only the best one stays; a large margin makes no difference."""
    greedy, whole = erratic_trees(system, math.inf, 1), erratic_trees(system, math.inf, 4)
    assert erratic_trees(system, 0.0, 4) == greedy
    assert erratic_trees(system, 1000.0, 4) == whole
    assert greedy != whole or system != "arc-eager"


@EACH
def test_short_and_empty_sentences(system):
    model = trained(system)
    [one, empty] = model.parse([gp.Sentence([gp.Word(1, "Go", upos="VERB", xpos="VB")]), gp.Sentence()], beam=8)
    assert trees([one, empty]) == [[(0, "root")], []]
    assert model.kbest(one, 1, beam=8)[0][1] == one


def test_very_long_sentences_are_parsed_greedily():
    model, rng = random_model("arc-eager-unshift", 3), random.Random(3)
    long, longer = random_sentence(rng, 1000), random_sentence(rng, 1001)
    assert parsed(model, [long], beam=4) != parsed(model, [long], beam=1)
    assert parsed(model, [longer], beam=4) == parsed(model, [longer], beam=1)
    assert parsed(model, [longer, long, longer], beam=4) == [
        *parsed(model, [longer], beam=1), *parsed(model, [long], beam=4), *parsed(model, [longer], beam=1),
    ]


def test_a_sentence_of_many_words():
    sentences = [*several(6, 1, 3), random_sentence(random.Random(7), 400), *several(8, 1, 3)]
    model = random_model("arc-eager-unshift", 1)
    assert all(is_tree(sentence.heads) for sentence in model.parse(deepcopy(sentences), beam=4))
    assert parsed(model, sentences, beam=4) == [
        tree for sentence in sentences for tree in parsed(model, [sentence], beam=4)
    ]


# Models that were trained with a beam.


@pytest.fixture(scope="module")
def treebank(tmp_path_factory):
    return small(tmp_path_factory.mktemp("treebank"), 120)


@pytest.fixture(scope="module")
def model(treebank):
    return gp.train(treebank, tags="gold", beam=4, epochs=2)


def test_a_model_keeps_its_beam(model, tmp_path):
    sentences = list(gp.read_conllu(TEST))
    expected = parsed(model, sentences)
    model.save(tmp_path / "model.gp")
    for other in (model, gp.load(tmp_path / "model.gp"), pickle.loads(pickle.dumps(model)), deepcopy(model)):
        assert (other.parser.width, other.description["settings"]["beam"]) == (4, 4)
        assert (
            parsed(other, sentences)
            == parsed(other, sentences, beam=4)
            == parsed(other, sentences, threads=2)
            == expected
        )
        assert [step.text for step in other.trace(sentences[0])] == [step.text for step in model.trace(sentences[0])]


def test_a_model_can_do_without_its_beam(model):
    sentences = list(gp.read_conllu(TEST))
    greedy = model.parser.with_beam(1)
    assert parsed(model, sentences, beam=1) == trees(greedy.parse([sentence.words for sentence in deepcopy(sentences)]))
    assert len({str(parsed(model, sentences, beam=width)) for width in (1, 2, 4, 16)}) == 4
    assert model.parser.width == 4


def test_same_seed_same_bytes(model, treebank, tmp_path):
    files = []
    for name, seed in (("first", 1), ("again", 1), ("other", 2)):
        gp.train(treebank, tags="gold", beam=4, epochs=2, seed=seed).save(tmp_path / name)
        files.append((tmp_path / name).read_bytes())
    model.save(tmp_path / "model")
    assert files[0] == files[1] == (tmp_path / "model").read_bytes() != files[2]


def test_settings_of_beams():
    for beam in (0, -1, 10_001):
        with pytest.raises(UsageError, match=f"^beam must be between 1 and 10000, not {beam}$"):
            gp.train(TRAIN, beam=beam)
    with pytest.raises(UsageError, match=r"^update must be one of max-violation, early, not 'late'$"):
        gp.train(TRAIN, beam=4, update="late")
    with pytest.raises(UsageError, match=r"^beam_from must be between 1 and"):
        gp.train(TRAIN, beam=4, beam_from=0)
    for beam in (0, -3):
        with pytest.raises(UsageError, match=f"^a beam width is a whole number between 1 and 10000, not {beam}$"):
            trained("arc-eager").parse([], beam=beam)


def test_a_file_with_a_beam_that_makes_no_sense(model, tmp_path):
    for beam in (0, -4, "wide"):
        settings = model.description["settings"] | {"beam": beam}
        storage.save(tmp_path / "broken.gp", model._arrays(), model.description | {"settings": settings})
        with pytest.raises(InputError, match=r"broken.gp: not a usable gardenpath model"):
            gp.load(tmp_path / "broken.gp")


# The best parses.


@MODES
def test_the_best_parses_of_a_sentence(system, single_root):
    model = random_model(system, 0, single_root)
    for sentence in several(9, 6, 8):
        before = sentence.to_conllu()
        parses = model.kbest(sentence, 16, beam=16)
        assert sentence.to_conllu() == before
        assert 1 <= len(parses) <= 16
        scores = [score for score, _ in parses]
        assert scores == sorted(scores, reverse=True)
        assert all(type(score) is float for score in scores)
        found = trees([parse for _, parse in parses])
        assert len({str(tree) for tree in found}) == len(found)
        assert all(is_tree(parse.heads, single_root=single_root) for _, parse in parses)
        assert parsed(model, [sentence], beam=16) == found[:1]
        for k in (1, 2, 5):
            assert model.kbest(sentence, k, beam=16) == parses[:k]
        words = [word for _, parse in parses for word in parse] + sentence.words
        assert len(set(map(id, words))) == len(words)


@pytest.mark.parametrize("system", ["arc-eager", "lr-spine"])
def test_the_best_parses_with_arcs_lowered(system):
    model, crossing = lowering(system), 0
    for sentence in several(10, 20):
        parses = model.kbest(sentence, 8, beam=8)
        assert parsed(model, [sentence], beam=8) == trees([parses[0][1]])
        assert not any(is_decorated(word.deprel) for _, parse in parses for word in parse)
        assert len({str(tree) for tree in trees([parse for _, parse in parses])}) == len(parses)
        crossing += sum(not is_projective(parse.heads) for _, parse in parses)
    assert crossing > 10


def test_all_but_heads_and_labels_comes_along():
    """Comments, ranges, empty nodes and all other columns."""
    word = re.compile(r"^(\d+\t(?:[^\t]+\t){5})\d+\t[^\t]+(\t.*)$", re.MULTILINE)
    for sentence in gp.read_conllu(TEST):
        for _, parse in trained("arc-eager").kbest(sentence, 3, beam=4):
            assert word.sub(r"\1\2", parse.to_conllu()) == word.sub(r"\1\2", sentence.to_conllu())
            parse.comments.append("# new")
            assert "# new" not in sentence.comments


def test_calls_that_make_no_sense(model):
    sentence = next(iter(gp.read_conllu(TEST)))
    for k in (0, -1, 5):
        with pytest.raises(
            UsageError,
            match=rf"^a beam of width 4 finds 1 to 4 parses, not {k}; use a wider one \(`beam=8`, `--beam 8`\)$",
        ):
            model.kbest(sentence, k)
    with pytest.raises(
        UsageError, match=r"^a beam of width 1 finds 1 parse, not 3; use a wider one \(`beam=8`, `--beam 8`\)$"
    ):
        trained("arc-eager").kbest(sentence, 3)
    with pytest.raises(
        UsageError, match=r"^a beam of width 1 finds 1 parse, not 12; use a wider one \(`beam=12`, `--beam 12`\)$"
    ):
        model.kbest(sentence, 12, beam=1)
    with pytest.raises(UsageError, match=r"^a beam width is a whole number between 1 and 10000, not 0$"):
        model.kbest(sentence, 1, beam=0)
    with pytest.raises(InputError, match="no word has XPOS"):
        model.kbest(gp.Sentence([gp.Word(1, "Go", upos="VERB")]), 2)


def test_the_best_parses_of_nothing(model):
    empty = gp.Sentence([], ["# nothing"])
    [(score, parse)] = model.kbest(empty, 3)
    assert (score, parse.comments, parse.words) == (0.0, ["# nothing"], [])
    assert parse is not empty


def test_nothing_has_no_trace(model, tmp_path):
    """With a beam or without. In a process of its own: what goes wrong here may bring it down."""
    model.save(tmp_path / "model.gp")
    code = "import sys, gardenpath as gp; list(gp.load(sys.argv[1]).trace(gp.Sentence()))"
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "model.gp")], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr.splitlines()[-1:]) == (
        1,
        ["gardenpath.errors.UsageError: a configuration needs at least one word, not 0"],
    )


# The commands.


@pytest.fixture
def call(monkeypatch, capfd):
    """Run a command in this process; answers exit code and standard error."""
    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["gardenpath", *map(str, arguments)])
        with pytest.raises(SystemExit) as stopped:
            main()
        return stopped.value.code or 0, capfd.readouterr().err

    return run


@pytest.fixture
def saved(model, tmp_path):
    model.save(tmp_path / "model.gp")
    return tmp_path / "model.gp"


def test_the_best_parses_on_the_command_line(call, saved, model, tmp_path):
    command = ["parse", "-m", saved, TEST, "--reparse", "--beam", 8]
    assert call(*command, "--kbest", 3, "-o", tmp_path / "best.conllu") == (0, "")
    assert call(*command, "-o", tmp_path / "parsed.conllu") == (0, "")
    ranked = re.compile(r"^# parse = (\d+)\n# score = (\S+)\n", re.MULTILINE)
    blocks = iter((tmp_path / "best.conllu").read_text(encoding="utf-8").split("\n\n")[:-1])
    for sentence, first in zip(
        gp.read_conllu(TEST), (tmp_path / "parsed.conllu").read_text(encoding="utf-8").split("\n\n")[:-1], strict=True
    ):
        parses = model.kbest(sentence, 3, beam=8)
        for rank, (score, parse) in enumerate(parses, 1):
            block = next(blocks)
            [(number, text)] = ranked.findall(block)
            assert (int(number), float(text)) == (rank, pytest.approx(score, rel=1e-5))
            assert ranked.sub("", block) == parse.to_conllu().rstrip("\n")
            assert rank > 1 or ranked.sub("", block) == first
    assert next(blocks, None) is None


def test_beams_on_the_command_line(call, saved, model, tmp_path):
    for width, arguments in ((None, []), (4, ["--threads", 2]), (1, []), (16, [])):
        assert call(
            "parse",
            "-m",
            saved,
            TEST,
            "--reparse",
            *(["--beam", width] if width else []),
            *arguments,
            "-o",
            tmp_path / "parsed.conllu",
        ) == (0, "")
        assert trees(gp.read_conllu(tmp_path / "parsed.conllu")) == parsed(
            model, list(gp.read_conllu(TEST)), beam=width
        )


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["--beam", 0], "--beam"),
        (["--kbest", 0], "--kbest"),
        (["--beam", "wide"], "--beam"),
        (["--kbest", 5], "a beam of width 4 finds 1 to 4 parses, not 5; use a wider one (`beam=8`, `--beam 8`)"),
        (
            ["--kbest", 2, "--beam", 1],
            "a beam of width 1 finds 1 parse, not 2; use a wider one (`beam=8`, `--beam 8`)",
        ),
    ],
    ids=str,
)
def test_command_lines_that_make_no_sense_exit_with_2(arguments, message, call, saved, tmp_path):
    code, errors = call("parse", "-m", saved, TEST, *arguments, "-o", tmp_path / "parsed.conllu")
    assert code == 2
    assert message in errors
    assert "Traceback" not in errors


def test_training_with_a_beam_on_the_command_line(call, treebank, tmp_path):
    options = {"beam": 3, "beam_from": 2, "update": "early", "epochs": 2}
    arguments = [part for name, value in options.items() for part in (f"--{name.replace('_', '-')}", value)]
    code, errors = call("train", treebank, "-o", tmp_path / "model.gp", *arguments)
    assert code == 0, errors
    first, second = re.findall(r"epoch (\d): [\d.]+ % of (\w+) right", errors)
    assert (first, second) == (("1", "decisions"), ("2", "derivations"))
    ours, theirs = gp.train(treebank, **options), gp.load(tmp_path / "model.gp")
    assert ours.description == theirs.description
    recorded = Settings.from_dict(theirs.description["settings"])
    assert recorded.changed(**options) == recorded
    assert all(
        ours.parser.arrays()[name].tobytes() == array.tobytes() for name, array in theirs.parser.arrays().items()
    )
    for wrong in (["--beam", 0], ["--beam-from", 0], ["--update", "late"]):
        assert call("train", treebank, "-o", tmp_path / "other.gp", *wrong)[0] == 2
    assert not (tmp_path / "other.gp").exists()
