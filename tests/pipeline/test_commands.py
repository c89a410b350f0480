"""What the commands show, and that registering a corpus can be undone."""

from __future__ import annotations

import csv
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from gazeline.orchestration.templates import template_data

pytestmark = pytest.mark.slow


def test_status_of_a_finished_repository(repository):
    output = repository.gazeline("status").output
    assert "`dvc repro` would run nothing" in output
    assert "sure 0." in output
    assert "1 of 1 folds trained" in output


def test_status_says_what_would_run_and_why(repository):
    repository.replace("learning_rate: 0.001", "learning_rate: 0.002")
    output = repository.gazeline("status").output
    assert "train@sample-speech-text-1" in output
    assert "training.learning_rate" in output or "training modified" in output
    assert "aggregate" in output
    assert "video@sample-lantern" not in output.split("would run")[1]
    assert "roughly" in output


def test_doctor_finds_nothing_wrong_and_then_what_is(repository):
    assert "All is well" in repository.gazeline("doctor").output
    data = repository.params()
    data["encoders"]["mine"] = {"modality": "text", "source": "folder", "location": "nowhere"}
    repository.write_params(data)
    answer = repository.gazeline("doctor", check=False)
    assert answer.status == 1
    assert "encoders.mine.location" in answer.output


def test_summary_shows_scores_and_what_is_left_out(repository):
    data = repository.params()
    data["experiments"]["sample-visual-video"]["folds"] = [1]
    data["corpora"]["sample"]["exclude"] += ["sample-tram"]
    repository.write_params(data)
    output = repository.gazeline("summary").output
    assert "sample-speech-text" in output
    assert "PR AUC macro" in output


def test_a_subset_is_stamped_into_every_figure(repository):
    repository.replace("  share: 1.0", "  share: 0.6")
    # Three lines are left of a film of ten seconds, which is no sure map.
    repository.replace("  min_confidence: 0.5", "  min_confidence: 0.3")
    repository.gazeline("plan")
    repository.repro()
    for path in (repository.root / "metrics").rglob("*.json"):
        assert '"subset"' in path.read_text(), path
    assert "SUBSET" in repository.gazeline("summary").output
    assert "SUBSET" in repository.gazeline("status").output


RENAMED = {
    "sample-lantern": "tt0097576",
    "sample-ferry": "tt0822832",
    "sample-orchard": "tt0108160",
    "sample-tram": "tt0970416",
    "sample-kite": "tt0109830",
    "sample-glass": "tt1142988",
}


def rename(release, names):
    """Give films of a release other ids."""
    for path in filter(Path.is_file, release.rglob("*")):
        text = path.read_text()
        for old, new in names.items():
            text = text.replace(old, new)
        path.write_text(text)


def complete(release):
    """Give a release a row of every film of MObyGaze's folds that it lacks."""
    folds = template_data("mobygaze")["corpora"]["mobygaze"]["folds"]
    path = release / "mobygaze_dataframe.csv"
    with path.open(encoding="utf-8", newline="") as file:
        head, *rows = csv.reader(file, delimiter=";")
    number, key, title = (head.index(n) for n in ("movie_id", "imdb_key", "movie_title"))
    there = {row[key] for row in rows}
    for film in sorted({f for fold in folds for f in (*fold["test"], *fold["validation"])} - there):
        row = [*rows[0]]
        row[number], row[key], row[title] = film.removeprefix("tt"), film, f"Film {film}"
        rows.append(row)
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, delimiter=";", lineterminator="\n").writerows([head, *rows])


@pytest.fixture
def real_names(repository, tmp_path):
    """Return a release and copies that bear the names of MObyGaze's films."""
    release = tmp_path / "release"
    shutil.copytree(repository.root / "data/releases/sample", release)
    rename(release, RENAMED)
    complete(release)
    copies = tmp_path / "films"
    copies.mkdir()
    films = repository.root / "data/films"
    shutil.copy(films / "sample-lantern.mkv", copies / "TT0097576.mkv")
    shutil.copy(films / "sample-ferry.mp4", copies / "Ferry.at.Noon.1994.mp4")
    shutil.copy(films / "sample-ferry.srt", copies / "Ferry.at.Noon.1994.srt")
    shutil.copy(films / "sample-tram.mkv", copies / "some recording.mkv")
    year = re.search(r"Ferry at Noon;[^;]*;(\d+)", (release / "mobygaze_movielist.csv").read_text())
    for path in copies.glob("Ferry*"):
        path.rename(path.with_name(path.name.replace("1994", year.group(1))))
    return release, copies


def test_a_corpus_is_added_twice_without_change_and_removed_without_trace(repository, real_names):
    release, copies = real_names
    add = ("corpus", "add", "mobygaze", "--release", str(release), "--copies", str(copies))
    before = (repository.root / "params.yaml").read_text()
    dry = repository.gazeline(*add, "--dry-run").output
    assert "TT0097576.mkv" in dry
    assert ".srt" in dry
    assert re.search(r"Files of no film[\s\S]*some recording.mkv", dry)
    assert repository.run("git", "status", "--porcelain").output == ""

    settled = ("--copy", f"tt0970416={copies / 'some recording.mkv'}")
    repository.gazeline(*add, *settled)
    text = (repository.root / "params.yaml").read_text()
    films = repository.params()["films"]
    assert films["tt0822832"] == {
        "copy": "data/films/tt0822832.mp4",
        "subtitles": "data/films/tt0822832.srt",
        "corpora": ["mobygaze"],
    }
    assert {"tt0097576", "tt0970416", "sample-lantern"} <= set(films)
    assert (repository.root / "data/films/tt0097576.mkv").resolve().parent == copies
    assert str(copies) not in text + (repository.root / "plan.yaml").read_text()
    again = repository.gazeline(*add, *settled).output
    assert "nothing changed" in again
    assert (repository.root / "params.yaml").read_text() == text

    repository.gazeline("corpus", "remove", "mobygaze")
    assert (repository.root / "params.yaml").read_text() == before
    assert repository.run("git", "status", "--porcelain").output == ""
    assert not (repository.root / "data/films/tt0097576.mkv").is_symlink()
    assert sorted(p.name for p in copies.iterdir())[-1] == "some recording.mkv"


def test_comments_of_params_survive_adding_and_removing(project, repository, real_names):
    release, copies = real_names
    text = (project / "params.yaml").read_text()
    (repository.root / "params.yaml").write_text(text)
    repository.gazeline("plan")
    add = ("corpus", "add", "mobygaze", "--release", str(release), "--copies", str(copies))
    repository.gazeline(*add)
    added = (repository.root / "params.yaml").read_text()
    assert set(text.splitlines()) <= set(added.splitlines())
    repository.gazeline("corpus", "remove", "mobygaze")
    assert (repository.root / "params.yaml").read_text() == text


def test_the_sample_goes_and_comes_back(project, repository):
    text = (project / "params.yaml").read_text()
    (repository.root / "params.yaml").write_text(text)
    repository.gazeline("plan")
    repository.gazeline("corpus", "remove", "sample")
    assert "sample@films" not in repository.dvc("stage", "list", "--name-only").output
    assert repository.params()["films"] == {}
    repository.gazeline("corpus", "add", "sample")
    assert (repository.root / "params.yaml").read_text() == text


def test_one_film_in_two_corpora_with_other_encoders_is_refused(repository, tmp_path):
    release = tmp_path / "release"
    shutil.copytree(repository.root / "data/releases/sample", release)
    rename(release, {"sample-ferry": "tt0822832"})
    complete(release)
    film = repository.root / "data/films/sample-lantern.mkv"
    before = (repository.root / "params.yaml").read_text()
    answer = repository.gazeline(
        *("corpus", "add", "mobygaze", "--release", str(release)),
        *("--copy", f"sample-lantern={film}"),
        check=False,
    )
    assert answer.status != 0
    assert "different video encoders: tiny-xclip, xclip-base" in answer.output
    assert (repository.root / "params.yaml").read_text() == before
    assert not (repository.root / "data/releases/mobygaze").exists()


def test_the_pull_request_report_names_what_ran_and_what_changed(repository):
    repository.run("git", "checkout", "-qb", "change")
    repository.replace("learning_rate: 0.001", "learning_rate: 0.01")
    repository.commit("faster")
    out = repository.root / "report.md"
    repository.gazeline("ci", "report", "--base", "main", "--out", str(out))
    text = out.read_text()
    assert "train@sample-speech-text-1" in text
    assert "| params.yaml" in text
    assert "training.learning_rate" in text
    assert "| metrics/summary.json" in text


def test_a_pull_request_that_changes_no_result_says_so(repository):
    repository.run("git", "checkout", "-qb", "change")
    (repository.root / "README.md").write_text("words\n")
    repository.commit("words")
    out = repository.root.parent / "report.md"
    repository.gazeline("ci", "report", "--base", "main", "--out", str(out))
    assert "No parameter, data or code" in out.read_text()


def test_a_pull_request_against_an_unknown_revision_is_one_clear_error(repository):
    command = ("ci", "report", "--base", "nosuchrev", "--out", "report.md")
    answer = repository.gazeline(*command, check=False)
    assert answer.status == 1
    assert "git cannot compare with nosuchrev" in answer.output
    assert "unexpectedly" not in answer.output


def test_a_release_with_no_film_of_the_folds_is_refused(repository):
    release = repository.root / "data/releases/sample"
    before = (repository.root / "params.yaml").read_text()
    for option in ((), ("--dry-run",)):
        answer = repository.gazeline(
            "corpus", "add", "mobygaze", "--release", str(release), *option, check=False
        )
        assert answer.status == 1
        assert "annotates none of the 20 films in the folds of mobygaze" in answer.output
        assert "has sample-ferry, " in answer.output
    assert (repository.root / "params.yaml").read_text() == before
    assert not (repository.root / "data/releases/mobygaze").exists()


def test_a_git_url_that_cannot_be_cloned_is_said_in_dvc_s_words(repository, tmp_path):
    url = f"file://{tmp_path}/nowhere.git"
    answer = repository.gazeline(
        "corpus", "add", "mobygaze", "--release", url, "--path", "dataset", check=False
    )
    assert answer.status == 1
    assert "DVC cannot import dataset from the repository" in answer.output
    assert "Failed to clone repo" in answer.output
    assert "to do: check the URL, --rev and --path" in answer.output
    assert repository.run("git", "status", "--porcelain").output == ""


def test_a_release_comes_from_a_git_repository_at_a_revision(repository, real_names, tmp_path):
    source = tmp_path / "source"
    shutil.copytree(real_names[0], source / "dataset")
    git = ["git", "-c", "user.name=t", "-c", "user.email=t@t"]
    subprocess.run(["git", "init", "-q", "-b", "main"], cwd=source, check=True)
    subprocess.run(["git", "add", "-A"], cwd=source, check=True)
    subprocess.run([*git, "commit", "-qm", "one"], cwd=source, check=True)
    subprocess.run(["git", "tag", "v1"], cwd=source, check=True)
    (source / "dataset/mobygaze_dataframe.csv").write_text("later\n")
    subprocess.run([*git, "commit", "-qam", "two"], cwd=source, check=True)
    answer = repository.gazeline(
        *("corpus", "add", "mobygaze", "--release", str(source)),
        *("--rev", "v1", "--path", "dataset"),
    )
    assert "annotates 20 films" in answer.output
    assert (repository.root / "data/releases/mobygaze.dvc").is_file()
    assert (repository.root / "data/releases/mobygaze/mobygaze_dataframe.csv").is_file()
    status = repository.run("git", "status", "--porcelain", "-uall").output
    assert "data/releases/mobygaze.dvc" in status
    repository.gazeline("corpus", "remove", "mobygaze")
    assert repository.run("git", "status", "--porcelain").output == ""
