BEGIN TRANSACTION;
CREATE TABLE comic (
  number INTEGER PRIMARY KEY CHECK (number BETWEEN 1 AND 999999 AND number <> 404),
  raw BLOB NOT NULL CHECK (length(raw) BETWEEN 1 AND 1048576),
  etag TEXT,
  lastModified TEXT,
  fetchedAt INTEGER NOT NULL,
  revision INTEGER NOT NULL CHECK (revision > 0)
) STRICT;
INSERT INTO "comic" VALUES(1,X'7B226E756D223A20312C2022736166655F7469746C65223A202242617272656C202D20506172742031227D',NULL,NULL,1800000000,1);
INSERT INTO "comic" VALUES(353,X'7B226E756D223A203335332C2022736166655F7469746C65223A2022507974686F6E227D','"50c8"','Mon, 20 Nov 2026 00:00:00 GMT',1800000001,2);
CREATE TABLE fetch (
  number INTEGER NOT NULL CHECK (number BETWEEN 1 AND 999999 AND number <> 404),
  thing TEXT NOT NULL CHECK (thing IN ('record', 'picture', 'doubleSize')),
  state TEXT NOT NULL CHECK (state IN ('fetched', 'absent', 'failed')),
  reason TEXT,
  attempts INTEGER NOT NULL CHECK (attempts >= 0),
  nextTry INTEGER,
  PRIMARY KEY (thing, number)
) STRICT, WITHOUT ROWID;
INSERT INTO "fetch" VALUES(354,'picture','failed','timed out',2,1800000060);
INSERT INTO "fetch" VALUES(353,'record','fetched',NULL,1,NULL);
CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
INSERT INTO "grdb_migrations" VALUES('001 comics as xkcd sent them');
INSERT INTO "grdb_migrations" VALUES('002 pictures and what is known of them');
INSERT INTO "grdb_migrations" VALUES('003 how each fetch went');
CREATE TABLE picture (
  number INTEGER PRIMARY KEY REFERENCES comic (number),
  width INTEGER NOT NULL CHECK (width > 0),
  height INTEGER NOT NULL CHECK (height > 0),
  byteCount INTEGER NOT NULL CHECK (byteCount > 0),
  frames INTEGER NOT NULL CHECK (frames > 0),
  format INTEGER NOT NULL,
  isTransparent INTEGER NOT NULL CHECK (isTransparent IN (0, 1)),
  colourPermille INTEGER NOT NULL CHECK (colourPermille BETWEEN 0 AND 1000),
  lightness INTEGER NOT NULL CHECK (lightness BETWEEN 0 AND 255),
  doubleSize INTEGER NOT NULL,
  version INTEGER NOT NULL CHECK (version BETWEEN 0 AND 4294967295),
  rulesVersion INTEGER NOT NULL
) STRICT;
INSERT INTO "picture" VALUES(353,518,588,90835,1,1,0,12,240,1,7,1);
CREATE TABLE pictureFile (
  number INTEGER NOT NULL REFERENCES picture (number),
  kind TEXT NOT NULL CHECK (kind IN ('standard', 'doubleSize', 'thumbnail')),
  name TEXT NOT NULL,
  byteCount INTEGER NOT NULL CHECK (byteCount > 0),
  PRIMARY KEY (number, kind)
) STRICT, WITHOUT ROWID;
INSERT INTO "pictureFile" VALUES(353,'standard','00/112233445566778899aabbccddeeff00112233445566778899aabbccddeeff.png',90835);
CREATE INDEX comicByRevision ON comic (revision);
CREATE INDEX pictureFileByName ON pictureFile (name);
COMMIT;
