"""The reasons of the network: the contributions of its slots add up to the difference between two scores."""

import pytest
from tiny import randomised, sentences, tiny

SYSTEMS = pytest.mark.parametrize("system", ["arc-eager", "lr-spine"])      # lr-spine has deep transitions


@SYSTEMS
def test_contributions_of_slots_add_up_to_the_margin(system):
    """Use random weights, because then many hidden units are active only with full or only with empty slots."""
    [sentence] = sentences(21)[20:]
    for seed in range(2):
        parser = randomised(tiny(system), seed)
        steps = [step for step in parser.trace(sentence.words, reasons=True) if step.reasons]
        assert steps
        for step in steps:
            for comparison in step.reasons:
                total = sum(reason.contribution for reason in comparison.reasons)
                size = sum(abs(reason.contribution) for reason in comparison.reasons)
                assert total == pytest.approx(comparison.margin, abs=1e-4 * (1 + size))


def test_slots_name_the_words_and_labels_in_them():
    parser = randomised(tiny(), 1)
    labelled = 0
    steps = ((sentence, step) for sentence in sentences(21) for step in parser.trace(sentence.words, reasons=True))
    for sentence, step in steps:
        c = step.configuration
        for comparison in step.reasons:
            found = {reason.input: reason for reason in comparison.reasons}
            assert found["bias"].words == ()
            assert ("S0" in found) == bool(c.stack), "an empty slot is no reason"
            if c.stack and c.stack[-1]:
                word = sentence.words[c.stack[-1] - 1]
                assert (found["S0"].value, found["S0"].words) == (word.form, (word.id,))
                assert ("S0 label" in found) == (c.heads[word.id - 1] >= 0)
            if "S0 label" in found:
                labelled += 1
                assert found["S0 label"].value == c.labels[c.stack[-1] - 1]
    assert labelled
