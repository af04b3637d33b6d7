"""The model file: saving and loading, and one clear sentence for every file that is not usable."""

import copy
import json
import os
import pickle
import random
import subprocess
import sys
from functools import partial

import numpy as np
import pytest

import gardenpath as gp
from gardenpath.core import storage
from gardenpath.errors import InputError
from gardenpath.trees import is_tree
from sample import DEV, TEST, small, trained

DUMPS = json.dumps
ONE_SENTENCE = r"^[^\n]+: not a usable gardenpath model: [^\n]+$"


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    """The bytes of a small but complete model."""
    path = tmp_path_factory.mktemp("tiny")
    (path / "templates.txt").write_text("S0p N0p\nN0p\nS0w vl\n")
    gp.train(small(path, 10), features=str(path / "templates.txt"), epochs=2).save(path / "tiny.gp")
    return (path / "tiny.gp").read_bytes()


def refused(path, content=None, match=ONE_SENTENCE):
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(InputError, match=match) as error:
        gp.load(path)
    assert str(path) in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("system", gp.systems.names())
def test_what_is_saved_is_what_is_loaded(system, tmp_path):
    model = trained(system)
    model.save(tmp_path / "model.gp")
    loaded = gp.load(tmp_path / "model.gp")
    assert loaded.description == model.description
    assert (loaded.system, repr(loaded)) == (system, repr(model))
    for name in ("slots_array", "rows_array"):
        assert np.array_equal(getattr(loaded.parser.scorer.weights, name), getattr(model.parser.scorer.weights, name))
    parsed = [
        "".join(sentence.to_conllu() for sentence in each.parse(gp.read_conllu(TEST))) for each in (model, loaded)
    ]
    assert parsed[0] == parsed[1]
    loaded.save(tmp_path / "again.gp")
    assert (tmp_path / "again.gp").read_bytes() == (tmp_path / "model.gp").read_bytes()


@pytest.mark.parametrize("single_root", [True, False])
@pytest.mark.parametrize("system", ["arc-standard", "lr-spine", "attardi"])
def test_a_model_knows_how_many_roots_it_gives(system, single_root, tmp_path):
    source = small(tmp_path)
    if not single_root:
        source.write_text(
            "".join(
                f"{i}\tw{i}\t_\tX\tY{i}\t_\t{head}\t{'dep' if head else 'root'}\t_\t_\n"
                for i, head in enumerate([0, 1, 0, 3], 1)
            )
            + "\n"
        )
    model = gp.train(source, system=system, single_root=single_root, min_updates=1, epochs=10)
    model.save(tmp_path / "model.gp")
    for other in (model, gp.load(tmp_path / "model.gp"), pickle.loads(pickle.dumps(model))):
        assert (other.parser.single_root, other.parser.system.single_root) == (single_root, single_root)
        parsed = [sentence.heads for sentence in other.parse(gp.read_conllu(source if not single_root else TEST))]
        assert all(is_tree(heads) for heads in parsed) if single_root else parsed == [[0, 1, 0, 3]]


def test_the_same_seed_gives_the_same_bytes(tmp_path):
    path = small(tmp_path)
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        gp.train(path, dev=DEV, epochs=2, seed=seed, explore=0.5).save(tmp_path / name)
    a, b, c = ((tmp_path / name).read_bytes() for name in "abc")
    assert a == b != c


def test_another_process_gives_the_same_bytes(tmp_path):
    """Nothing depends on addresses or on the order of hashes."""
    path = small(tmp_path)
    gp.train(path, epochs=2).save(tmp_path / "here.gp")
    code = f"import gardenpath as gp; gp.train({str(path)!r}, epochs=2).save({str(tmp_path / 'there.gp')!r})"
    subprocess.run([sys.executable, "-c", code], check=True, env=os.environ | {"PYTHONHASHSEED": "7"})
    assert (tmp_path / "here.gp").read_bytes() == (tmp_path / "there.gp").read_bytes()


def test_the_safetensors_library_reads_it(tmp_path):
    safetensors = pytest.importorskip("safetensors", reason="safetensors is not installed")
    model = trained()
    model.save(tmp_path / "model.gp")
    with safetensors.safe_open(tmp_path / "model.gp", framework="numpy") as opened:
        assert json.loads(opened.metadata()["settings"]) == model.description
        assert {"parser.slots", "parser.rows"} <= set(opened.keys())
        assert np.array_equal(opened.get_tensor("parser.slots"), model.parser.scorer.weights.slots_array)
        assert np.array_equal(opened.get_tensor("parser.rows"), model.parser.scorer.weights.rows_array)


def test_arrays_lie_at_aligned_places(tiny):
    length = int.from_bytes(tiny[:8], "little")
    header = json.loads(tiny[8 : 8 + length])
    assert (8 + length) % 64 == 0
    assert all(
        entry["data_offsets"][0] % 64 == 0
        for name, entry in header.items()
        if name.startswith("parser.") and not name.endswith(".gap")
    )


def test_a_file_cut_short(tiny, tmp_path):
    rng = random.Random(1)
    length = 8 + int.from_bytes(tiny[:8], "little")
    places = {
        *range(20),
        length - 1,
        length,
        length + 1,
        len(tiny) - 1,
        *(rng.randrange(len(tiny)) for _ in range(300)),
    }
    for place in sorted(places):
        refused(tmp_path / "cut.gp", tiny[:place])


def test_a_file_with_something_behind_it(tiny, tmp_path):
    for more in (b"\0", b"\0" * 64, b"more"):
        refused(tmp_path / "longer.gp", tiny + more)


@pytest.mark.parametrize(
    "flip, each", [(0x01, 7), *(pytest.param(flip, 1, marks=pytest.mark.long) for flip in (0x01, 0xFF))]
)
def test_a_changed_byte(tiny, tmp_path, flip, each):
    """Every byte of the header, or one of several, and many of the rest, those that fill gaps among them."""
    rng = random.Random(flip)
    length = 8 + int.from_bytes(tiny[:8], "little")
    header = json.loads(tiny[8:length])
    gaps = [
        length + place
        for name, entry in header.items()
        if name.endswith(".gap")
        for place in range(*entry["data_offsets"])
    ]
    assert gaps
    for place in {*range(0, length, each), *gaps, *(rng.randrange(length, len(tiny)) for _ in range(300 // each))}:
        changed = bytearray(tiny)
        changed[place] ^= flip
        refused(tmp_path / "changed.gp", changed)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"x",
        b"1234567",
        b"\0" * 8,
        b"\0" * 100,
        b"\xff" * 100,
        b"Some text that is no model.\n" * 50,
        (2**63).to_bytes(8, "little") + b"{}",
        (2).to_bytes(8, "little") + b"{}",
        (2).to_bytes(8, "little") + b"[]",
        (200_000).to_bytes(8, "little") + b"[" * 200_000,
        (4).to_bytes(8, "little") + b"\xff\xfe{}",
        DEV.read_bytes(),
    ],
    ids=range(13),
)
def test_something_else(content, tmp_path):
    refused(tmp_path / "other.gp", content)


def test_somebody_elses_safetensors_file(tmp_path):
    numpy_files = pytest.importorskip("safetensors.numpy", reason="safetensors is not installed")
    for metadata in (None, {"format": "pt"}):
        numpy_files.save_file({"weight": np.zeros(10, dtype=np.float32)}, tmp_path / "other.safetensors", metadata)
        refused(tmp_path / "other.safetensors", match="it is a safetensors file, but not one of gardenpath's")


def test_a_newer_format(tiny, tmp_path):
    newer = f'"gardenpath":"{storage.FORMAT + 1}"'.encode()
    content = tiny.replace(f'"gardenpath":"{storage.FORMAT}"'.encode(), newer, 1)
    assert newer in content
    refused(
        tmp_path / "newer.gp",
        content,
        match=f"it has model format {storage.FORMAT + 1}, and this version .* upgrade gardenpath$",
    )


def header_changed(tiny, change):
    """The file with its header changed; the arrays stay."""
    length = int.from_bytes(tiny[:8], "little")
    header = json.loads(tiny[8 : 8 + length])
    change(header)
    new = json.dumps(header).encode()
    return len(new).to_bytes(8, "little") + new + tiny[8 + length :]


@pytest.mark.parametrize("change", [
    lambda header: header["__metadata__"].pop("settings"),
    lambda header: header["__metadata__"].pop("checksum"),
    lambda header: header["__metadata__"].update(settings=7),
    lambda header: header["__metadata__"].update(settings="{"),
    lambda header: header["__metadata__"].update(settings="\ud800"),
    lambda header: header.update(__metadata__=[]),
    lambda header: header.pop("parser.rows"),
    lambda header: header.update(more=7),
    lambda header: header.update({"\ud800": header.pop("parser.rows")}),
    lambda header: header["parser.rows"].update(data_offsets=[0, 10**12]),
    lambda header: header["parser.rows"].update(data_offsets=[-8, 0]),
    lambda header: header["parser.rows"].update(data_offsets="no"),
    lambda header: header["parser.rows"].update(shape=[2, -1]),
    lambda header: header["parser.rows"].update(shape="no"),
    lambda header: header["parser.rows"].update(shape=[10**18, "no"]),
    lambda header: header["parser.rows"].update(shape=[0.5, 10**400]),
    lambda header: header["parser.rows"].update(shape=[10**9] * 10**6),
    lambda header: header["parser.rows"].update(dtype=[]),
    lambda header: header["parser.rows"].update(dtype="F64"),
    lambda header: header["parser.rows"].update(dtype="U8"),
], ids=range(20))
def test_a_header_that_lies(change, tiny, tmp_path):
    refused(tmp_path / "lies.gp", header_changed(tiny, change))


def crafted(tiny, tmp_path, change):
    """A file with a right checksum whose content was changed before."""
    (tmp_path / "tiny.gp").write_bytes(tiny)
    arrays, description = storage.load(tmp_path / "tiny.gp")
    arrays = {name: np.array(array) for name, array in arrays.items()}
    change(arrays, description)
    storage.save(tmp_path / "crafted.gp", arrays, description)
    return tmp_path / "crafted.gp"


def used(arrays):
    return np.flatnonzero(arrays["parser.slots"])


@pytest.mark.parametrize("change", [
    lambda arrays: arrays.update({"parser.slots": arrays["parser.slots"] | np.uint64(0xFFFFFFFF)}),
    lambda arrays: arrays["parser.slots"].put(used(arrays)[0], (7 << 32) | len(arrays["parser.rows"])),
    lambda arrays: arrays["parser.slots"].put(used(arrays)[0], 7 << 32),
    lambda arrays: arrays["parser.slots"].put(range(len(arrays["parser.slots"])), (7 << 32) | 1),
    lambda arrays: arrays.update({"parser.slots": arrays["parser.slots"][:0]}),
    lambda arrays: arrays.update({"parser.rows": arrays["parser.rows"][:0]}),
    lambda arrays: arrays.update({"parser.rows": arrays["parser.rows"][:-1]}),
    lambda arrays: arrays["parser.rows"].put(1, 0x7FFFFFFF),
    lambda arrays: arrays["parser.rows"].put(1, 0xFFFFFFFF),
    lambda arrays: arrays["parser.rows"].put(range(1, len(arrays["parser.rows"])), 0x80000000),
    lambda arrays: arrays["parser.rows"].put(range(2, len(arrays["parser.rows"])), 0x7FFF0001),
    lambda arrays: arrays.update({"parser.rows": arrays["parser.rows"].reshape(1, -1)}),
    lambda arrays: arrays.update({"parser.rows": arrays["parser.rows"].astype(np.uint64)}),
], ids=range(13))
def test_tables_that_lead_nowhere(change, tiny, tmp_path):
    """The checksum is right, but following the tables would leave them."""
    refused(crafted(tiny, tmp_path, lambda arrays, _: change(arrays)))


@pytest.mark.parametrize("change", [
    lambda description: description.clear(),
    lambda description: description.pop("settings"),
    lambda description: description.pop("templates"),
    lambda description: description.update(templates=["S0zz"]),
    lambda description: description.update(templates=7),
    lambda description: description.update(templates=[7]),
    lambda description: description.update(labels=[]),
    lambda description: description["labels"].pop("left"),
    lambda description: description["labels"].update(root=[]),
    lambda description: description["labels"].update(left=7),
    lambda description: description["labels"].update(left=[None]),
    lambda description: description["labels"].update(left=[]),
    lambda description: description["settings"].update(system="nonsense"),
    lambda description: description["settings"].update(system=[]),
    lambda description: description["settings"].pop("single_root"),
    lambda description: description.update(settings="no"),
], ids=range(16))
def test_a_description_that_does_not_fit(change, tiny, tmp_path):
    refused(crafted(tiny, tmp_path, lambda _, description: change(description)))


def test_random_tables_never_crash(tiny, tmp_path):
    """With a right checksum anything may come: it is refused, or it parses."""
    rng = np.random.default_rng(1)
    loaded = 0

    def change(arrays, _):
        for name in rng.choice(sorted(arrays), 2, replace=False):
            flat = arrays[name].reshape(-1)
            places = rng.integers(0, flat.size, rng.integers(0, 3) if flat.size else 0)
            flat[places] = (rng.integers(0, 2**63, len(places)) >> rng.integers(0, 63)).astype(flat.dtype)

    for _ in range(300):
        path = crafted(tiny, tmp_path, change)
        try:
            model = gp.load(path)
        except InputError:
            continue
        loaded += 1
        assert all(
            gp.trees.is_tree(sentence.heads) for sentence in model.parse(list(gp.read_conllu(DEV))[:5], retag=True)
        )
        assert all(gp.trees.is_tree(sentence.heads) for sentence in model("The dog didn't bark. It slept."))
    assert 30 < loaded < 290


def test_no_file_and_no_place(tmp_path):
    with pytest.raises(FileNotFoundError):
        gp.load(tmp_path / "missing.gp")
    with pytest.raises(InputError, match=str(tmp_path)):
        gp.load(tmp_path)
    with pytest.raises(FileNotFoundError) as error:
        trained().save(tmp_path / "missing" / "model.gp")
    assert error.value.filename == str(tmp_path / "missing" / "model.gp")


def test_saving_over_a_loaded_model(tiny, tmp_path):
    """A mapped file stays complete until the last model that uses it is gone."""
    trained().save(tmp_path / "model.gp")
    loaded = gp.load(tmp_path / "model.gp")
    before = loaded.parser.scorer.weights.rows_array.tobytes()
    gp.train(small(tmp_path), epochs=1).save(tmp_path / "model.gp")
    assert loaded.parser.scorer.weights.rows_array.tobytes() == before
    loaded.save(tmp_path / "model.gp")
    assert gp.load(tmp_path / "model.gp").description == loaded.description


def test_a_full_disk_leaves_the_old_model(tiny, tmp_path):
    """A process that may write no more than a few bytes a file fails as on a full disk."""
    pytest.importorskip("resource", reason="this system has no limits on files")
    (tmp_path / "model.gp").write_bytes(tiny)
    code = (
        "import resource, sys, gardenpath as gp\n"
        "model = gp.load(sys.argv[1])\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))\n"
        "model.save(sys.argv[1])\n"
    )
    result = subprocess.run(
        [sys.executable, "-c", code, tmp_path / "model.gp"], capture_output=True, text=True, check=False
    )
    assert "OSError: [Errno 27]" in result.stderr, result.stderr
    assert os.listdir(tmp_path) == ["model.gp"]
    assert (tmp_path / "model.gp").read_bytes() == tiny


@pytest.mark.parametrize("system", ["arc-eager-unshift", "arc-standard", "lr-spine", "attardi"])
def test_a_model_can_be_pickled_and_copied(system):
    model = trained(system)
    sentences = list(gp.read_conllu(DEV))
    expected = [sentence.heads for sentence in model.parse(sentences)]
    for other in (pickle.loads(pickle.dumps(model)), copy.deepcopy(model)):
        assert [sentence.heads for sentence in other.parse(list(gp.read_conllu(DEV)))] == expected
        assert other.description == model.description


@pytest.mark.parametrize("settings", ["{", "[]", "null", "7", "[" * 100_000, '"x"'])
def test_settings_that_are_not_a_table(settings, tiny, tmp_path, monkeypatch):
    monkeypatch.setattr(storage.json, "dumps", lambda value, **_: settings if "labels" in value else DUMPS(value))
    path = crafted(tiny, tmp_path, lambda *_: None)
    monkeypatch.undo()
    refused(path, match="its settings are not a table in JSON")


@pytest.mark.parametrize("change", [
    lambda description: description["settings"].update(beam=10**20),
    lambda description: description["settings"].update(seed=10**400),
    lambda description: description.update(sentences=10**20),
    lambda description: description["labels"].update(root=["a\tb"]),
    lambda description: description["labels"].update(root=["a\nb"]),
    lambda description: description["labels"].update(root=["\ud800"]),
    lambda description: description["labels"].update(root=[""]),
    lambda description: description["labels"].update(root=["a" * 10**6]),
    lambda description: description.update(licence="\ud800"),
    lambda description: description["tagger"]["tags"].append(["a\tb", "_", "_"]),
    lambda description: description["tagger"]["tags"].append(["a", "\ud800", "_"]),
    lambda description: description["tagger"]["lemmas"]["rules"].append([0, 0, "", 0, "x" * 10**6]),
    lambda description: description["tagger"]["lemmas"]["rules"].append([0, 0, "a\tb", 0, ""]),
    lambda description: description["tagger"]["lemmas"]["rules"].append([0, 0, "\ud800", 0, ""]),
    lambda description: description["tokenizer"]["expansions"].append([-1, "a" * 10**6, [], "b", False, 1]),
    lambda description: description["tokenizer"]["expansions"].append([-1, "a", ["b"] * 10**5, "b", False, 1]),
    lambda description: description["tokenizer"]["expansions"].append([["w"], "", 1, 1, "", ["b"] * 10**5]),
    lambda description: description["tokenizer"]["expansions"].append([["w"], "", -1, 1, "", ["b"]]),
    lambda description: description["tokenizer"].pop("kind"),
    lambda description: description.update(dev_las=80.0),
], ids=range(20))
def test_values_that_cannot_be_used(change, tiny, tmp_path, monkeypatch):
    """They would overflow, break the columns of the output, or make it thousands of times as large as the file."""
    monkeypatch.setattr(storage.json, "dumps", lambda value, **_: DUMPS(value))      # escapes lone surrogates
    refused(crafted(tiny, tmp_path, lambda _, description: change(description)))


@pytest.mark.parametrize("value", [0x7FFFFFFF, 0x80000000, 0xFFFFFFFF])
def test_lemmas_that_refer_to_no_rule(value, tiny, tmp_path):
    used = lambda arrays: np.flatnonzero(arrays["tagger.lemmas.keys"])  # noqa: E731
    refused(crafted(tiny, tmp_path, lambda arrays, _: arrays["tagger.lemmas.values"].put(used(arrays), value)))


def test_arrays_of_another_rank(tiny, tmp_path):
    (tmp_path / "tiny.gp").write_bytes(tiny)
    for name in storage.load(tmp_path / "tiny.gp")[0]:
        for shape in ((1, -1), (-1, 1), (1, 1, -1)):
            refused(crafted(tiny, tmp_path, partial(reshape, name, shape)))


def reshape(name, shape, arrays, _):
    arrays[name] = arrays[name].reshape(shape)
