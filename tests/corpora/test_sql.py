"""MySQL dumps are read by MySQL's own lexical rules, and nothing in them is executed."""

from __future__ import annotations

import pytest

from gazeline.corpora.mobygaze.sql import SqlError, read_dump, unescape

TABLE = "CREATE TABLE `t` (`a` int NOT NULL, `b` varchar(9) DEFAULT 'x,)y', PRIMARY KEY (`a`));\n"


def values(dump: str) -> list[list[object]]:
    return [list(row.values.values()) for row in read_dump(dump)["t"].rows]


@pytest.mark.parametrize(
    ("literal", "text"),
    [
        (r"'Ocean\'s'", "Ocean's"),
        ("'Ocean''s'", "Ocean's"),
        ('"a ""b"" c"', 'a "b" c'),
        ("'a \"\" c'", 'a "" c'),
        (r"'one\ntwo\tthree'", "one\ntwo\tthree"),
        (r"'back\\slash\\'", "back\\slash\\"),
        (r"'\\n'", "\\n"),
        (r"'100\% a\_b'", r"100\% a\_b"),
        (r"'\q\0\Z'", "q\0\x1a"),
        ("'a;(b),--c/*d*/#e'", "a;(b),--c/*d*/#e"),
        ("'line\nbreak'", "line\nbreak"),
        ("''", ""),
    ],
)
def test_a_string_means_what_mysql_says_it_means(literal, text):
    assert unescape(literal) == text
    assert values(TABLE + f"INSERT INTO `t` VALUES (1,{literal});") == [[1, text]]


def test_one_insert_has_many_rows_with_numbers_and_null():
    dump = TABLE + "INSERT INTO `t` VALUES (-1,NULL),(2,'b'),\n(23.976,-1.5e3);"
    assert values(dump) == [[-1, None], [2, "b"], [23.976, -1500.0]]


def test_rows_know_the_line_they_stand_on():
    dump = TABLE + "INSERT INTO `t` VALUES (1,'x\ny'),\n(2,'b');"
    assert [row.line for row in read_dump(dump)["t"].rows] == [2, 4]


def test_columns_may_be_named_by_the_insert_in_another_order():
    dump = TABLE + "INSERT IGNORE INTO t (b, a) VALUES ('z', 7);"
    assert read_dump(dump)["t"].rows[0].values == {"b": "z", "a": 7}


def test_comments_of_every_kind_and_other_statements_are_passed_over():
    dump = (
        "-- it's a comment\n# it's too\n/*!40101 SET NAMES utf8 */;\n"
        "DROP TABLE IF EXISTS `t`;\nCREATE DATABASE `x`;\n"
        + TABLE
        + "LOCK TABLES `t` WRITE;\nINSERT INTO `t` /* it's here */ VALUES (1, -- or here\n 'b');\n"
        "UPDATE `t` SET `b` = 'never' WHERE `a` = 1;\nUNLOCK TABLES;"
    )
    assert values(dump) == [[1, "b"]]


def test_a_character_set_introducer_and_what_follows_the_rows_are_no_values():
    dump = TABLE + "INSERT INTO `t` VALUES (1,_utf8mb4'b') ON DUPLICATE KEY UPDATE `b`='c';"
    assert values(dump) == [[1, "b"]]


@pytest.mark.parametrize(
    ("dump", "problem", "line"),
    [
        (TABLE + "INSERT INTO `t` VALUES (1,'cut", "a quote is never closed", 2),
        (TABLE + "INSERT INTO `t` VALUES (1,'b'),", "cut off inside a statement", 2),
        (TABLE + "INSERT INTO `t` VALUES (1,'b')", "cut off inside a statement", 2),
        (TABLE + "\nINSERT INTO `t` VALUES (1);", "has 1 values, not 2", 3),
        (TABLE + "INSERT INTO `t` VALUES (1 'b');", "where a comma belongs", 2),
        (TABLE + "INSERT INTO `t` VALUES (1,NOW());", "'NOW' is not a value", 2),
        (TABLE + "/* never closed", "a comment is never closed", 2),
        ("INSERT INTO `t` VALUES (1,'b');", "columns of t are not given", 1),
        (TABLE + "INSERT INTO `t` SELECT 1;", "has no VALUES", 2),
    ],
)
def test_what_is_no_whole_dump_is_an_error_with_its_line(dump, problem, line):
    with pytest.raises(SqlError, match=problem) as caught:
        read_dump(dump)
    assert caught.value.line == line
