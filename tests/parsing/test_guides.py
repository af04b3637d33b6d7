"""What if: parses that a guide leads away from what the parser would do."""

import random

import pytest
from random_weights import random_parser, random_sentence

import gardenpath as gp
from gardenpath import oracles, systems
from gardenpath.errors import UsageError
from gardenpath.parsing.derivation import POLICIES, Course, derive
from gardenpath.parsing.guides import by_moves, by_oracle, read_move
from gardenpath.trees import find_problems
from sample import TEST, trained

SYSTEMS = systems.names()


def moves_of(steps):
    return [(step.move, step.label) for step in steps if step.move not in POLICIES]


def with_beam(model, width):
    return gp.Model(model.parser.with_beam(width), model.about)


@pytest.mark.parametrize("width", [1, 4])
@pytest.mark.parametrize("system", SYSTEMS)
def test_a_parser_led_its_own_way_does_what_it_does_by_itself(system, width):
    rng = random.Random(system)
    model = with_beam(random_parser(system, 1), width)
    for n in (1, 2, 5, 9, 14):
        sentence = random_sentence(rng, n)
        alone = list(model.trace(sentence))
        led = list(model.trace(sentence, guide=by_moves(moves_of(alone))))
        assert [(step.text, step.arc, step.score, step.scores, step.labels) for step in led] == [
            (step.text, step.arc, step.score, step.scores, step.labels) for step in alone
        ]
        assert [step.given for step in led] == [step.move not in POLICIES for step in led]
        assert not any(step.given for step in alone)


def test_moves_can_be_written():
    assert [read_move(move) for move in ("reduce", "RIGHT-ARC(obj)", "right-arc:2(nmod:poss)", "left-arc((x))")] == [
        ("reduce", None), ("right-arc", "obj"), ("right-arc:2", "nmod:poss"), ("left-arc", "(x)"),
    ]
    for text in ("", "right arc", "reduce()", "(obj)", "shift(obj"):
        with pytest.raises(UsageError, match="is not a transition; write reduce, or"):
            read_move(text)
    model, sentence = random_parser("arc-eager", 1), random_sentence(random.Random(1), 5)
    moves = moves_of(model.trace(sentence))
    written = [f"{move}({label})" if label else move.upper() for move, label in moves]
    assert moves_of(model.trace(sentence, guide=by_moves(written))) == moves


@pytest.mark.parametrize("system", SYSTEMS)
def test_after_any_other_move_the_parser_ends_in_a_tree(system):
    """Every permitted move at every step of a parse, and from there on whatever random weights say."""
    rng = random.Random(system)
    model = random_parser(system, 2)
    sentence = random_sentence(rng, 7)
    course = Course(model)
    steps = derive(sentence, course).steps
    for number, step in enumerate(step for step in steps if step.move not in POLICIES):
        for move in model.parser.system.valid(step.configuration):
            other = derive(sentence, Course(model, given=[*moves_of(steps[:number]), (move, None)]))
            assert moves_of(other.steps)[:number] == moves_of(steps[:number])
            assert other.steps[number].move == move
            assert len(moves_of(other.steps)) <= model.parser.system.most_moves(7)
            assert not list(find_problems(other.parse().heads, single_root=True))


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_label_is_the_one_that_is_named_else_the_best(system):
    model = trained(system)
    sentence = next(gp.read_conllu(TEST))
    steps = list(model.trace(sentence))
    number, step = next(
        (number, step)
        for number, step in enumerate(steps)
        if step.arc and step.score is not None and step.labels[step.move] == step.label
    )
    before = moves_of(steps[:number])
    inventory = {label for labels in model.description["labels"].values() for label in labels}
    known = next(
        label
        for label in sorted(inventory)
        if _is_label(model, sentence, [*before, (step.move, label)]) and label != step.label
    )
    led = list(model.trace(sentence, guide=by_moves([*before, (step.move, known)])))
    assert led[number].label == known
    assert led[number].score <= step.score == led[number].scores[step.move]
    assert led[number].labels == step.labels
    unlabelled = list(model.trace(sentence, guide=by_moves([*before, (step.move, None)])))
    assert unlabelled[number].label == step.label


def _is_label(model, sentence, moves):
    try:
        list(model.trace(sentence, guide=by_moves(moves)))
    except UsageError:
        return False
    return True


def test_what_cannot_be_done_is_an_error_that_says_what_can():
    model, sentence = trained("arc-eager"), next(gp.read_conllu(TEST))
    with pytest.raises(UsageError, match=r"'reduce' is not valid .* valid here: shift"):
        list(model.trace(sentence, guide=by_moves([("reduce", None)])))
    with pytest.raises(UsageError, match=r"right-arc has no label 'nonsense' in this model; it has .*nsubj"):
        list(model.trace(sentence, guide=by_moves([("shift", None), ("right-arc", "nonsense")])))
    with pytest.raises(UsageError, match="give a model"):
        derive(sentence, Course())


@pytest.mark.parametrize("system", SYSTEMS)
def test_an_oracle_leads_a_parser_that_knows_nothing_to_the_gold_tree(system):
    model = random_parser(system, 3)
    for sentence in list(gp.read_conllu(TEST))[:12]:
        derivation = derive(sentence, Course(model, by_oracle=True), gold=True)
        assert derivation.parse().heads == derivation.gold
        assert all(
            step.costs is None or step.move in POLICIES or step.costs[step.move] == 0 for step in derivation.steps
        )
        assert derivation.lifted == (derivation.gold != sentence.heads)
        labelled = [(word.head, word.deprel) for word in derivation.parse()]
        assert derivation.lifted or system == "attardi" or labelled == [(word.head, word.deprel) for word in sentence]


def test_a_wide_beam_goes_on_from_given_moves_as_well_as_can_be():
    """On three words a beam this wide is exhaustive: led the first half of its best way, it finds the rest."""
    rng = random.Random(5)
    for system in ("arc-eager", "arc-standard", "covington"):
        model = with_beam(random_parser(system, 4), 5000)
        sentence = random_sentence(rng, 3)
        best = moves_of(model.trace(sentence))
        led = moves_of(model.trace(sentence, guide=by_moves(best[: len(best) // 2])))
        assert led == best


@pytest.mark.parametrize("system", SYSTEMS)
def test_given_moves_and_then_the_oracle_lose_what_the_moves_cost(system):
    """The loss after the given moves is what remains in the end, where the oracle is exact."""
    sentence = next(sentence for sentence in gp.read_conllu(TEST) if len(sentence) >= 6)
    exact = system not in ("covington-nm", "swap", "stay-eager")
    start = derive(sentence, Course(system=system), gold=True)
    for number, step in enumerate(start.steps[:8]):
        for move, cost in step.costs.items():
            led = derive(
                sentence,
                Course(system=system, oracle="static", given=[*moves_of(start.steps[:number]), (move, None)]),
                gold=True,
            )
            assert led.oracle == "dynamic"
            assert [step.given for step in led.steps] == [i <= number for i in range(len(led.steps))]
            wrong = sum(head != gold for head, gold in zip(led.final.heads, led.gold, strict=True))
            assert wrong == cost if exact else wrong >= cost


@pytest.mark.parametrize("system", SYSTEMS)
def test_trees_of_a_derivation_are_those_of_its_configurations(system):
    model = trained(system)
    for sentence in list(gp.read_conllu(TEST))[:10]:
        derivation = derive(sentence, Course(model))
        parsed = model.parse(
            [gp.Sentence([gp.Word(w.id, w.form, w.lemma, w.upos, w.xpos, w.feats) for w in sentence])]
        )[0]
        assert [(word.head, word.deprel) for word in derivation.parse()] == [
            (word.head, word.deprel) for word in parsed
        ]
        assert len(derivation.trees) == len(derivation.steps) + 1
        assert derivation.trees[0] == {}
        for step, before, after in zip(derivation.steps, derivation.trees[:-1], derivation.trees[1:], strict=True):
            changed = {child for child in before.keys() | after.keys() if before.get(child) != after.get(child)}
            made = {step.arc[1]} if step.arc else set()
            assert all(after[child] == (step.arc[0], step.label) for child in made)
            assert all(
                child not in after or after[child][0] == 0 for child in changed - made
            )  # others only lose their arcs, or turn out to be roots


def test_a_derivation_can_be_watched_and_stopped():
    seen = []

    def watch():
        seen.append(1)
        if len(seen) == 3:
            raise TimeoutError

    with pytest.raises(TimeoutError):
        derive(next(gp.read_conllu(TEST)), Course(trained()), watch=watch)


def test_a_guide_is_asked_once_in_every_configuration():
    model, sentence = trained("stay-eager"), next(gp.read_conllu(TEST))
    asked = []
    oracle = oracles.of(model.parser.system, "dynamic")
    heads = [word.head for word in sentence]
    lead = by_oracle(oracle, heads, [word.deprel for word in sentence])
    steps = list(model.trace(sentence, guide=lambda c: asked.append(c.key()) or lead(c)))
    assert asked == [step.configuration.key() for step in steps if step.move not in POLICIES]
