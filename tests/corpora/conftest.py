"""A miniature release in MObyGaze's format, with each of its quirks once, as literal text."""

# ruff: noqa: E501

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import pytest

CSV = """\
;clip_index;movie_id;annotator;label;concepts;comment;start_frame;end_frame;imdb_key;movie_title;framerate;subtitle;start_clip;end_clip
0;id_0;1;annotator1;Easy Negative;[];['credits'];0;239;tt0000001;The Lantern;23.976; Hello. It's a cafÃ©.;0;14
1;id_1;1;annotator1;Hard Negative;['Body', 'Look', 'Body'];[];239;480;tt0000001;The Lantern;23.976;" ""Well"", he said; or so.";14;29
2;id_2;1;annotator1;Sure;['Speech', 'Narratology'];['quotes "him"', 'twice'];482;719;tt0000001;The Lantern;23.976; Come on.;30;44
3;id_0;1;annotator2;Not Sure;[];[];240;719;tt0000001;The Lantern;23.976; Come on.;15;44
4;id_1;1;annotator2;Easy Negative;['Clothing'];[];0;239;tt0000001;The Lantern;23.976;;0;14
5;id_0;2;annotator1;Sure;['Voice', 'Exp of emotion'];[];0;100;tt0000002;Crash;24.0; no capital here;0;6
6;id_0;3;annotator1;Sure;['Soundtrack'];[];0;100;tt0000003;Up & Away;23.9759;;0;6
"""
# The old generation has the same rows: `annotator_1`, `text`, and two label columns.
OLD_CSV = """\
;clip_index;movie_id;annotator;label;concepts;comment;start_frame;end_frame;imdb_key;movie_title;framerate;text;label_speech;start_clip;end_clip;label_audio
0;id_0;1;annotator_1;Easy Negative;[];['credits'];0;239;tt0000001;The Lantern;23.976; Hello.;0;0;14;0
1;id_1;1;annotator_2;Sure;['Speech'];[];240;479;tt0000001;The Lantern;23.976;"two
lines";1;15;29;1
"""
MOVIES = """\
movie_title;imdb_key;release_date;genre
The Lantern;tt0000001;1999;Drama, Romantic
Crash;tt0000002;2004;Drama
Up & Away;tt0000003;2011;Comedy
"""
SQL_ANNOTATIONS = r"""-- MySQL dump 10.13
/*!40101 SET NAMES utf8 */;
DROP TABLE IF EXISTS `annotations`;
CREATE TABLE `annotations` (
  `annotation_id` int NOT NULL AUTO_INCREMENT,
  `movie_id` int NOT NULL,
  `annotator` varchar(20) NOT NULL,
  `obj_level` enum('Null','Easy Negative','Hard Negative','Not Sure','Sure') DEFAULT NULL,
  `obj_factors` varchar(150) DEFAULT NULL,
  `comment` varchar(500) DEFAULT NULL,
  `start_frame` int NOT NULL,
  `end_frame` int NOT NULL,
  `start_ts` time(3) NOT NULL,
  `end_ts` time(3) NOT NULL,
  PRIMARY KEY (`annotation_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb3;
LOCK TABLES `annotations` WRITE;
/*!40000 ALTER TABLE `annotations` DISABLE KEYS */;
INSERT INTO `annotations` VALUES
(1,1,'annotator1','Easy Negative','','credits',0,239,'00:00:00.000','00:00:09.968'),
(2,1,'annotator1','Sure','Body, Look','',239,480,'00:00:09.968','00:00:20.020'),
(3,1,'annotator1','Sure','Speech, Narratology','quotes "him"; twice',482,719,'00:00:19.203','00:00:29.988'),
(4,1,'annotator2','Not Sure',NULL,NULL,240,719,'00:00:10.010','00:00:29.988'),
(5,1,'annotator2','Easy Negative','Clothes','',0,239,'00:00:00.000','00:00:09.968'),
(6,2,'annotator1','Sure','Voice','',50000,100000,'00:34:45.417','01:09:30.833'),
(7,2,'annotator1','Sure','Voice, Exp of  emotion','',0,100,'00:00:00.000','00:00:04.171'),
(8,3,'annotator1','Sure','Soundtrack','',0,100,'00:00:00.000','00:00:04.171');
UNLOCK TABLES;
"""
SQL_MOVIES = r"""CREATE TABLE `movies` (
  `id` int NOT NULL,
  `imdb_key` varchar(9) DEFAULT NULL,
  `title` varchar(150) DEFAULT NULL,
  `release_date` int NOT NULL,
  `genre` varchar(150) DEFAULT NULL,
  `framerate` float DEFAULT '24',
  PRIMARY KEY (`id`)
);
INSERT INTO `movies` VALUES (1,'tt0000001','The Lantern',1999,'Drame, MystÃ¨re',23.976),
(2,'tt0000002','Crash',2004,'Drame',24),(3,'tt0000003','Up & Away',2011,'Comedie',23.9759),
(9,'tt0000009','Ocean\'s Nine',2001,'Policier',25);
"""
SQL_SUBTITLES = r"""CREATE TABLE `subtitles` (
  `subtitle_id` int NOT NULL,
  `movie_id` int NOT NULL,
  `start_frame` int NOT NULL,
  `end_frame` int NOT NULL,
  `start_ts` time(3) DEFAULT NULL,
  `end_ts` time(3) DEFAULT NULL,
  `text` text,
  `speaker_id` int NOT NULL DEFAULT '-1',
  PRIMARY KEY (`subtitle_id`)
);
INSERT INTO `subtitles` VALUES (11,1,24,71,'00:00:01.000','00:00:02.999','<i>Hello.</i>',-1),
(12,1,72,120,'00:00:03.000','00:00:05.000','It\'s a\ncafÃ©.',-1),
(13,1,240,240,'00:00:10.000','00:00:10.010','\"Well\", he said; or so.',-1),
(15,1,600,647,'00:00:25.000','00:00:26.999','',-1),
(14,1,480,527,'00:00:20.000','00:00:21.999','[sighs] Come on. @NOTE@',-1),
(21,2,24,48,'00:00:01.000','00:00:02.000','no capital here',-1);
INSERT INTO `subtitles` VALUES (16,1,576,640,'00:00:24.000','00:00:26.700','late',-1),
(31,9,24,48,'00:00:01.000','00:00:02.000','a film nobody annotated',-1);
""".replace("@NOTE@", "â\x99ª")


@dataclass
class Miniature:
    """The files of a release by name; a test changes what it is about, then writes them."""

    files: dict[str, str | bytes] = field(
        default_factory=lambda: {
            "mobygaze_dataframe.csv": CSV,
            "mobygaze_movielist.csv": MOVIES,
            "sql_files/tractive_annotations.sql": SQL_ANNOTATIONS,
            "sql_files/tractive_movies.sql": SQL_MOVIES,
            "sql_files/tractive_subtitles.sql": SQL_SUBTITLES,
        }
    )

    def replace(self, name: str, old: str, new: str) -> Miniature:
        """Change text of a file; the old text must be there."""
        content = self.files[name]
        assert isinstance(content, str)
        assert old in content
        self.files[name] = content.replace(old, new)
        return self

    def write(self, folder: Path) -> Path:
        """Write the files under `folder` and return it."""
        for name, content in self.files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode() if isinstance(content, str) else content)
        return folder


@pytest.fixture
def miniature() -> Miniature:
    """Return a miniature release that is right as it is."""
    return Miniature()


@pytest.fixture
def old_miniature() -> Miniature:
    """Return a release of the old generation: the CSV alone."""
    return Miniature({"mobygaze_dataframe.csv": OLD_CSV})
