"""Shares of the levels by count and by time, over films, genres and annotators (paper Fig. 6)."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

Shares = dict[str, dict[str, float]]
DIGITS = 6


def seconds(segments: pd.DataFrame) -> pd.Series[float]:
    """Return the duration of each segment."""
    return segments["end_s"] - segments["start_s"]


def level_shares(segments: pd.DataFrame) -> Shares:
    """Return n, share of segments, seconds and share of time of each level there is."""
    duration = seconds(segments)
    counts = segments["label"].value_counts()
    times = duration.groupby(segments["label"]).sum()
    return {
        str(level): {
            "n": int(counts[level]),
            "share": round(float(counts[level] / len(segments)), DIGITS),
            "seconds": round(float(times[level]), 3),
            "time_share": round(float(times[level] / duration.sum()), DIGITS),
        }
        for level in sorted(counts.index)
    }


def shares_by(segments: pd.DataFrame, column: str) -> dict[str, Shares]:
    """Return the level shares of the rows of each value of a column."""
    return {str(value): level_shares(rows) for value, rows in segments.groupby(column)}


def shares_by_genre(segments: pd.DataFrame, films: pd.DataFrame) -> dict[str, Shares]:
    """Return the level shares of each genre; a film counts in every genre it has."""
    genres = films[["film_id", "genres"]].explode("genres").dropna()
    return shares_by(segments.merge(genres, on="film_id"), "genres")


def films_by_genre(segments: pd.DataFrame, films: pd.DataFrame) -> dict[str, dict[str, float]]:
    """Return genre → annotated films that have it and their share of all (paper Table 18).

    A film counts in every genre it has, so that the shares add up to more than 1.
    """
    there = films[films["film_id"].isin(segments["film_id"])]
    counts = there["genres"].explode().dropna().value_counts()
    return {
        str(genre): {
            "films": int(counts[genre]),
            "share_of_films": round(float(counts[genre] / len(there)), DIGITS),
        }
        for genre in sorted(counts.index)
    }


def hours_of_film(segments: pd.DataFrame) -> float:
    """Return the annotated hours of film: for each film the mean over its annotators."""
    per_annotation = seconds(segments).groupby([segments["film_id"], segments["annotator"]]).sum()
    return float(per_annotation.groupby(level="film_id").mean().sum() / 3600)


def positive_shares(
    segments: pd.DataFrame, positive: Sequence[str], negative: Sequence[str]
) -> dict[str, dict[str, dict[str, float]]]:
    """Return annotator → film → share of positives by time and by count (paper Table 19).

    Segments of other levels are dropped from both sides; a film without any left is left out.
    """
    counted = segments[segments["label"].isin([*positive, *negative])]
    shares: dict[str, dict[str, dict[str, float]]] = {}
    for (annotator, film), rows in counted.groupby(["annotator", "film_id"]):
        is_positive = rows["label"].isin(positive)
        duration = seconds(rows)
        shares.setdefault(str(annotator), {})[str(film)] = {
            "n": len(rows),
            "share": round(float(is_positive.mean()), DIGITS),
            "time_share": round(float(duration[is_positive].sum() / duration.sum()), DIGITS),
        }
    return shares
