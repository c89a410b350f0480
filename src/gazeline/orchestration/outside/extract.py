"""Extract features of any film files, as the stages do, and go on where a file fails."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

from gazeline.console import recorded_failure
from gazeline.errors import EncoderError, GazelineError
from gazeline.features.audio.extract import AudioShards, extract_audio
from gazeline.features.text.extract import extract_text
from gazeline.features.video.extract import VideoJob, extract_videos
from gazeline.media.probing.names import shown
from gazeline.media.probing.probe import probe
from gazeline.orchestration.outside.cues import FILE_CUES, NoCues, cues_of
from gazeline.orchestration.outside.encoders import in_user_s_words
from gazeline.orchestration.outside.jobs import Job
from gazeline.orchestration.outside.kept import check_same, note_origin
from gazeline.orchestration.outside.settings import Settings
from gazeline.schema.annotations import SEGMENT_TEXT
from gazeline.tables import from_frame, write_table

State = Literal["made", "kept", "left out", "failed"]


@dataclass(frozen=True)
class Outcome:
    """What became of one job, or of a file; `error` where it failed."""

    label: str
    state: State
    text: str
    error: GazelineError | None = None


@dataclass(frozen=True)
class Manner:
    """How to go about it.

    `force` writes shards again that are there; `asked` tells that the user named what to extract,
    so that a file which lacks it fails; encoded windows outlive a kill in `scratch`.
    """

    force: bool
    asked: bool
    scratch: Path


def extract_all(
    jobs: Sequence[Sequence[Job]], settings: Settings, manner: Manner
) -> Iterator[Outcome]:
    """Yield what becomes of the jobs of each file; a file that fails stops none of the others."""
    for of_file in jobs:
        try:
            with recorded_failure(shown(of_file[0].file.name)):
                info = probe(of_file[0].file)
        except GazelineError as error:
            yield _failed(shown(of_file[0].file.name), error)
            continue
        pictures = [job for job in of_file if job.encoder.modality == "video"]
        if info.video is None and not manner.asked:
            yield from (Outcome(job.label, "left out", info.video_reason) for job in pictures)
        else:
            yield from _extract_pictures(pictures, settings, manner)
        for job in of_file:
            if job not in pictures:
                yield _extract_other(job, settings, manner)


def _failed(label: str, error: GazelineError) -> Outcome:
    return Outcome(label, "failed", error.what, error)


def _failed_job(job: Job, error: GazelineError) -> Outcome:
    given = job.encoder.given
    if given is not None and isinstance(error, EncoderError):
        error = in_user_s_words(error, given)
    return _failed(job.label, error)


def _kept(job: Job, settings: Settings, manner: Manner) -> Outcome | None:
    """Return that the job's shards are there, or that others are; None where it is to be done."""
    if manner.force or not any(out.exists() for out in job.outs):
        return None
    try:
        with recorded_failure(job.label):
            check_same(job, settings)
    except GazelineError as error:
        return _failed(job.label, error)
    return Outcome(job.label, "kept", f"{shown(str(job.main))} is there already")


def _extract_pictures(jobs: Sequence[Job], settings: Settings, manner: Manner) -> Iterator[Outcome]:
    """Extract for every video encoder in one decoding of the film."""
    left = []
    for job in jobs:
        kept = _kept(job, settings, manner)
        if kept is None:
            left.append(job)
        else:
            yield kept
    if not left:
        return
    wanted = [VideoJob(job.encoder.folder, settings.features.video, job.main) for job in left]
    try:
        with recorded_failure(left[0].label):
            reports = extract_videos(
                left[0].file, wanted, settings.runtime, 1.0, scratch=manner.scratch
            )
            for job in left:
                note_origin(job)
    except GazelineError as error:
        yield from (_failed_job(job, error) for job in left)
        return
    for job, report in zip(left, reports, strict=True):
        yield Outcome(job.label, "made", report.sentence())


def _extract_other(job: Job, settings: Settings, manner: Manner) -> Outcome:
    kept = _kept(job, settings, manner)
    if kept is not None:
        return kept
    extract = _extract_sound if job.encoder.modality == "audio" else _extract_text
    try:
        with recorded_failure(job.label):
            outcome = extract(job, settings, manner)
            if outcome.state == "made":
                note_origin(job)
            return outcome
    except GazelineError as error:
        return _failed_job(job, error)


def _extract_sound(job: Job, settings: Settings, manner: Manner) -> Outcome:
    report = extract_audio(
        job.file,
        job.encoder.folder,
        settings.features.audio,
        settings.runtime,
        1.0,
        AudioShards(job.main, job.side or job.main),
        scratch=manner.scratch,
    )
    return Outcome(job.label, "made", report.sentence())


def _extract_text(job: Job, settings: Settings, manner: Manner) -> Outcome:
    """Write the text shard of a film's own cues, and the cues with their times."""
    try:
        cues = cues_of(job.file, settings.subtitles)
    except NoCues as error:
        if manner.asked:
            raise
        return Outcome(job.label, "left out", error.what)
    with TemporaryDirectory() as folder:
        texts = Path(folder) / "texts.parquet"
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
