"""`gazeline …`: what is not a DVC stage. Each command calls one library function."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gazeline import __version__
from gazeline.console import shown_errors

if TYPE_CHECKING:
    from gazeline.orchestration.outside.encoders import Modality


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__)
def main() -> None:
    """From films and expert annotations to reproducible findings."""


@main.command()
def demo() -> None:
    """Run the whole pipeline and show the metrics."""
    from gazeline.commands.run import run_demo

    with shown_errors("gazeline demo"):
        sys.exit(run_demo())


@main.command(context_settings={"ignore_unknown_options": True})
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def repro(arguments: tuple[str, ...]) -> None:
    """Bring every result up to date (ARGUMENTS go to `dvc repro`)."""
    from gazeline.commands.run import run_repro

    with shown_errors("gazeline repro"):
        sys.exit(run_repro(arguments))


@main.command()
def summary() -> None:
    """Show the metrics as a table, and what was left out."""
    from gazeline.commands.summary import show_summary

    with shown_errors("gazeline summary"):
        show_summary()


@main.command()
@click.option("--out", type=click.Path(path_type=Path), help="Markdown page to write.")
def ledger(out: Path | None) -> None:
    """Count which figures of the paper are reproduced, or write the page that lists them all."""
    from gazeline.commands.ledger import show_ledger

    with shown_errors("gazeline ledger"):
        show_ledger(out)


@main.command()
@click.option("--check", is_flag=True, help="Only say whether plan.yaml is fresh.")
def plan(check: bool) -> None:
    """Expand params.yaml into plan.yaml, which dvc.yaml loops over."""
    from gazeline.commands.plan import show_plan

    with shown_errors("gazeline plan"):
        show_plan(check_only=check)


@main.command()
def status() -> None:
    """Show what is there, what `dvc repro` would really run and why, and how long it takes."""
    from gazeline.commands.status import show_status

    with shown_errors("gazeline status"):
        show_status()


@main.command()
def doctor() -> None:
    """Check ffmpeg, encoders, disk, device and remote; say how to mend what is wrong."""
    from gazeline.commands.doctor import show_diagnosis

    with shown_errors("gazeline doctor"):
        sys.exit(show_diagnosis())


@main.group()
def corpus() -> None:
    """Choose the annotated releases to analyse."""


@corpus.command("add")
@click.argument("name")
@click.option("--release", help="Folder of the release as published, or a Git URL.")
@click.option("--rev", help="Revision, when the release is a Git URL.")
@click.option("--path", "inner", help="Folder inside the repository, when it is a Git URL.")
@click.option(
    "--copies",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="Folder that is searched for film copies.",
)
@click.option("--copy", "settled", multiple=True, metavar="FILM=FILE", help="Settle one copy.")
@click.option("--text-encoder", help="Name of the text encoder (see `encoders` in params.yaml).")
@click.option("--dry-run", is_flag=True, help="Only show what would be matched.")
def corpus_add(
    name: str,
    release: str | None,
    rev: str | None,
    inner: str | None,
    copies: Path | None,
    settled: tuple[str, ...],
    text_encoder: str | None,
    dry_run: bool,
) -> None:
    """Register the release NAME and any film copies found."""
    from gazeline.commands.corpus import add
    from gazeline.orchestration.corpora import Request

    request = Request(name, release, rev, inner, copies, settled, text_encoder)
    with shown_errors("gazeline corpus add"):
        add(request, dry_run=dry_run)


@corpus.command("remove")
@click.argument("name")
def corpus_remove(name: str) -> None:
    """Undo `corpus add NAME`; the user's own files stay untouched."""
    from gazeline.commands.corpus import remove

    with shown_errors("gazeline corpus remove"):
        remove(name)


@main.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--clean", is_flag=True, help="Apply the cleaning rules and say which fired.")
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
@click.option("--out", type=click.Path(path_type=Path), help="Write the cues to this SRT file.")
@click.option("--force", is_flag=True, help="Let --out write over a file that is there.")
@click.option(
    "--language", "languages", multiple=True, default=("eng",), show_default=True,
    help="Track to prefer in a film; may be repeated.",
)  # fmt: skip
@click.option("--track", type=int, help="Stream to take instead, by its number.")
@click.option("--fps", help="Frame rate of a MicroDVD file that states none, e.g. 23.976.")
def subtitles(
    file: Path,
    clean: bool,
    as_json: bool,
    out: Path | None,
    force: bool,
    languages: tuple[str, ...],
    track: int | None,
    fps: str | None,
) -> None:
    """Show what the subtitle file or film FILE holds; no project is needed."""
    from gazeline.commands.subtitles import frame_rate, show_subtitles

    with shown_errors("gazeline subtitles"):
        show_subtitles(
            file,
            clean=clean,
            as_json=as_json,
            out=out,
            force=force,
            languages=languages,
            stream_index=track,
            fps=frame_rate(fps),
        )


@main.group()
def align() -> None:
    """Look at how a film's copy is aligned to its annotations."""


@align.command("check")
@click.argument("film_id")
def align_check(film_id: str) -> None:
    """Draw the evidence for FILM_ID's map and a contact sheet, also where it was refused."""
    from gazeline.commands.align import show_check

    with shown_errors("gazeline align check"):
        show_check(film_id)


@main.group()
def preset() -> None:
    """Enter the experiments behind a table of the paper in params.yaml."""


@preset.command("list")
def preset_list() -> None:
    """List the presets with a line on each."""
    from gazeline.commands.preset import show_presets

    with shown_errors("gazeline preset list"):
        show_presets()


CORPUS_OPTION = click.option(
    "--corpus", default="mobygaze", show_default=True, help="Corpus that the experiments are on."
)


@preset.command("show")
@click.argument("name")
@CORPUS_OPTION
def preset_show(name: str, corpus: str) -> None:
    """Print the experiments of NAME."""
    from gazeline.commands.preset import show_preset

    with shown_errors("gazeline preset show"):
        show_preset(name, corpus)


@preset.command("use")
@click.argument("name")
@CORPUS_OPTION
def preset_use(name: str, corpus: str) -> None:
    """Merge the experiments of NAME into params.yaml; say what can run and what needs copies."""
    from gazeline.commands.preset import use

    with shown_errors("gazeline preset use"):
        use(name, corpus)


@main.group()
def film() -> None:
    """Register a film's copy, or take a film out."""


@film.command("add")
@click.argument("film_id")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--subtitles", type=click.Path(path_type=Path), help="Subtitle file of this copy.")
def film_add(film_id: str, file: Path, subtitles: Path | None) -> None:
    """Register FILE as the copy of FILM_ID."""
    from gazeline.commands.film import add

    with shown_errors("gazeline film add"):
        add(film_id, file, subtitles)


@film.command("remove")
@click.argument("film_id")
@click.option("--copy-only", is_flag=True, help="Keep the film's annotations in the analyses.")
def film_remove(film_id: str, copy_only: bool) -> None:
    """Take FILM_ID out of every analysis; your own file stays untouched."""
    from gazeline.commands.film import remove

    with shown_errors("gazeline film remove"):
        remove(film_id, copy_only=copy_only)


@main.command()
@click.argument(
    "files", metavar="FILE...", nargs=-1, required=True, type=click.Path(path_type=Path)
)
@click.option("--json", "as_json", is_flag=True, help="One line of JSON per file.")
@click.option("--quick", is_flag=True, help="Read the headers only; decode nothing.")
def media(files: tuple[Path, ...], as_json: bool, quick: bool) -> None:
    """Decode each FILE and print what the stages would make of it.

    Ends with status 1 where a file cannot be read or nothing in it decodes. Write `--` before
    names that begin with a hyphen.
    """
    from gazeline.commands.media import show_media

    with shown_errors("gazeline media"):
        sys.exit(show_media(files, as_json=as_json, quick=quick))


@main.command()
@click.argument(
    "files", metavar="FILE...", nargs=-1, required=True, type=click.Path(path_type=Path)
)
@click.option("--out", type=click.Path(path_type=Path), required=True, help="Folder of the shards.")
@click.option(
    "--modality",
    "modalities",
    multiple=True,
    type=click.Choice(["video", "audio", "text"]),
    help="May be given several times; without it, those of the encoders named, else all.",
)
@click.option(
    "--encoder",
    "encoders",
    multiple=True,
    metavar="NAME_OR_FOLDER",
    help="Name in params.yaml, folder, installed package or hub id[@revision]; may be repeated.",
)
@click.option("--force", is_flag=True, help="Write shards again that are there.")
def features(
    files: tuple[Path, ...],
    out: Path,
    modalities: tuple[Modality, ...],
    encoders: tuple[str, ...],
    force: bool,
) -> None:
    """Extract the features of each FILE as the stages do, outside DVC.

    Shards go to OUT/video, audio, acoustic, text and cues. A file that fails is named, the others
    go on, and the run ends with status 1.
    """
    from gazeline.commands.features import Request, run_features

    request = Request(files, out, modalities, encoders, force)
    with shown_errors("gazeline features"):
        sys.exit(run_features(request))


@main.group()
def score() -> None:
    """Score anybody's run files against the truth of a benchmark; no project is needed."""


TRUTH_OPTION = click.option(
    "--truth", required=True, type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="Folder of the annotations, as the owners hand it out.",
)  # fmt: skip
OUT_OPTION = click.option("--out", type=click.Path(path_type=Path), help="JSON file to write.")


@score.command("vsd2011")
@TRUTH_OPTION
@click.option(
    "--run", "file", required=True, type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="Run file (ETF).",
)  # fmt: skip
@click.option("--named", is_flag=True, help="Score only the films that the run names.")
@click.option("--det", type=click.Path(path_type=Path), help="PNG or SVG of the DET curve.")
@OUT_OPTION
def score_vsd2011(truth: Path, file: Path, named: bool, det: Path | None, out: Path | None) -> None:
    """Score a run of the MediaEval 2011 violent scenes task."""
    from gazeline.commands.score import score_vsd2011 as show

    with shown_errors("gazeline score vsd2011"):
        show(truth, file, named=named, out=out, figure=det)


@score.command("eim2018")
@TRUTH_OPTION
@click.option(
    "--run", "files", required=True, type=click.Path(path_type=Path, exists=True),
    help="Folder with a text file a film.",
)  # fmt: skip
@click.option(
    "--task", type=click.Choice(["va", "fear"]), default="va", show_default=True,
    help="va: valence and arousal; fear: intervals.",
)  # fmt: skip
@OUT_OPTION
def score_eim2018(truth: Path, files: Path, task: str, out: Path | None) -> None:
    """Score a run of the MediaEval 2018 emotional impact task."""
    from gazeline.commands.score import score_eim2018 as show

    with shown_errors("gazeline score eim2018"):
        show(truth, files, "fear" if task == "fear" else "va", out)


@main.command()
@click.argument("experiment")
@click.option("--fold", default=1, show_default=True, help="Fold whose test films are written.")
@click.option("--out", type=click.Path(path_type=Path), required=True, help="Run file to write.")
def submission(experiment: str, fold: int, out: Path) -> None:
    """Write what EXPERIMENT answered as a run file (ETF) of the violent scenes task."""
    from gazeline.commands.submission import submit

    with shown_errors("gazeline submission"):
        submit(experiment, fold, out)


@main.group()
def ci() -> None:
    """What the continuous integration calls; it runs locally too."""


@ci.command("report")
@click.option("--base", required=True, help="Git revision to compare with, e.g. origin/main.")
@click.option("--out", type=click.Path(path_type=Path), required=True, help="Markdown file.")
@click.option("--remote", help="Name of the DVC remote to pull from.")
def ci_report(base: str, out: Path, remote: str | None) -> None:
    """Reproduce, and write what changes against BASE as Markdown."""
    from gazeline.orchestration.pull_request import write_report

    with shown_errors("gazeline ci report"):
        sys.exit(0 if write_report(base, out, remote) else 1)


if __name__ == "__main__":
    main()
