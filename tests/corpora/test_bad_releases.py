"""Each kind of bad release ends in one error that says what, where and how often."""

from __future__ import annotations

import pytest

from gazeline.corpora.ingest import ingest
from gazeline.errors import ReleaseError
from gazeline.params.corpora import IngestParams
from gazeline.params.subset import SubsetParams

CSV = "mobygaze_dataframe.csv"
CUES = "sql_files/tractive_subtitles.sql"
PARAMS = IngestParams(format="mobygaze", exclude=(), frame_rates={}, folds=())


def refused(release, tmp_path) -> str:
    """Return the message of the one error; nothing may have been written."""
    out = tmp_path / "out"
    with pytest.raises(ReleaseError) as caught:
        ingest("mini", release, PARAMS, SubsetParams(), out)
    assert not out.exists()
    return str(caught.value)


CHANGES = {
    "another delimiter": (CSV, ";", ",", ["separated by ',', not by ';'", "line 1"]),
    "a column renamed": (CSV, "start_frame", "begin", ["lacks the columns start_frame", "line 1"]),
    "an unknown label": (
        CSV,
        "Easy Negative",
        "Fine",
        ["unknown label (2): line 2: 'Fine'; line 6: 'Fine'"],
    ),
    "a start after the end": (
        CSV,
        "['credits'];0;239",
        "['credits'];240;239",
        ["end before they start (1): line 2: 240 > 239"],
    ),
    "a frame that is no whole number": (
        CSV,
        ";482;719;",
        ";482.5;719;",
        ["start_frame that is no frame number (1): line 4: '482.5'"],
    ),
    "a negative frame": (CSV, ";482;719;", ";-1;719;", ["no frame number (1): line 4: '-1'"]),
    "a frame of 25 digits": (
        CSV,
        ";482;719;",
        ";482;1234567890123456789012345;",
        ["end_frame that is no frame number (1): line 4: '1234567890123456789012345'"],
    ),
    "a rate of 25 digits": (CSV, "23.976", "1234567890123456789012345", ["no frame rate (5)"]),
    "a rate with 25 decimals": (CSV, "23.976", "17.1234567890123456789012345", ["no frame rate"]),
    "a decimal comma": (CSV, "23.976", "23,976", ["framerate that is no frame rate (5)", "; …"]),
    "concepts that are no list": (
        CSV,
        "['Voice', 'Exp of emotion']",
        "['Voice'",
        ["concepts that is no list of texts (1): line 7"],
    ),
    "a film with two rates": (
        CSV,
        "240;719;tt0000001;The Lantern;23.976",
        "240;719;tt0000001;The Lantern;25",
        ["imdb_key with more than one framerate (1): line 5: tt0000001 has '25' here"],
    ),
    "two rows with one key": (
        CSV,
        "2;id_2;1;annotator1",
        "2;id_1;1;annotator1",
        ["key of another (1): line 4: tt0000001/annotator1/id_1, as line 3"],
    ),
    "no IMDb key": (CSV, "tt0000002", "", ["empty imdb_key (1): line 7"]),
    "a stray quote": (CSV, " Come on.;30", '"Come" on.;30', ["stray quote", "line 4"]),
    "a movie list with commas": (
        "mobygaze_movielist.csv",
        ";",
        ",",
        ["mobygaze_movielist.csv lacks the columns movie_title, imdb_key", "line 1"],
    ),
    "a year that is none": (
        "mobygaze_movielist.csv",
        "2004",
        "n/a",
        ["release_date that is no year (1): line 3: 'n/a'"],
    ),
    "a year of 25 digits": (
        "mobygaze_movielist.csv",
        "2004",
        "1234567890123456789012345",
        ["release_date that is no year (1)"],
    ),
    "a dump with a frame of 25 digits": (
        CUES,
        "(21,2,24,",
        "(21,2,1234567890123456789012345,",
        ["start_frame that is no whole number (1)"],
    ),
    "a time that is none": (
        CUES,
        "'00:00:03.000'",
        "'3 s'",
        ["start_ts that is no time (1): line 13: '3 s'"],
    ),
    "a cue that ends before it starts": (
        CUES,
        "'00:00:25.000','00:00:26.999'",
        "'00:00:26.999','00:00:25.000'",
        ["end before they start (1): line 15: 00:00:26.999 > 00:00:25.000"],
    ),
    "two cues with one number": (
        CUES,
        "(14,1,480",
        "(12,1,480",
        ["cues with the number of another (1): line 16: 12"],
    ),
    "a dump without a column": (
        CUES,
        "`text` text",
        "`texte` text",
        ["Table subtitles lacks the columns text"],
    ),
    "a dump with text for a frame": (CUES, "(21,2,24,", "(21,2,'x',", ["no whole number (1)"]),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_changed_file_is_refused_with_the_line_and_what_stands_there(name, miniature, tmp_path):
    file, old, new, wanted = CHANGES[name]
    message = refused(miniature.replace(file, old, new).write(tmp_path / "in"), tmp_path)
    for part in wanted:
        assert part in message


def test_several_kinds_of_problems_are_reported_at_once(miniature, tmp_path):
    miniature.replace(CSV, "Not Sure", "Maybe").replace(CSV, ";482;", ";x;")
    message = refused(miniature.write(tmp_path / "in"), tmp_path)
    assert "unknown label (1): line 5" in message
    assert "start_frame that is no frame number (1): line 4" in message


def test_a_folder_without_the_annotations_names_the_file_and_what_is_there(miniature, tmp_path):
    del miniature.files[CSV]
    message = refused(miniature.write(tmp_path / "in"), tmp_path)
    assert f"The release has no {CSV}; it has mobygaze_movielist.csv, sql_files" in message
    assert str(tmp_path / "in") in message


def test_a_folder_that_is_not_there_is_said_to_be_so(tmp_path):
    message = refused(tmp_path / "nowhere", tmp_path)
    assert "the folder is empty or not there" in message


def test_an_empty_file_and_a_file_of_a_header_alone_are_refused(miniature, tmp_path):
    header = str(miniature.files[CSV]).splitlines()[0] + "\n"
    for content, what in (("", "is empty"), (header, "has no rows")):
        miniature.files[CSV] = content
        assert what in refused(miniature.write(tmp_path / "in"), tmp_path)


def test_a_csv_cut_off_anywhere_in_its_last_line_is_refused(miniature, tmp_path):
    """Cut where digits of the last number, or whole fields, are lost; a whole row is a row."""
    whole = str(miniature.files[CSV]).replace("0;100;tt0000003", "0;1900;tt0000003")
    whole = whole.replace("23.9759;;0;6", "23.9759;;0;118")
    start = whole.rindex("\n6;") + 1
    for length in range(start + 1, len(whole) - 1):
        miniature.files[CSV] = whole[:length]
        message = refused(miniature.write(tmp_path / "in"), tmp_path)
        assert "line 8" in message, whole[start:length]
    miniature.files[CSV] = whole[:-1]
    ingest("mini", miniature.write(tmp_path / "in"), PARAMS, SubsetParams(), tmp_path / "out")
    assert (tmp_path / "out" / "ingest.json").is_file()


def test_a_csv_cut_off_inside_a_quoted_text_is_refused(miniature, tmp_path):
    miniature.files[CSV] = str(miniature.files[CSV]).partition("he said")[0]
    message = refused(miniature.write(tmp_path / "in"), tmp_path)
    assert "cut off or has a stray quote" in message
    assert "line 3" in message


def test_bytes_that_are_no_utf_8_are_refused_with_their_line(miniature, tmp_path):
    for file, line in ((CSV, 2), (CUES, 13)):
        good = miniature.files[file]
        miniature.files[file] = str(good).encode().replace("Ã©".encode(), b"\xe9")
        message = refused(miniature.write(tmp_path / "in"), tmp_path)
        assert f"{file.rpartition('/')[2]} is not UTF-8: the bytes e9" in message
        assert f"line {line}" in message
        miniature.files[file] = good


def test_a_dump_cut_off_is_refused(miniature, tmp_path):
    miniature.files[CUES] = str(miniature.files[CUES]).partition("(14,1")[0]
    message = refused(miniature.write(tmp_path / "in"), tmp_path)
    assert "tractive_subtitles.sql is not a whole MySQL dump" in message


def test_a_table_in_two_dumps_is_refused(miniature, tmp_path):
    miniature.files["copy.sql"] = miniature.files[CUES]
    message = refused(miniature.write(tmp_path / "in"), tmp_path)
    assert "Table subtitles is in copy.sql and in tractive_subtitles.sql" in message
