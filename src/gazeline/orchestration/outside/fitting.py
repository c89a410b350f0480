"""Settings that fit the encoders chosen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gazeline.features.audio.encoder import read_audio_input
from gazeline.features.common.loading import read_settings as read_encoder_settings
from gazeline.features.video.encoder import read_video_input
from gazeline.features.video.extract import check_window
from gazeline.media.sounds.sound import RATE
from gazeline.orchestration.outside.encoders import Encoder
from gazeline.orchestration.outside.settings import Settings
from gazeline.params.features import TextParams, VideoParams


def fitted(settings: Settings, encoders: Sequence[Encoder]) -> Settings:
    """Return settings that fit the encoders, or say which do not.

    Where no project sets them, windows are as long as the video encoder takes them, one after the
    other, and texts at most as long as the text encoder takes them.

    Raises:
        EncoderError: an encoder does not fit the project's settings, or cannot be read.
    """
    features = settings.features
    for encoder in encoders:
        if encoder.modality == "video":
            video = features.video if settings.of_project else _own_grid(encoder, features.video)
            check_window(encoder.folder, video)
            features = features.model_copy(update={"video": video})
        elif encoder.modality == "audio":
            audio_input, _ = read_audio_input(encoder.folder)
            audio_input.check_chunk(encoder.name, round(features.audio.chunk_s * RATE))
        elif not settings.of_project:
            features = features.model_copy(update={"text": _own_length(encoder, features.text)})
    return replace(settings, features=features)


def _own_grid(encoder: Encoder, params: VideoParams) -> VideoParams:
    n_frames = read_video_input(encoder.folder)[0].n_frames
    return params.model_copy(update={"window_frames": n_frames, "stride_frames": n_frames})


def _own_length(encoder: Encoder, params: TextParams) -> TextParams:
    longest = read_encoder_settings(encoder.folder, "config.json").get("max_position_embeddings")
    if not isinstance(longest, int):
        return params
    return params.model_copy(update={"max_tokens": min(params.max_tokens, longest)})
