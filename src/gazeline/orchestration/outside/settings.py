"""The settings for files outside DVC: those of the project here, else the defaults."""

from __future__ import annotations

from dataclasses import dataclass, field

from gazeline.params.base import PARAMS_FILE, load_section
from gazeline.params.features import AudioParams, TextParams, VideoParams
from gazeline.params.runtime import RuntimeParams
from gazeline.params.subtitles import SubtitlesParams
from gazeline.params.whole import FeaturesParams


@dataclass(frozen=True)
class Settings:
    """What reaches the features of a file, how they are computed, and whose settings they are."""

    features: FeaturesParams = field(default_factory=FeaturesParams)
    subtitles: SubtitlesParams = field(default_factory=SubtitlesParams)
    runtime: RuntimeParams = field(default_factory=RuntimeParams)
    of_project: bool = False


def read_settings() -> Settings:
    """Return the settings of the project in this folder; the defaults where there is none.

    Raises:
        ParamsError: its params.yaml is not valid.
    """
    if not PARAMS_FILE.is_file():
        return Settings()
    return Settings(
        features=FeaturesParams(
            video=load_section(VideoParams, "features.video"),
            audio=load_section(AudioParams, "features.audio"),
            text=load_section(TextParams, "features.text"),
        ),
        subtitles=load_section(SubtitlesParams, "subtitles"),
        runtime=load_section(RuntimeParams, "runtime"),
        of_project=True,
    )
