"""Copies are matched to films by key, title and year; what is not certain is listed."""

from __future__ import annotations

from pathlib import Path

import pytest

from gazeline.orchestration.matching import FilmKey, film_ids_of, list_files, match_copies

MOBYGAZE = [
    FilmKey(*row)
    for row in (
        ("tt2267998", "Gone Girl", 2014),
        ("tt1045658", "Silver Linings Playbook", 2012),
        ("tt1907668", "Flight", 2012),
        ("tt1568346", "The Girl with the Dragon Tattoo", 2011),
        ("tt1570728", "Crazy,Stupid,Love", 2011),
        ("tt1632708", "Friends with Benefits", 2011),
        ("tt1454029", "The Help", 2011),
        ("tt1285016", "The Social Network", 2010),
        ("tt1193138", "Up in the Air", 2009),
        ("tt1142988", "The Ugly Truth", 2009),
        ("tt0822832", "Marley & Me", 2008),
        ("tt0970416", "The Day the Earth Stood Still", 2008),
        ("tt0467406", "Juno", 2007),
        ("tt0375679", "Crash", 2004),
        ("tt0119822", "As Good as It Gets", 1997),
        ("tt0120338", "Titanic", 1997),
        ("tt0109830", "Forrest Gump", 1994),
        ("tt0110912", "Pulp Fiction", 1994),
        ("tt0108160", "Sleepless in Seattle", 1993),
        ("tt0097576", "Indiana Jones and the Last Crusade", 1989),
    )
]
OTHERS = [
    FilmKey("tt1798709", "Her", 2013),
    FilmKey("tt8579674", "1917", 2019),
    FilmKey("tt1190080", "2012", 2009),
    FilmKey("tt1856101", "Blade Runner 2049", 2017),
    FilmKey("tt0211915", "Le fabuleux destin d'Amélie Poulain", 2001),
    FilmKey("tt0240772", "Ocean's Eleven", 2001),
]
FILMS = MOBYGAZE + OTHERS

CERTAIN = {
    "Gone.Girl.2014.1080p.BluRay.x264-SPARKS.mkv": "tt2267998",
    "silver_linings_playbook_(2012).mp4": "tt1045658",
    "Flight (2012) [BDRip 1080p].mkv": "tt1907668",
    "The Girl With The Dragon Tattoo 2011 1080p.mkv": "tt1568346",
    "Girl with the Dragon Tattoo, The (2011).avi": "tt1568346",
    "Crazy, Stupid, Love. (2011).mkv": "tt1570728",
    "Crazy.Stupid.Love.2011.720p.BRRip.mp4": "tt1570728",
    "[YTS.MX] Friends.with.Benefits.2011.mp4": "tt1632708",
    "The.Help.2011.1080p.BluRay.mkv": "tt1454029",
    "Help, The (2011).mkv": "tt1454029",
    "The Help.mkv": "tt1454029",
    "The Social Network (2010) {imdb-tt1285016}.mkv": "tt1285016",
    "Up.in.the.Air.2009.PROPER.DVDRip.XviD.avi": "tt1193138",
    "THE UGLY TRUTH.M4V": "tt1142988",
    "Marley and Me (2008).mkv": "tt0822832",
    "Marley.&.Me.2008.mkv": "tt0822832",
    "The.Day.the.Earth.Stood.Still.2008.mkv": "tt0970416",
    "Juno.mkv": "tt0467406",
    "03 - Juno (2007).mkv": "tt0467406",
    "Crash.2004.Extended.Cut.mkv": "tt0375679",
    "As Good As It Gets.1997.mkv": "tt0119822",
    "Titanic.EXTENDED.1997.mkv": "tt0120338",
    "1997 - Titanic.mkv": "tt0120338",
    "TT0109830.mkv": "tt0109830",
    "whatever.tt0110912.2160p.mkv": "tt0110912",
    "Sleepless In Seattle - 1993 - VOSTFR.mkv": "tt0108160",
    "Indiana Jones 3 - Indiana Jones & The Last Crusade (1989).mkv": "tt0097576",
    "Her.2013.1080p.mkv": "tt1798709",
    "1917.2019.1080p.mkv": "tt8579674",
    "1917.mkv": "tt8579674",
    "2012.2009.mkv": "tt1190080",
    "Blade.Runner.2049.1080p.mkv": "tt1856101",
    "Blade.Runner.2049.2017.1080p.mkv": "tt1856101",
    "Le fabuleux destin d’Amelie Poulain 2001.mkv": "tt0211915",
    "Oceans.Eleven.2001.mkv": "tt0240772",
    "Titanic (1997)/t00.mkv": "tt0120338",
    "tt0120338/movie.mkv": "tt0120338",
}
NO_COPY = {
    "Crash.1996.mkv": "1996, not 2004",
    "Crash.1996.1080p.Criterion.mkv": "1996, not 2004",
    "Titanic.1953.mkv": "1953, not 1997",
    "Plane.Crash.2004.mkv": "not sure enough",
    "Help.mkv": "not sure enough",
    "Help!.1965.mkv": "1965, not 2011",
    "The.Day.the.Earth.Stood.Still.1951.mkv": "1951, not 2008",
    "The.Girl.with.the.Dragon.Tattoo.2009.mkv": "2009, not 2011",
    "Red.Eye.Flight.2012.mkv": "not sure enough",
    "Here.2013.mkv": "neither key nor title",
    "Titanic.1997.sample.mkv": "named a sample",
    "tt0120338-trailer.mkv": "named a trailer",
    "Samples/Titanic.1997.mkv": "named a sample",
    "tt0034583.Titanic.1997.mkv": "tt0034583 is no film",
    "holiday.mp4": "neither key nor title",
    "Juno.and.Friends.2007.mkv": "not sure enough",
}


@pytest.mark.parametrize(("name", "film"), CERTAIN.items())
def test_a_name_that_says_one_film_is_matched(name, film):
    assert film_ids_of(Path(name), FILMS)[0] == (film,)


@pytest.mark.parametrize(("name", "reason"), NO_COPY.items())
def test_a_name_that_does_not_say_a_film_is_unknown_and_says_why(name, reason):
    matches = match_copies([Path(name)], FILMS)
    assert not matches.matched
    assert not matches.ambiguous
    assert [each.file for each in matches.unknown] == [Path(name)]
    assert reason in matches.unknown[0].reason


def test_the_twenty_films_each_find_their_copy_and_no_other():
    files = [Path(f"{f.title} ({f.year}).mkv".replace("/", "")) for f in MOBYGAZE]
    matches = match_copies(files, MOBYGAZE)
    assert matches.matched == {f.film_id: p for f, p in zip(MOBYGAZE, files, strict=True)}
    assert (matches.ambiguous, matches.unknown, matches.without_copy) == ((), (), ())


def test_two_files_of_one_film_are_listed_and_neither_is_taken():
    files = [Path("Titanic.1997.CD1.avi"), Path("Titanic.1997.CD2.avi"), Path("Juno.2007.mkv")]
    matches = match_copies(files, MOBYGAZE)
    assert matches.matched == {"tt0467406": Path("Juno.2007.mkv")}
    assert [(a.files, a.film_ids) for a in matches.ambiguous] == [
        ((files[0], files[1]), ("tt0120338",))
    ]
    assert "tt0120338" not in matches.without_copy
    assert len(matches.without_copy) == 18


def test_a_file_that_names_two_films_is_listed_and_blocks_both():
    both = Path("tt0120338.tt0467406.mkv")
    matches = match_copies([both, Path("Juno.mkv")], MOBYGAZE)
    assert matches.matched == {}
    assert ((both,), ("tt0120338", "tt0467406")) in [
        (a.files, a.film_ids) for a in matches.ambiguous
    ]


def test_films_of_one_title_and_year_are_ambiguous():
    films = [FilmKey("tt0000001", "Crash", 2004), FilmKey("tt0000002", "The Crash", 2004)]
    matches = match_copies([Path("Crash.2004.mkv")], films)
    assert matches.ambiguous[0].film_ids == ("tt0000001", "tt0000002")


def test_a_film_without_a_key_is_known_by_its_id_also_when_the_id_says_sample():
    films = [FilmKey("sample-lantern", "The Lantern", 2003)]
    matches = match_copies([Path("films/sample-lantern.mkv")], films)
    assert matches.matched == {"sample-lantern": Path("films/sample-lantern.mkv")}


def test_one_subtitle_file_beside_a_copy_is_taken_and_several_are_listed():
    files = [
        Path("a/Juno.2007.mkv"),
        Path("a/Juno.2007.en.srt"),
        Path("a/Juno.2007.nfo"),
        Path("b/Titanic.1997.mkv"),
        Path("b/Titanic.1997.srt"),
        Path("b/Titanic.1997.en.forced.srt"),
        Path("c/Flight.2012.mkv"),
        Path("c/Flight.2012.idx"),
        Path("c/Flight.2012.sub"),
    ]
    matches = match_copies(files, MOBYGAZE)
    assert matches.subtitles == {"tt0467406": Path("a/Juno.2007.en.srt")}
    assert matches.subtitle_choices == {
        "tt0120338": (Path("b/Titanic.1997.en.forced.srt"), Path("b/Titanic.1997.srt"))
    }


def test_hidden_files_are_not_listed(tmp_path):
    (tmp_path / ".trash").mkdir()
    (tmp_path / "films").mkdir()
    for name in (".trash/Juno.mkv", "films/._Juno.mkv", "films/Juno.mkv"):
        (tmp_path / name).touch()
    assert list_files(tmp_path) == [tmp_path / "films" / "Juno.mkv"]


def test_a_title_without_a_year_is_listed_as_likely_and_never_taken():
    files = [Path("Crash.mkv"), Path("Juno.mkv"), Path("Juno (2007).mkv")]
    matches = match_copies(files, MOBYGAZE)
    assert matches.matched == {"tt0467406": Path("Juno (2007).mkv")}
    likely = {item.files[0].name: (item.film_ids, item.reason) for item in matches.ambiguous}
    reason = "the name has the title and no year"
    assert likely == {
        "Crash.mkv": (("tt0375679",), reason),
        "Juno.mkv": (("tt0467406",), reason),
    }
    assert "tt0375679" not in matches.without_copy
