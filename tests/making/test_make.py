"""Models are made from a server like GitHub, from folders and from archives; nothing is ever half-installed."""

import hashlib
import os
import re
import threading
import time

import pytest

import gardenpath as gp
from gardenpath import files
from gardenpath.making import MakeOptions, make
from gardenpath.making.state import FOLDER, MakingState
from gardenpath.models import installed
from gardenpath.treebank import download, fetch
from sample import TRAIN
from small_treebanks import TREEBANKS, archives, files_of, folder_of, zip_of
from treebank_server import Server, archive_of

QUICK = {"epochs": 1, "min_updates": 1}
FAST = {name: f"{code}-fast" for name, code in TREEBANKS.items()}
GSD = "/UD_German-GSD/archive/refs/tags/r2.16.tar.gz"


class Killed(BaseException):
    """The process ends here, whatever it was doing."""


@pytest.fixture
def server(monkeypatch):
    monkeypatch.setattr(download, "PAUSE", 0.01)
    started = Server(b"")
    started.others = archives()
    yield started
    started.close()


@pytest.fixture
def models(tmp_path, monkeypatch):
    monkeypatch.setenv(installed.VARIABLE, str(tmp_path / "models"))
    return tmp_path / "models"


@pytest.fixture
def making(server, models):
    """Make a model from the server, in one epoch."""
    def call(asked, *, hooks=None, **options):
        return make(asked, MakeOptions(**{"url": server.url, "settings": QUICK} | options), **hooks or {})

    return call


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    """The model files of the three treebanks, made without interference."""
    folder = tmp_path_factory.mktemp("undisturbed")
    for i, (name, code) in enumerate(TREEBANKS.items()):
        source = folder_of(folder / name, code, first=10 * i)
        make(name, MakeOptions(source, "2.16", settings=QUICK, folder=folder / "models"))
    return {name: (folder / "models" / f"{model}.gp").read_bytes() for name, model in FAST.items()}


def left(models):
    """Return the names of everything in the folder of the models."""
    return sorted(os.listdir(models)) if models.exists() else []


def test_three_treebanks_from_a_difficult_server(making, server, models, undisturbed):
    """Redirects, errors, connections that break, and a slow connection."""
    server.redirect = server.url
    server.plan = [503, -3000, -2000, 429]
    server.chunk, server.between = 1000, lambda: time.sleep(0.001)
    told = []
    for asked, name in zip(("German", "lv", "UD_French-Sequoia"), TREEBANKS, strict=True):
        made = making(asked, hooks={"tell": told.append})
        assert (made.name, made.path, made.scored_part) == (FAST[name], models / f"{FAST[name]}.gp", "test")
        assert made.path.read_bytes() == undisturbed[name]
    assert left(models) == sorted(f"{name}.gp" for name in FAST.values())
    assert sum(text.startswith("the connection broke after") for text in told) == 2
    about = gp.load("Deutsch").about
    assert (about.treebank, about.licence, about.citation) == (
        "UD German-GSD 2.16", "CC BY-SA 4.0", "Ada Lovelace. 1843. Notes.",
    )
    assert about.test_scores["LAS"] > 30
    assert len(gp.load("fr")("The dog saw the old man. It barked.").sentences) > 0


STAGES = ("getting", "download", "checking", "training", "step", "evaluating", "installing")


@pytest.mark.parametrize("stage", STAGES)
def test_killed_in_every_stage(making, models, server, undisturbed, monkeypatch, stage):
    def die_if(condition):
        if condition:
            raise Killed

    hooks = {
        "tell": lambda text: die_if(text.startswith(stage)), "watch": lambda _: die_if(stage == "step"),
        "progress": lambda done, _: die_if(stage == "download" and done > 2000),
    }
    server.chunk = 1000
    with monkeypatch.context() as patched:
        if stage == "installing":
            rename = os.replace
            patched.setattr(files.os, "replace", lambda source, target: (
                die_if(str(target).endswith("-fast.gp")), rename(source, target)
            ))
        with pytest.raises(Killed):
            making("German", hooks=hooks)
    assert not list(models.glob("*.gp"))
    told, steps, before = [], [], len(server.requests)
    made = making("de_gsd", hooks={"tell": told.append, "watch": steps.append})
    assert made.path.read_bytes() == undisturbed["UD_German-GSD"]
    assert left(models) == ["de_gsd-fast.gp"]
    is_trained = stage in ("evaluating", "installing")
    assert (bool(steps), "the model is trained already" in told) == (not is_trained, is_trained)
    assert (len(server.requests) > before) == (stage in ("getting", "download"))


@pytest.mark.skipif(os.name == "nt", reason="Windows has other signals")
def test_killed_at_random_moments():
    """Any moment must do. `random_kills.py` tries more of them."""
    from random_kills import Making, Victim  # not for Windows

    making = Making(archives(), epochs=1)
    for name in ("models make UD_German-GSD", "models make UD_German-GSD --force"):
        victim = Victim(name, making.jobs()[name], seed=21)
        victim.kill(3)
        assert victim.counts["killed"] >= 3
        assert not victim.faults
    making.server.close()


def test_checksums(making, models, server):
    with pytest.raises(gp.InputError, match=r"has SHA-256 .*, not 0000.*, and was deleted"):
        making("German", sha256="0" * 64)
    assert left(models) == []
    making("German", sha256=hashlib.sha256(server.others[GSD]).hexdigest())
    assert left(models) == ["de_gsd-fast.gp"]


def test_treebanks_that_the_server_does_not_have(making, models, server):
    with pytest.raises(gp.InputError, match=r"UD_German-GSX/.*: the server has no such file; .* did you mean"):
        making("UD_German-GSX")
    del server.others[GSD]
    with pytest.raises(gp.InputError, match=r"UD_German-GSD/.*: the server has no such file"):
        making("German")
    assert left(models) == []


def test_a_server_that_breaks_off_every_time(making, models, server, monkeypatch):
    monkeypatch.setattr(download, "ATTEMPTS", 2)
    server.plan = [-1000, -1000]
    with pytest.raises(gp.InputError, match="2 times; check the connection and run the command again"):
        making("German")
    assert left(models) == [FOLDER]
    making("German")
    assert server.requests[-1]["range"] == "bytes=2000-"


@pytest.mark.parametrize("name, message", [
    ("Germn", r"no language or treebank 'Germn'; did you mean German\?"),
    ("Abaza", "no treebank of Abaza is known to have a training set"),
])
def test_unknown_names(making, models, name, message):
    with pytest.raises(gp.UsageError, match=message):
        making(name)
    assert left(models) == []


def test_an_installed_model_is_replaced_only_with_force(making, models, server):
    making("German")
    with pytest.raises(gp.UsageError, match="a model de_gsd-fast is already installed"):
        making("German")
    assert len(server.requests) == 1
    first = (models / "de_gsd-fast.gp").read_bytes()
    server.others[GSD] = archive_of(files_of("de_gsd", 30), top="UD_German-GSD-r2.16")
    assert making("German", force=True).path.read_bytes() != first
    assert making("German", name="mine").path == models / "mine.gp"


def test_other_settings_begin_again(making, models):
    def die(text):
        if text.startswith("evaluating"):
            raise Killed

    with pytest.raises(Killed):
        making("German", hooks={"tell": die})
    steps = []
    assert making("German", settings=QUICK | {"seed": 5}, hooks={"watch": steps.append}).model.about.settings.seed == 5
    assert steps


def test_two_processes_at_once(making, models):
    told = []

    def tell(text):
        if text.startswith("checking"):
            with pytest.raises(gp.UsageError, match="another process is making the model"):
                making("German")
        told.append(text)

    thread = threading.Thread(target=making, args=("German",), kwargs={"hooks": {"tell": tell}})
    thread.start()
    thread.join()
    assert told[-1] == "evaluating on raw text"
    assert left(models) == ["de_gsd-fast.gp"]


def test_local_treebanks(models, tmp_path):
    """A folder, a folder of treebanks, and archives."""
    release = tmp_path / "ud"
    folder = folder_of(release / "UD_French-Sequoia", "fr_sequoia")
    folder_of(release / "UD_German-GSD", "de_gsd")
    tar = tmp_path / "UD_French-Sequoia-r2.16.tar.gz"
    tar.write_bytes(archive_of(files_of("fr_sequoia"), top="UD_French-Sequoia-r2.16"))
    zips = [zip_of(tmp_path / "a.zip", "fr_sequoia"), zip_of(tmp_path / "b.zip", "fr_sequoia", "")]
    found = set()
    for place in (folder, release, *zips, tar):
        name = "fr_sequoia" if place == release else "French"
        made = make(name, MakeOptions(place, "2.16", settings=QUICK, force=True))
        assert (made.name, made.treebank.title) == ("fr_sequoia-fast", "UD French-Sequoia 2.16")
        found.add(made.path.read_bytes())
    assert len(found) == 1
    assert left(models) == ["fr_sequoia-fast.gp"]


def test_a_treebank_that_is_not_in_the_catalogue(models, tmp_path):
    place = folder_of(tmp_path / "mine", "xx_mine", parts=("train",))
    made = make("Mine", MakeOptions(place, settings=QUICK))
    assert (made.name, made.treebank.title, made.scored_part) == ("xx_mine-fast", "xx_mine", None)
    assert made.model.about.test_scores is None


def test_a_treebank_without_a_dev_set_or_with_several_files(models, tmp_path):
    place = folder_of(tmp_path / "pdt", "cs_pdtc", parts=("train", "test"))
    whole = (place / "cs_pdtc-ud-train.conllu").read_text()
    middle = whole.index("\n\n", len(whole) // 2) + 1
    (place / "cs_pdtc-ud-train.conllu").unlink()
    (place / "cs_pdtc-ud-train-a.conllu").write_text(whole[:middle])
    (place / "cs_pdtc-ud-train-b.conllu").write_text(whole[middle:].lstrip("\n"))
    made = make("Czech", MakeOptions(place, settings=QUICK))
    assert (made.name, made.model.about.sentences, made.scored_part) == ("cs_pdtc-fast", 60, "test")


def test_ids_need_not_be_unique(models, tmp_path):
    place = folder_of(tmp_path / "mine", "xx_mine", parts=("train",))
    train = place / "xx_mine-ud-train.conllu"
    train.write_text(re.sub("# sent_id = .*", "# sent_id = 1", train.read_text()))
    assert make("Mine", MakeOptions(place, settings=QUICK)).model.about.sentences == 60


def changed(place, change):
    train = place / "de_gsd-ud-train.conllu"
    text = train.read_text()
    if change == "hidden":
        train.write_text(re.sub(r"^(\d+)\t[^\t]+\t", r"\1\t_\t", text, flags=re.MULTILINE))
    elif change == "broken":
        train.write_text(text.replace("\troot\t", "\t_\t"))
    elif change == "none":
        train.unlink()
    else:
        train.rename(place / "de_hdt-ud-train.conllu")


@pytest.mark.parametrize("change, name, message", [
    ("hidden", "German", "UD German-GSD: the words are left out for copyright reasons"),
    ("broken", "German", "has a head but no DEPREL; .* .* more errors; `gardenpath check .*conllu` lists all"),
    ("none", "German", "no training set; choose another treebank of German: UD_German-GSD, UD_German-HDT"),
    ("mixed", "German", "files of several treebanks: de_gsd, de_hdt"),
    ("other", "French", "this is the treebank de_gsd, not French; .* `gardenpath models make de_gsd --from"),
    ("other", "de_hdt", "this is the treebank de_gsd, not de_hdt"),
])
def test_unusable_local_treebanks(models, tmp_path, change, name, message):
    place = folder_of(tmp_path / "tb", "de_gsd")
    if change != "other":
        changed(place, change)
    with pytest.raises((gp.InputError, gp.UsageError), match=message):
        make(name, MakeOptions(place, settings=QUICK))
    assert left(models) in ([], [FOLDER])


@pytest.mark.parametrize("path, message", [
    ("nothing", "there is no such folder or archive"), ("a.txt", "this is neither a folder nor an archive"),
    ("empty", "there is no treebank UD_German-GSD; there are no CoNLL-U files"),
    ("mine.conllu", "this is a file, .*; train with `gardenpath train .*mine.conllu -o mine.gp`, and install"),
])
def test_places_without_a_treebank(models, tmp_path, path, message):
    for name in ("a.txt", "mine.conllu"):
        (tmp_path / name).write_text("")
    (tmp_path / "empty").mkdir()
    with pytest.raises((gp.InputError, gp.UsageError), match=message):
        make("German", MakeOptions(tmp_path / path))


def test_no_name(models, tmp_path):
    with pytest.raises(gp.UsageError, match="the name is empty; give the name of a language or of a treebank"):
        make(" ", MakeOptions(tmp_path))


def test_a_network_resumes_from_its_checkpoint(models, tmp_path):
    pytest.importorskip("torch")
    place = folder_of(tmp_path / "tb", "de_gsd")
    tiny = {"epochs": 2, "layers": 1, "hidden_size": 16, "tokenizer": "none"}
    options = MakeOptions(place, network=True, settings=tiny)

    def die(step):
        if step.ended:
            raise Killed

    with pytest.raises(Killed):
        make("German", options, watch=die)
    told = []
    assert make("German", options, tell=told.append).name == "de_gsd"
    assert "resuming the training from the last checkpoint" in told
    assert left(models) == ["de_gsd.gp"]


@pytest.mark.parametrize("name", ["..", "../..", "a/b", "/etc", "."])
def test_the_state_is_always_in_its_folder(tmp_path, name):
    assert MakingState(tmp_path, name).folder.resolve().parent == tmp_path / FOLDER


def test_the_state_of_another_version_is_discarded(tmp_path):
    state = MakingState(tmp_path, "x")
    with state.held("x"):
        settings = gp.models.settings.Settings.configured(None)
        assert not state.begin(settings, [], {})
        state.model.write_bytes(b"")
        state.finish_training()
        assert state.begin(settings, [], {})
        assert not state.begin(settings, [TRAIN], {})
        assert not state.model.exists()


def test_the_names_and_addresses_are_those_of_the_catalogue():
    assert fetch.BASE == gp.catalogue.BASE
    assert gp.catalogue.release() == fetch.RELEASE
