"""How often is text in another language noticed, and how often does text in the right language cause a warning?"""

import argparse
from collections import Counter
from pathlib import Path

import gardenpath as gp
from gardenpath.formats.treebank_folder import parts_of
from gardenpath.models.languages import misfit, own_language
from gardenpath.models.profile import Profile

LENGTHS = (5, 10, 20, 50)


def windows(text: str, length: int, number: int) -> list[str]:
    """Return about this number of pieces of a text, each with `length` tokens between spaces."""
    tokens = text.split()
    step = max(length, len(tokens) // number)
    return [" ".join(tokens[start : start + length]) for start in range(0, len(tokens) - length, step)]


def text_of(path: Path) -> str:
    """Return the text of a treebank; tokens if it has no comments with the text."""
    return " ".join(
        sentence.comment("text") or " ".join(token.form for token in sentence.tokens)
        for sentence in gp.read_conllu(path)
    )


def main() -> None:
    """Print a table: for each length, false alarms, detections, and languages named."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path, help="folders of treebanks")
    parser.add_argument("--models", nargs="+", default=[], help="judge with the profiles of these models instead")
    parser.add_argument("--part", default="test", choices=("dev", "test"), help="the texts to judge")
    parser.add_argument("--texts", type=int, default=180, help="texts per treebank for false alarms")
    parser.add_argument("--pairs", type=int, default=15, help="texts per pair of treebanks")
    settings = parser.parse_args()
    profiles, texts = {}, {}
    for folder in settings.folders:
        parts = parts_of(folder)
        profile = Profile.of(gp.read_conllu(parts["train"]))
        if profile is None or own_language(profile) is None:
            print(f"{folder}: left out, because it is too small or its language is not in the table")
            continue
        profiles[folder], texts[folder] = profile, text_of(parts.get(settings.part, parts["test"]))
    judges = {name: gp.load(name).profile for name in settings.models} or profiles
    rows = [("words", "false alarms", "of", "noticed", "of", "named correctly", "wrongly", "not named")]
    for length in LENGTHS:
        counts: Counter[str] = Counter()
        for judge, profile in judges.items():
            assert profile is not None, judge
            own = own_language(profile)
            for other, text in texts.items():
                language = own_language(profiles[other])
                if other == judge or (settings.models and language == own):
                    judged = [misfit(profile, each) for each in windows(text, length, settings.texts)]
                    counts.update(own=len(judged), alarms=sum(each is not None for each in judged))
                elif language != own:
                    judged = [misfit(profile, each) for each in windows(text, length, settings.pairs)]
                    found = [each.languages for each in judged if each]
                    counts.update(pairs=len(judged), noticed=len(found), unnamed=found.count([]))
                    counts["right"] += sum(language in names for names in found)
        wrong = counts["noticed"] - counts["right"] - counts["unnamed"]
        numbers = (counts[key] for key in ("alarms", "own", "noticed", "pairs", "right"))
        rows.append(tuple(map(str, (length, *numbers, wrong, counts["unnamed"]))))
    for row in rows:
        print("".join(f"{cell:>16}" for cell in row))


if __name__ == "__main__":
    main()
