"""Extract features of any film files, as the stages do, and go on where a file fails."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

from gazeline.errors import FeatureError, GazelineError
from gazeline.features.audio.encoder import read_audio_input
from gazeline.features.audio.extract import AudioShards, extract_audio
from gazeline.features.common.folder import weights_hash
from gazeline.features.common.loading import read_settings as read_encoder_settings
from gazeline.features.text.extract import extract_text
from gazeline.features.video.encoder import read_video_input
from gazeline.features.video.extract import check_window, extract_video
from gazeline.media.probing.names import shown
from gazeline.media.probing.probe import probe
from gazeline.media.sounds.sound import RATE
from gazeline.orchestration.outside.cues import FILE_CUES, NoCues, cues_of
from gazeline.orchestration.outside.encoders import Encoder
from gazeline.orchestration.outside.jobs import Job
from gazeline.orchestration.outside.settings import Settings
from gazeline.schema.annotations import SEGMENT_TEXT
from gazeline.tables import from_frame, read_metadata, write_table

State = Literal["made", "kept", "left out", "failed"]


@dataclass(frozen=True)
class Outcome:
    """What became of one job, or of a file; `error` where it failed."""

    label: str
    state: State
    text: str
    error: GazelineError | None = None


def extract_all(
    jobs: Sequence[Sequence[Job]], settings: Settings, *, force: bool, asked: bool
) -> Iterator[Outcome]:
    """Yield what becomes of each job; a file that fails stops none of the others.

    Args:
        jobs: the jobs of each file.
        force: whether shards that are there are written again.
        asked: whether the user asked for the modalities; else what a file lacks is left out.
    """
    for of_file in jobs:
        try:
            info = probe(of_file[0].file)
        except GazelineError as error:
            yield _failed(shown(of_file[0].file.name), error)
            continue
        for job in of_file:
            if job.encoder.modality == "video" and info.video is None and not asked:
                yield Outcome(job.label, "left out", info.video_reason)
            else:
                yield _carry_out(job, settings, force=force, asked=asked)


def _carry_out(job: Job, settings: Settings, *, force: bool, asked: bool) -> Outcome:
    try:
        if not force and any(out.exists() for out in job.outs):
            _check_same(job, settings)
            return Outcome(job.label, "kept", f"{shown(str(job.main))} is there already")
        return _extract(job, settings, asked=asked)
    except GazelineError as error:
        return _failed(job.label, error)


def _failed(label: str, error: GazelineError) -> Outcome:
    return Outcome(label, "failed", error.what, error)


def _extract(job: Job, settings: Settings, *, asked: bool) -> Outcome:
    features, folder = settings.features, job.encoder.folder
    if job.encoder.modality == "video":
        video = extract_video(job.file, folder, features.video, settings.runtime, 1.0, job.main)
        return Outcome(job.label, "made", video.sentence())
    if job.encoder.modality == "audio":
        outs = AudioShards(job.main, job.side or job.main)
        audio = extract_audio(job.file, folder, features.audio, settings.runtime, 1.0, outs)
        return Outcome(job.label, "made", audio.sentence())
    return _extract_text(job, settings, asked=asked)


def _extract_text(job: Job, settings: Settings, *, asked: bool) -> Outcome:
    """Write the text shard of a film's own cues, and the cues with their times."""
    try:
        cues = cues_of(job.file, settings.subtitles)
    except NoCues as error:
        if asked:
            raise
        return Outcome(job.label, "left out", error.what)
    with TemporaryDirectory() as scratch:
        texts = Path(scratch) / "texts.parquet"
        write_table(from_frame(cues.frame, SEGMENT_TEXT), SEGMENT_TEXT, texts)
        report = extract_text(
            texts, job.encoder.folder, settings.features.text, settings.runtime, job.main
        )
    try:
        write_table(from_frame(cues.frame, FILE_CUES), FILE_CUES, job.side or job.main)
    except GazelineError:
        job.main.unlink(missing_ok=True)
        raise
    sentence = report.sentence().replace("segments", "cues")
    return Outcome(job.label, "made", f"{sentence}, from {cues.source}")


def _check_same(job: Job, settings: Settings) -> None:
    """Check that the shards that are there are what would be made.

    Raises:
        FeatureError: they are of another encoder or other settings, older than the file, or one
            of them is missing.
    """
    reason = _difference(job, settings)
    if reason:
        raise FeatureError(
            f"{shown(job.main.name)} is there already, but {reason}",
            where=shown(str(job.main)),
            todo="give --force to write it again, or another folder for --out",
        )


def _difference(job: Job, settings: Settings) -> str | None:
    if not all(out.is_file() for out in job.outs):
        return f"not {', '.join(shown(str(o)) for o in job.outs if not o.is_file())}"
    if job.file.stat().st_mtime > min(out.stat().st_mtime for out in job.outs):
        return f"{shown(job.file.name)} has changed since"
    made = read_metadata(job.main)
    if made.get("weights_sha256") != weights_hash(job.encoder.folder):
        return f"made with another encoder ({made.get('encoder', 'unknown')})"
    wanted = {key: str(value) for key, value in _settings(job, settings).items()}
    other = sorted(key for key, value in wanted.items() if made.get(key) != value)
    return f"made with another {', '.join(other)}" if other else None


def _settings(job: Job, settings: Settings) -> dict[str, object]:
    """Return the settings that a shard records."""
    features = settings.features
    if job.encoder.modality == "video":
        return features.video.model_dump(include={"window_frames", "stride_frames", "partial"})
    if job.encoder.modality == "audio":
        return features.audio.model_dump()
    lowercase = "yes" if features.text.lowercase else "no"
    return {"max_tokens": features.text.max_tokens, "lowercase": lowercase}


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
            if not settings.of_project:
                n_frames = read_video_input(encoder.folder)[0].n_frames
                grid = {"window_frames": n_frames, "stride_frames": n_frames}
                features = features.model_copy(
                    update={"video": features.video.model_copy(update=grid)}
                )
            check_window(encoder.folder, features.video)
        elif encoder.modality == "audio":
            audio_input, _ = read_audio_input(encoder.folder)
            audio_input.check_chunk(encoder.name, round(features.audio.chunk_s * RATE))
        elif not settings.of_project:
            longest = read_encoder_settings(encoder.folder, "config.json").get(
                "max_position_embeddings", features.text.max_tokens
            )
            most = {"max_tokens": min(features.text.max_tokens, int(longest))}
            features = features.model_copy(update={"text": features.text.model_copy(update=most)})
    return replace(settings, features=features)
