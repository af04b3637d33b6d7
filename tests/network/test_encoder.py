"""The native encoder against the equations in numpy, and its independence of batches, caches, threads and machines."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from slow_encoder import SlowEncoder, random_arrays

from gardenpath.core.given_tags import GivenTags
from gardenpath.core.stored import BadModelError
from gardenpath.errors import UsageError
from gardenpath.network import kernels
from gardenpath.network.encoder import NativeEncoder
from gardenpath.network.spelling import form_key

SENTENCES = [
    ["a", "Bad", "face", "xyz"], ["č"], [], ["gg", "", "a" * 50 + "bcdefg" * 5, "ČAB", "dab", "e", "😀", "Bad"], ["A"],
]
WORDS = [form for sentence in SENTENCES for form in sentence]


def long_text(sentences=150, seed=5):
    random = np.random.default_rng(seed)
    return [
        ["".join(random.choice(list("abcdefgABČ-"), random.integers(1, 9))) for _ in range(random.integers(1, 40))]
        for _ in range(sentences)
    ]


def same(one, other):
    return all(a.shape == b.shape and a.tobytes() == b.tobytes() for a, b in zip(one, other, strict=True))


def picked(results, rows):
    return [np.ascontiguousarray(each[rows]) for each in results]


@pytest.fixture(scope="module", params=[
    {}, {"pretrained": False}, {"layers": 1}, {"h": 16, "hc": 8, "dx": 32, "d": 16}, {"tags": 70, "parts": 21},
    {"rules": 0}, {"rule_inputs": False},
])
def arrays(request):
    return random_arrays(**request.param)


@pytest.mark.parametrize("exact", [True, False])
def test_equations(arrays, exact):
    slow = SlowEncoder(arrays, exact)
    wanted = [word for sentence in SENTENCES for word in slow.encode(sentence)]
    tags, probabilities, rules, vectors, scales = NativeEncoder(arrays).encode(SENTENCES)
    tolerance = 1e-4 if exact else 0.2
    assert len(tags) == len(wanted) == len(WORDS)
    assert len(set(tags)) > 1
    for i, (p, scores, v) in enumerate(wanted):
        assert p[tags[i]] >= p.max() - tolerance
        assert probabilities[i] == pytest.approx(p.max(), abs=tolerance)
        np.testing.assert_allclose(rules[i], scores, atol=3 * tolerance)
        np.testing.assert_allclose(vectors[i] * scales[i], v, atol=3 * tolerance + 0.51 * scales[i])


def random_choices(text, tags=11, seed=7):
    """Return the tags that the words of each sentence can get: None, or some of the tags."""
    random = np.random.default_rng(seed)
    sizes = [random.integers(0, 4, len(sentence)) for sentence in text]
    return [
        [tuple(sorted(map(int, random.choice(tags, size, replace=False)))) or None for size in each] for each in sizes
    ]


def given(choices, tags=11):
    return GivenTags([choice for sentence in choices for choice in sentence], tags)


@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize("seed", range(3))
def test_equations_with_given_tags(exact, seed):
    arrays = random_arrays()
    slow, choices = SlowEncoder(arrays, exact), random_choices(SENTENCES, seed=seed)
    wanted = [word for pair in zip(SENTENCES, choices, strict=True) for word in slow.encode(*pair)]
    tags, probabilities, rules, vectors, scales = NativeEncoder(arrays).encode(SENTENCES, given(choices))
    free = NativeEncoder(arrays).encode(SENTENCES)
    tolerance = 1e-4 if exact else 0.2
    places = [choice for sentence in choices for choice in sentence]
    assert (tags != free[0]).any()
    for i, (choice, (p, scores, v)) in enumerate(zip(places, wanted, strict=True)):
        if choice is None or free[0][i] in choice:
            assert same(picked([tags, probabilities, rules, vectors, scales], [i]), picked(free, [i]))
        elif exact or len(choice) == 1:
            assert tags[i] in choice
            assert p[tags[i]] >= p.max() - tolerance
            assert probabilities[i] == pytest.approx(p.max(), abs=tolerance)
            np.testing.assert_allclose(rules[i], scores, atol=3 * tolerance)
            np.testing.assert_allclose(vectors[i] * scales[i], v, atol=3 * tolerance + 0.51 * scales[i])


def test_given_tags_do_not_depend_on_batches_and_instruction_sets():
    text = long_text(60)
    choices = random_choices(text)
    encoder, before = NativeEncoder(random_arrays()), kernels.used()
    whole = encoder.encode(text, given(choices))
    start = 0
    for sentence, choice in zip(text, choices, strict=True):
        alone = encoder.encode([sentence], given([choice]))
        assert same(alone, picked(whole, slice(start, start + len(sentence))))
        start += len(sentence)
    try:
        for name in kernels.available():
            kernels.use(name)
            assert same(NativeEncoder(random_arrays()).encode(text, given(choices)), whole)
    finally:
        kernels.use(before)


def test_given_tags_must_fit():
    encoder = NativeEncoder(random_arrays())
    for choices, tags in (([(11,)], 11), ([(-1,)], 11), ([(2, 1)], 11), ([(3, 3)], 11)):
        with pytest.raises(UsageError, match="list of different tags between 0 and 10"):
            GivenTags(choices, tags)
    with pytest.raises(UsageError, match="tag set of 12 tags, not to one of 11"):
        encoder.encode([["a"]], GivenTags([(11,)], 12))
    with pytest.raises(UsageError, match="for 2 words, but there are 1"):
        encoder.encode([["a"]], GivenTags([None, None], 11))


def test_instruction_sets_give_the_same_bits(arrays):
    before = kernels.used()
    text = long_text(40)
    wanted = NativeEncoder(arrays).encode(text)
    try:
        for name in kernels.available():
            kernels.use(name)
            assert same(NativeEncoder(arrays).encode(text), wanted)
    finally:
        kernels.use(before)


@pytest.mark.parametrize("cached", [0, 1, 20, 100_000])
def test_results_depend_on_the_sentence_alone(cached):
    text = long_text()
    encoder = NativeEncoder(random_arrays(), cached)
    wanted = [NativeEncoder(random_arrays(), 0).encode([sentence]) for sentence in text]
    order = np.random.default_rng(1).permutation(len(text))
    for _ in range(2):
        found = encoder.encode([text[i] for i in order])
        start = 0
        for i in order:
            assert same(picked(found, slice(start, start + len(text[i]))), wanted[i])
            start += len(text[i])


def test_threads_share_an_encoder():
    texts = [long_text(30, seed) for seed in range(16)]
    arrays = random_arrays()
    encoder = NativeEncoder(arrays, 50)
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(encoder.encode, texts))
    assert all(same(NativeEncoder(arrays).encode(text), each) for text, each in zip(texts, found, strict=True))


def test_long_sentences():
    encoder = NativeEncoder(random_arrays())
    words = [f"{'abc'[i % 3]}{i % 17}" for i in range(5000)]
    found = encoder.encode([words, ["a"]])
    assert same(picked(found, slice(5000, None)), encoder.encode([["a"]]))
    assert same(picked(found, slice(0, 5000)), encoder.encode([words]))


def test_nothing_to_encode():
    encoder = NativeEncoder(random_arrays())
    assert [each.shape for each in encoder.encode([])] == [(0,), (0,), (0, 5), (0, 10), (0,)]
    assert len(encoder.encode([[], []])[0]) == 0


def test_the_middle_of_long_forms_is_not_read():
    one, other = "abcdefgabcdefgab" + "c" * 9 + "gfedcbagfedcbagf", "abcdefgabcdefgab" + "eee" + "gfedcbagfedcbagf"
    encoder = NativeEncoder(random_arrays())
    assert same(encoder.encode([[one]]), encoder.encode([[other]]))
    assert not same(encoder.encode([[one]]), encoder.encode([["b" + other[1:]]]))


def test_forms_that_differ_in_case_share_a_key():
    assert form_key("Čau") == form_key("čAU") != form_key("cau")


def test_odd_forms_are_safe():
    encoder = NativeEncoder(random_arrays())
    odd = ["\ud800", "\x00", "a\x00b", "\U0010ffff", "İ", "ﬀ", "a" * 100_000, "😀" * 33, "\ud83d\ude00"]
    found = encoder.encode([odd, odd[::-1]])
    assert (found[0] < 11).all()
    assert np.isfinite(found[1]).all()
    assert same(encoder.encode([odd, odd[::-1]]), found)


def changed(name, change):
    arrays = random_arrays()
    array = change(arrays["network." + name].copy())
    return arrays | {"network." + name: array}


def with_value(value, index=0):
    def change(array):
        array.flat[index] = value
        return array
    return change


@pytest.mark.parametrize("name", sorted(random_arrays()))
def test_missing_and_misshapen_arrays_raise_an_error(name):
    arrays = random_arrays()
    array = arrays[name]
    bad = [array[..., None], array.astype("d"), array.ravel()[:0], array.T if array.ndim == 2 else array[::2]]
    if name not in ("network.forms.keys", "network.forms.values", "network.vectors.keys", "network.vectors.values"):
        bad.append(array[:-1])
    for each in bad:
        with pytest.raises(BadModelError, match="network"):
            NativeEncoder(arrays | {name: each})
    if name not in ("network.vectors.keys", "network.rule_inputs") and ".layer2" not in name:
        with pytest.raises(BadModelError, match=name.replace(".", r"\.")):
            NativeEncoder({key: each for key, each in arrays.items() if key != name})


@pytest.mark.parametrize("name, change, message", [
    ("word_bias", with_value(np.nan), "word_bias.*finite"),
    ("tag_inputs", with_value(np.inf), "tag_inputs.*finite"),
    ("character_vectors", with_value(-np.inf), "character_vectors.*finite"),
    ("layer2.back.in.scale", with_value(np.nan), "layer2.back.in.scale.*finite"),
    ("form_vectors.scale", with_value(np.nan), "form_vectors.scale.*finite"),
    ("characters", with_value(10**6), "characters.*sorted"),
    ("forms.values", with_value(5), "forms.values.*row"),
    ("vectors.values", with_value(2**32 - 1), "vectors.values.*row"),
    ("forms.keys", lambda keys: keys | 1, "lexicon"),
    ("tag_parts", with_value(1000), "tag_parts.*score"),
    ("tag_parts", with_value(15), "heads.bias.*values"),
    ("tag_ends", with_value(7), "tag_ends.*sorted"),
    ("rule_inputs.scale", with_value(np.nan), "rule_inputs.scale.*finite"),
    ("tag_ends", with_value(100, -1), "tag_ends.*fit"),
])
def test_hostile_values_raise_an_error(name, change, message):
    with pytest.raises(BadModelError, match=message):
        NativeEncoder(changed(name, change))


def test_huge_weights_are_safe():
    arrays = random_arrays()
    for name, array in arrays.items():
        if array.dtype == np.float32:
            array *= np.float32(3e37) / max(np.abs(array).max(), 1)
        assert np.isfinite(array).all(), name
    tags, _, _, vectors, scales = NativeEncoder(arrays).encode(SENTENCES)
    assert ((tags >= 0) & (tags < 11)).all()
    assert len(vectors) == len(scales) == len(WORDS)
