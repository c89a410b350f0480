"""Tell whether shards that are there already are what would be made."""

from __future__ import annotations

from gazeline.errors import FeatureError
from gazeline.features.common.device import pick_device, precision_name, uses_bf16
from gazeline.features.common.folder import weights_hash
from gazeline.files import read_json, write_json
from gazeline.media.probing.names import shown
from gazeline.orchestration.outside.jobs import Job
from gazeline.orchestration.outside.settings import Settings
from gazeline.params.features import AudioParams, TextParams, VideoParams
from gazeline.tables import read_metadata

RECORDED = {"window_frames", "stride_frames", "partial", "chunk_s", "frame_length", "hop_length"}


def check_same(job: Job, settings: Settings) -> None:
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


def note_origin(job: Job) -> None:
    """Note which file a job's shards were made from."""
    write_json(job.origin, _identity(job))


def _identity(job: Job) -> dict[str, int]:
    """Return what tells a file from others of its name, also where it has been moved."""
    about = job.file.stat()
    return {"bytes": about.st_size, "modified_ns": about.st_mtime_ns}


def _difference(job: Job, settings: Settings) -> str | None:
    if not all(out.is_file() for out in job.outs):
        return f"not {', '.join(shown(str(o)) for o in job.outs if not o.is_file())}"
    if job.file.stat().st_mtime > min(out.stat().st_mtime for out in job.outs):
        return f"{shown(job.file.name)} has changed since"
    if job.origin.is_file() and read_json(job.origin) != _identity(job):
        return f"made from another {shown(job.file.name)}"
    made = read_metadata(job.main)
    if made.get("weights_sha256") != weights_hash(job.encoder.folder):
        return f"made with another encoder ({made.get('encoder', 'unknown')})"
    wanted = {key: str(value) for key, value in _settings(job, settings).items()}
    other = sorted(key for key, value in wanted.items() if made.get(key) != value)
    return f"made with another {', '.join(other)}" if other else None


def _settings(job: Job, settings: Settings) -> dict[str, object]:
    """Return the settings that a shard records."""
    params: VideoParams | AudioParams | TextParams = getattr(
        settings.features, job.encoder.modality
    )
    bf16 = uses_bf16(pick_device(settings.runtime), params.precision)
    recorded = params.model_dump(include=RECORDED) | {"precision": precision_name(bf16)}
    if isinstance(params, TextParams):
        lowercase = "yes" if params.lowercase else "no"
        recorded |= {"max_tokens": params.max_tokens, "lowercase": lowercase}
    return recorded
