"""The settings of the tagger."""

from __future__ import annotations

from dataclasses import dataclass

from gardenpath.core.settings import SettingsPart, setting
from gardenpath.features.templates import AUTO

TAGS = ("predicted", "jackknife", "gold")


@dataclass(frozen=True)
class TaggerSettings(SettingsPart):
    """The settings of the tagger, and of the tags that the parser learns from.

    `predicted` tags come from a tagger that learns in the same epochs (Honnibal and Johnson 2015). With `jackknife`,
    each fold of the treebank is tagged by a tagger that was trained on the other folds. With `gold`, the parser learns
    from the tags of the treebank, and the model has no tagger.
    """

    tags: str = setting(
        AUTO, "Tags to train the parser on; with gold tags, the model has no tagger; auto depends on the scorer.",
        choices=(AUTO, *TAGS),
    )
    folds: int = setting(10, "Number of folds for jackknifing.", least=2, most=1000)

    def ineffective(self) -> dict[str, str]:
        """The settings that have no effect with these tags, each with the reason."""
        return {} if self.tags == "jackknife" else {"folds": f"it is for tags=jackknife, and tags is {self.tags}"}
