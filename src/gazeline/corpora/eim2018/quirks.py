"""What is odd about the series, the fear intervals and the features of a release."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from gazeline.corpora.eim2018.fear import FearFile
from gazeline.corpora.eim2018.features import FeatureCount
from gazeline.corpora.eim2018.series import SeriesFile
from gazeline.corpora.release import Action, Quirk, examples_of

PART = "Series and fear"
FEATURES = "Features of the release"
OfFilms = Mapping[str, tuple[SeriesFile | None, FearFile | None]]
Counts = Mapping[str, Mapping[str, FeatureCount]]


def release_quirks(films: OfFilms, features: Counts) -> tuple[Quirk, ...]:
    """Return what was looked for, found or not; films are by number."""
    series = {n: file for n, (file, _) in films.items() if file}
    fear = {n: file for n, (_, file) in films.items() if file}
    return (
        *(
            _quirk(name, meaning, action, "seconds", done, {n: getattr(s, name) for n, s in
                   series.items()})
            for name, meaning, action, done in _OF_SERIES
        ),
        _quirk("fear_overlap", "fear interval that overlaps the one before", "kept", "intervals",
               "it stands as released; scores count shared time once",
               {n: file.overlaps for n, file in fear.items()}),
        _quirk("fear_out_of_order", "fear interval that starts before the line above", "repaired",
               "intervals", "the table is in order of time",
               {n: file.unsorted for n, file in fear.items()}),
        *_feature_quirks(series, features),
    )  # fmt: skip


_OF_SERIES: tuple[tuple[str, str, Action, str], ...] = (
    ("gaps", "second without valence and arousal", "kept", "nothing is trained or scored there"),
    ("commas", "line with a decimal comma", "repaired", "read as a decimal point"),
    ("outside", "value outside -1 to 1", "kept", "the value stands as released"),
)


def _quirk(
    name: str, meaning: str, action: Action, unit: str, done: str, counts: Mapping[str, int],
    part: str = PART,
) -> Quirk:  # fmt: skip
    found = [f"film {number}: {count}" for number, count in counts.items() if count]
    total = sum(counts.values())
    return Quirk(name, meaning, action, unit, total, None, examples_of(found), part=part, done=done)


def _feature_quirks(series: Mapping[str, SeriesFile], features: Counts) -> Iterator[Quirk]:
    """Compare the features with each other and with the labels; they are not used."""
    done = "the features are not used, they come from the copies"
    every = {feature for of_film in features.values() for feature in of_film}
    for name, meaning, counts in (
        ("features_missing", "second without a file of a feature",
         {n: sum(len(c.missing) for c in f.values()) for n, f in features.items()}),
        ("features_empty", "empty file of a feature",
         {n: sum(len(c.empty) for c in f.values()) for n, f in features.items()}),
        ("features_absent", "feature that other films have and this one has not",
         {n: len(every - set(f)) for n, f in features.items()}),
    ):  # fmt: skip
        yield _quirk(name, meaning, "dropped", "files", done, counts, FEATURES)
    longest = {n: max(count.n_files for count in f.values()) for n, f in features.items()}
    differ = [
        f"film {n}: {series[n].n_seconds} seconds of labels, {most} of features"
        for n, most in longest.items()
        if n in series and series[n].n_seconds != most
    ]
    yield Quirk(
        "labels_and_features_differ",
        "film whose labels and features differ in length",
        "kept",
        "films",
        len(differ),
        len(features),
        examples_of(differ),
        part=FEATURES,
        done="seconds without a label are neither trained on nor scored",
    )
