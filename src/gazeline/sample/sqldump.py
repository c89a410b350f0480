"""Write a table as mysqldump does."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

Value = int | float | str | None

# MySQL's net_buffer_length starts a new INSERT now and then; so does a fixed number of rows.
ROWS_PER_INSERT = 60

HEAD = """\
-- MySQL dump 10.13  Distrib 8.0.40, for macos14 (x86_64)
--
-- Host: 127.0.0.1    Database: tractive
-- ------------------------------------------------------
-- Server version\t8.4.3

/*!40101 SET @OLD_CHARACTER_SET_CLIENT=@@CHARACTER_SET_CLIENT */;
/*!40101 SET @OLD_CHARACTER_SET_RESULTS=@@CHARACTER_SET_RESULTS */;
/*!40101 SET @OLD_COLLATION_CONNECTION=@@COLLATION_CONNECTION */;
/*!50503 SET NAMES utf8 */;
/*!40103 SET @OLD_TIME_ZONE=@@TIME_ZONE */;
/*!40103 SET TIME_ZONE='+00:00' */;
/*!40014 SET @OLD_UNIQUE_CHECKS=@@UNIQUE_CHECKS, UNIQUE_CHECKS=0 */;
/*!40014 SET @OLD_FOREIGN_KEY_CHECKS=@@FOREIGN_KEY_CHECKS, FOREIGN_KEY_CHECKS=0 */;
/*!40101 SET @OLD_SQL_MODE=@@SQL_MODE, SQL_MODE='NO_AUTO_VALUE_ON_ZERO' */;
/*!40111 SET @OLD_SQL_NOTES=@@SQL_NOTES, SQL_NOTES=0 */;

--
-- Table structure for table `{table}`
--

DROP TABLE IF EXISTS `{table}`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!50503 SET character_set_client = utf8mb4 */;
CREATE TABLE `{table}` (
{columns}
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb3;
/*!40101 SET character_set_client = @saved_cs_client */;

--
-- Dumping data for table `{table}`
--

LOCK TABLES `{table}` WRITE;
/*!40000 ALTER TABLE `{table}` DISABLE KEYS */;
"""

FOOT = """\
/*!40000 ALTER TABLE `{table}` ENABLE KEYS */;
UNLOCK TABLES;
/*!40103 SET TIME_ZONE=@OLD_TIME_ZONE */;

/*!40101 SET SQL_MODE=@OLD_SQL_MODE */;
/*!40014 SET FOREIGN_KEY_CHECKS=@OLD_FOREIGN_KEY_CHECKS */;
/*!40014 SET UNIQUE_CHECKS=@OLD_UNIQUE_CHECKS */;
/*!40101 SET CHARACTER_SET_CLIENT=@OLD_CHARACTER_SET_CLIENT */;
/*!40101 SET CHARACTER_SET_RESULTS=@OLD_CHARACTER_SET_RESULTS */;
/*!40101 SET COLLATION_CONNECTION=@OLD_COLLATION_CONNECTION */;
/*!40111 SET SQL_NOTES=@OLD_SQL_NOTES */;

-- Dump completed on 2026-02-14 17:55:20
"""

TABLES = {
    "annotations": (
        "`annotation_id` int NOT NULL AUTO_INCREMENT",
        "`movie_id` int NOT NULL",
        "`annotator` varchar(20) NOT NULL",
        "`obj_level` enum('Null','Easy Negative','Hard Negative','Not Sure','Sure') DEFAULT NULL",
        "`obj_factors` varchar(150) DEFAULT NULL",
        "`comment` varchar(500) DEFAULT NULL",
        "`start_frame` int NOT NULL",
        "`end_frame` int NOT NULL",
        "`start_ts` time(3) NOT NULL",
        "`end_ts` time(3) NOT NULL",
        "PRIMARY KEY (`annotation_id`)",
    ),
    "movies": (
        "`id` int NOT NULL AUTO_INCREMENT",
        "`imdb_key` varchar(16) DEFAULT NULL",
        "`title` varchar(150) DEFAULT NULL",
        "`release_date` int NOT NULL",
        "`genre` varchar(150) DEFAULT NULL",
        "`director` varchar(150) DEFAULT NULL",
        "`director_gender` varchar(150) DEFAULT NULL",
        "`trailer_obj` varchar(150) DEFAULT NULL",
        "`framerate` float DEFAULT '24'",
        "PRIMARY KEY (`id`)",
    ),
    "subtitles": (
        "`subtitle_id` int NOT NULL AUTO_INCREMENT",
        "`movie_id` int NOT NULL",
        "`start_frame` int NOT NULL",
        "`end_frame` int NOT NULL",
        "`start_ts` time(3) DEFAULT NULL",
        "`end_ts` time(3) DEFAULT NULL",
        "`text` text",
        "`speaker_id` int NOT NULL DEFAULT '-1'",
        "PRIMARY KEY (`subtitle_id`)",
    ),
}

ESCAPES = str.maketrans({"\\": "\\\\", "'": "\\'", '"': '\\"', "\n": "\\n"})


def write_dump(path: Path, table: str, rows: Iterable[Sequence[Value]]) -> None:
    """Write the dump of one table, several rows to an INSERT."""
    columns = ",\n".join(f"  {column}" for column in TABLES[table])
    values = [f"({','.join(map(literal, row))})" for row in rows]
    inserts = [
        f"INSERT INTO `{table}` VALUES {','.join(values[i : i + ROWS_PER_INSERT])};\n"
        for i in range(0, len(values), ROWS_PER_INSERT)
    ]
    head, foot = HEAD.format(table=table, columns=columns), FOOT.format(table=table)
    path.write_text(head + "".join(inserts) + foot, encoding="utf-8", newline="\n")


def literal(value: Value) -> str:
    """Return a value as MySQL writes it.

    >>> literal("it's"), literal(24.0), literal(None)
    ("'it\\\\'s'", '24', 'NULL')
    """
    if value is None:
        return "NULL"
    if isinstance(value, str):
        return f"'{value.translate(ESCAPES)}'"
    return f"{value:g}" if isinstance(value, float) else str(value)


def clock(milliseconds: int) -> str:
    """Return a time as MySQL's `time(3)`.

    >>> clock(5025007)
    '01:23:45.007'
    """
    seconds, ms = divmod(milliseconds, 1000)
    minutes, s = divmod(seconds, 60)
    return f"{minutes // 60:02d}:{minutes % 60:02d}:{s:02d}.{ms:03d}"
