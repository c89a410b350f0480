"""Make the pictures and the account by which a person judges the alignment of a film."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from gazeline.alignment.align import examine_film
from gazeline.alignment.copy import examine_copy
from gazeline.alignment.corpus import read_corpus_clock
from gazeline.alignment.evidence import MapEvidence
from gazeline.alignment.sources import Dialogue, dialogue_of
from gazeline.checks.account import Account, Verdict, verdict_of
from gazeline.checks.contact_sheet import Pair, draw_sheet, write_sheet
from gazeline.checks.evidence_figure import draw_evidence, write_evidence
from gazeline.checks.samples import SampleSegment, choose_segments, count_mapped
from gazeline.media.pictures.geometry import PictureSpec
from gazeline.media.probing.probe import probe
from gazeline.media.stills import TOLERANCE_S, stills_at
from gazeline.params.alignment import AlignParams
from gazeline.params.corpora import FilmParams
from gazeline.schema.annotations import SEGMENTS
from gazeline.subtitles.reading.read import Cue
from gazeline.tables import read_frame

N_SEGMENTS = 6
PICTURE = PictureSpec(shortest_edge=160)


@dataclass(frozen=True)
class Places:
    """Where the files of a film are; `subtitles` and `hand_map` may be None."""

    copy: Path
    subtitles: Path | None
    hand_map: Path | None
    corpora: Sequence[Path]


def check_film(
    film_id: str, places: Places, params: AlignParams, film: FilmParams, out: Path
) -> list[Account]:
    """Align a film anew, judge nothing, and draw what there is to see, one account a corpus.

    Args:
        out: folder for `<corpus>-evidence.png` and `<corpus>-segments.png`.

    Raises:
        MediaError: the copy cannot be read.
        SubtitleError: the subtitle file cannot be read.
        AlignmentError: a corpus does not know the film, or the map made by hand is wrong.
    """
    clocks = {folder.name: read_corpus_clock(folder, film_id) for folder in places.corpora}
    found = examine_film(places.copy, places.subtitles, places.hand_map, clocks, params)
    copy_cues = _own_cues(places)
    accounts = []
    for folder in places.corpora:
        name, evidence = folder.name, found[folder.name]
        segments = read_frame(folder / "segments.parquet", SEGMENTS)
        own = segments[segments["film_id"] == film_id]
        verdict = verdict_of(evidence, params, film)
        samples = choose_segments(own, clocks[name].cues, evidence.time_map, copy_cues, N_SEGMENTS)
        title = f"{film_id}, corpus {name}, copy {places.copy.name}"
        pictures = _draw(
            out / name, title, evidence, verdict, clocks[name].duration_s, samples, places.copy
        )
        accounts.append(
            Account(
                film_id=film_id,
                corpus=name,
                evidence=evidence,
                verdict=verdict,
                wanted=params.min_confidence,
                duration_s=clocks[name].duration_s,
                mapped=count_mapped(own, evidence.time_map),
                pictures=pictures,
            )
        )
    return accounts


def _own_cues(places: Places) -> Sequence[Cue] | None:
    """Return the text that the copy comes with, None where it has none."""
    sources = dialogue_of(examine_copy(places.copy), places.subtitles)
    return next((source.cues for source in sources if isinstance(source, Dialogue)), None)


def _draw(
    stem: Path,
    title: str,
    evidence: MapEvidence,
    verdict: Verdict,
    duration_s: float,
    samples: Sequence[SampleSegment],
    copy: Path,
) -> tuple[Path, ...]:
    figure_path = stem.with_name(f"{stem.name}-evidence.png")
    caption = f"by {evidence.method}, confidence {evidence.confidence:.2f}: {verdict.word}"
    spans = [sample.annotation for sample in samples]
    write_evidence(figure_path, draw_evidence(evidence, title, caption, duration_s, spans))
    sheet_path = stem.with_name(f"{stem.name}-segments.png")
    info = probe(copy)
    if not samples or info.video is None:
        sheet_path.unlink(missing_ok=True)
        return (figure_path,)
    times = [time for s in samples for time in (s.copy[0], s.copy[1] - 2 * TOLERANCE_S)]
    stills = [still.pixels if still else None for still in stills_at(info, times, PICTURE)]
    pairs: list[Pair] = list(zip(stills[::2], stills[1::2], strict=True))
    write_sheet(
        sheet_path, draw_sheet(f"{title}. {caption}", list(zip(samples, pairs, strict=True)))
    )
    return figure_path, sheet_path
