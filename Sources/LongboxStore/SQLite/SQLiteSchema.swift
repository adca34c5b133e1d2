// Longbox
// SPDX-License-Identifier: MIT

import GRDB

/// What each migration changes in SQLite; these have shipped, so they are frozen.
enum SQLiteSchema {
  /// `raw` is what xkcd sent; nothing decoded is stored, so better rules need no migration.
  static let comics = """
    CREATE TABLE comic (
      number INTEGER PRIMARY KEY CHECK (number BETWEEN 1 AND 999999 AND number <> 404),
      raw BLOB NOT NULL CHECK (length(raw) BETWEEN 1 AND 1048576),
      etag TEXT,
      lastModified TEXT,
      fetchedAt INTEGER NOT NULL,
      revision INTEGER NOT NULL CHECK (revision > 0)
    ) STRICT;
    CREATE INDEX comicByRevision ON comic (revision);
    """

  /// `picture` outlives the files, so a page can be laid out while its picture is fetched again.
  static let pictures = """
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
    CREATE TABLE pictureFile (
      number INTEGER NOT NULL REFERENCES picture (number),
      kind TEXT NOT NULL CHECK (kind IN ('standard', 'doubleSize', 'thumbnail')),
      name TEXT NOT NULL,
      byteCount INTEGER NOT NULL CHECK (byteCount > 0),
      PRIMARY KEY (number, kind)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX pictureFileByName ON pictureFile (name);
    """

  /// No row means never tried.
  ///
  /// `nextTry` NULL means no automatic retry.
  static let fetches = """
    CREATE TABLE fetch (
      number INTEGER NOT NULL CHECK (number BETWEEN 1 AND 999999 AND number <> 404),
      thing TEXT NOT NULL CHECK (thing IN ('record', 'picture', 'doubleSize')),
      state TEXT NOT NULL CHECK (state IN ('fetched', 'absent', 'failed')),
      reason TEXT,
      attempts INTEGER NOT NULL CHECK (attempts >= 0),
      nextTry INTEGER,
      PRIMARY KEY (thing, number)
    ) STRICT, WITHOUT ROWID;
    """

  /// Two lists of allowed words get one more, for which SQLite needs new tables.
  static let largerVersions = """
    ALTER TABLE picture ADD COLUMN larger INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE pictureFile RENAME TO pictureFileBefore;
    DROP INDEX pictureFileByName;
    CREATE TABLE pictureFile (
      number INTEGER NOT NULL REFERENCES picture (number),
      kind TEXT NOT NULL CHECK (kind IN ('standard', 'doubleSize', 'thumbnail', 'larger')),
      name TEXT NOT NULL,
      byteCount INTEGER NOT NULL CHECK (byteCount > 0),
      PRIMARY KEY (number, kind)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO pictureFile SELECT number, kind, name, byteCount FROM pictureFileBefore;
    DROP TABLE pictureFileBefore;
    CREATE INDEX pictureFileByName ON pictureFile (name);
    ALTER TABLE fetch RENAME TO fetchBefore;
    CREATE TABLE fetch (
      number INTEGER NOT NULL CHECK (number BETWEEN 1 AND 999999 AND number <> 404),
      thing TEXT NOT NULL CHECK (thing IN ('record', 'picture', 'doubleSize', 'larger')),
      state TEXT NOT NULL CHECK (state IN ('fetched', 'absent', 'failed')),
      reason TEXT,
      attempts INTEGER NOT NULL CHECK (attempts >= 0),
      nextTry INTEGER,
      PRIMARY KEY (thing, number)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO fetch SELECT number, thing, state, reason, attempts, nextTry FROM fetchBefore;
    DROP TABLE fetchBefore;
    """

  static let newestCheck = """
    CREATE TABLE newestCheck (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      newest INTEGER CHECK (newest BETWEEN 1 AND 999999 AND newest <> 404),
      etag TEXT,
      lastModified TEXT,
      checkedAt INTEGER NOT NULL,
      succeededAt INTEGER,
      failure TEXT
    ) STRICT;
    """

  /// `name` is a hash of the key in the reader's cookie; `content` is the encoded library.
  static let libraries = """
    CREATE TABLE library (
      name BLOB PRIMARY KEY CHECK (length(name) = 32),
      content BLOB NOT NULL CHECK (length(content) <= 16777216),
      changedAt INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    """

  /// A library that was paired with another is empty and names it, so that the old key still finds it.
  static let joinedLibraries = """
    ALTER TABLE library ADD COLUMN joinedTo BLOB REFERENCES library (name)
      CHECK (joinedTo IS NULL OR (joinedTo <> name AND length(content) = 0));
    CREATE INDEX libraryByJoined ON library (joinedTo) WHERE joinedTo IS NOT NULL;
    """

  /// `wikitext` is the source of truth, like a comic's `raw`, and stays when a later request finds no page.
  ///
  /// No row means never asked. `lookAgain` NULL means no automatic request.
  static let explanations = """
    CREATE TABLE explanation (
      number INTEGER PRIMARY KEY CHECK (number BETWEEN 1 AND 999999 AND number <> 404),
      outcome TEXT NOT NULL CHECK (outcome IN ('page', 'missing', 'tooLong', 'failed')),
      pageRevision INTEGER,
      timestamp TEXT,
      wikitext BLOB CHECK (length(wikitext) <= 16777216),
      fetchedAt INTEGER NOT NULL,
      lookAgain INTEGER,
      change INTEGER NOT NULL UNIQUE CHECK (change > 0),
      CHECK ((wikitext IS NULL) = (pageRevision IS NULL) AND (wikitext IS NULL) = (timestamp IS NULL)),
      CHECK (outcome <> 'page' OR wikitext IS NOT NULL)
    ) STRICT;
    CREATE INDEX explanationByLook ON explanation (lookAgain);
    """

  /// `announced`: the last comic that the browser was notified of or skips; NULL until a comic is known.
  ///
  /// `claimed`: the comic of a message that is being sent. Non-null after a crash means: delivery status
  /// unknown. `attempts` counts the tries of that message.
  static let subscriptions = """
    CREATE TABLE subscription (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      endpoint TEXT NOT NULL UNIQUE CHECK (length(endpoint) BETWEEN 1 AND 2048),
      service TEXT NOT NULL,
      publicKey BLOB NOT NULL CHECK (length(publicKey) = 65),
      secret BLOB NOT NULL CHECK (length(secret) = 16),
      library BLOB CHECK (length(library) = 32),
      hidesSpoilers INTEGER NOT NULL CHECK (hidesSpoilers IN (0, 1)),
      quietFrom INTEGER CHECK (quietFrom BETWEEN 0 AND 1439),
      quietUntil INTEGER CHECK (quietUntil BETWEEN 0 AND 1439),
      timeZone TEXT NOT NULL CHECK (length(timeZone) BETWEEN 1 AND 64),
      createdAt INTEGER NOT NULL,
      announced INTEGER CHECK (announced BETWEEN 0 AND 999999),
      claimed INTEGER CHECK (claimed > announced),
      attempts INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0),
      nextTry INTEGER,
      failure TEXT,
      failedAt INTEGER,
      CHECK ((quietFrom IS NULL) = (quietUntil IS NULL))
    ) STRICT;
    CREATE INDEX subscriptionByService ON subscription (service, announced);
    """

  /// `comicChange` has only comics that looked different before.
  ///
  /// `token` is the secret part of a feed's address. It is stored in plain text, because readers must be able
  /// to see it again. It opens their favorites and nothing else.
  static let feeds = """
    CREATE TABLE comicChange (
      number INTEGER PRIMARY KEY REFERENCES comic (number),
      changedAt INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE favoritesFeed (
      token TEXT PRIMARY KEY CHECK (length(token) BETWEEN 16 AND 64),
      library BLOB NOT NULL CHECK (length(library) = 32),
      createdAt INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX favoritesFeedByLibrary ON favoritesFeed (library);
    """

  static let givenUp =
    "ALTER TABLE subscription ADD COLUMN givenUp INTEGER NOT NULL DEFAULT 0 CHECK (givenUp >= 0)"

  /// `body` is the source of truth in both tables of answers: the bytes that the source sent.
  ///
  /// `pick` was a choice of page for all readers; ``noAlbumPicks`` drops it.
  static let albums = """
    CREATE TABLE albumAnswer (
      question TEXT PRIMARY KEY CHECK (length(question) BETWEEN 3 AND 400),
      kind TEXT NOT NULL CHECK (kind IN ('artists', 'albums', 'tracks')),
      body BLOB NOT NULL CHECK (length(body) BETWEEN 1 AND 8388608),
      fetchedAt INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX albumAnswerByAge ON albumAnswer (kind, fetchedAt);
    CREATE TABLE albumArticle (
      album INTEGER NOT NULL CHECK (album > 0),
      language TEXT NOT NULL,
      body BLOB NOT NULL CHECK (length(body) BETWEEN 1 AND 8388608),
      pick INTEGER CHECK (pick >= 0),
      fetchedAt INTEGER NOT NULL,
      PRIMARY KEY (album, language)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE artworkAddress (
      album INTEGER PRIMARY KEY CHECK (album > 0),
      address TEXT NOT NULL
    ) STRICT;
    CREATE TABLE artworkFile (
      album INTEGER NOT NULL REFERENCES artworkAddress (album),
      size TEXT NOT NULL CHECK (size IN ('cover', 'small')),
      address TEXT NOT NULL,
      name TEXT NOT NULL,
      byteCount INTEGER NOT NULL CHECK (byteCount > 0),
      PRIMARY KEY (album, size)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX artworkFileByName ON artworkFile (name);
    """

  /// Older rows get the time 0, so they are removed first.
  static let albumAges = """
    ALTER TABLE artworkFile ADD COLUMN fetchedAt INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX artworkFileByAge ON artworkFile (fetchedAt);
    ALTER TABLE artworkAddress ADD COLUMN heardAt INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX artworkAddressByAge ON artworkAddress (heardAt);
    CREATE INDEX albumArticleByAge ON albumArticle (fetchedAt) WHERE pick IS NULL;
    """

  /// Each reader's choice of article is in their library; the choices for all readers go.
  static let noAlbumPicks = """
    DROP INDEX albumArticleByAge;
    ALTER TABLE albumArticle DROP COLUMN pick;
    CREATE INDEX albumArticleByAge ON albumArticle (fetchedAt);
    """

  /// `accessPassphrase` has the household's one passphrase, as a salted hash with its parameters.
  ///
  /// `credential` has the signed-in devices and the access keys of programs. `hash` is the SHA-256 of the secret,
  /// which is not stored. `owner` is always 1: there is one household. `renewedAt` is when a device last got its
  /// cookie.
  static let access = """
    CREATE TABLE accessPassphrase (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      hash TEXT NOT NULL CHECK (length(hash) BETWEEN 1 AND 400),
      changedAt INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE credential (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      kind TEXT NOT NULL CHECK (kind IN ('session', 'key')),
      hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
      owner INTEGER NOT NULL DEFAULT 1,
      name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
      createdAt INTEGER NOT NULL,
      renewedAt INTEGER NOT NULL,
      seenAt INTEGER
    ) STRICT;
    """

  /// Libraries that exist already count as used.
  ///
  /// `idleDays` counts days on which the server ran, so a clock that
  /// jumps removes nothing. `createdOn` and `day` are days since 1970 UTC.
  static let libraryUsage = """
    ALTER TABLE library ADD COLUMN createdOn INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE library ADD COLUMN isEstablished INTEGER NOT NULL DEFAULT 1 CHECK (isEstablished IN (0, 1));
    ALTER TABLE library ADD COLUMN idleDays INTEGER NOT NULL DEFAULT 0 CHECK (idleDays >= 0);
    ALTER TABLE library ADD COLUMN byteCount INTEGER NOT NULL DEFAULT 0 CHECK (byteCount >= 0);
    CREATE TABLE libraryExpiry (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      day INTEGER NOT NULL
    ) STRICT;
    ALTER TABLE subscription ADD COLUMN hasReceived INTEGER NOT NULL DEFAULT 1 CHECK (hasReceived IN (0, 1));
    """

  /// `hook` is the SHA-256 of a hook's address.
  ///
  /// `nextTry` is NULL once nothing is sent any more.
  static let hooks = """
    CREATE TABLE hookDelivery (
      hook BLOB NOT NULL CHECK (length(hook) = 32),
      comic INTEGER NOT NULL CHECK (comic BETWEEN 1 AND 999999 AND comic <> 404),
      state TEXT NOT NULL CHECK (state IN ('due', 'delivered', 'failed', 'skipped')),
      attempts INTEGER NOT NULL CHECK (attempts >= 0),
      since INTEGER NOT NULL,
      nextTry INTEGER,
      failure TEXT,
      changedAt INTEGER NOT NULL,
      PRIMARY KEY (hook, comic),
      CHECK ((state = 'due') = (nextTry IS NOT NULL))
    ) STRICT, WITHOUT ROWID;
    """

  /// Tables, columns and indices get the names that they have in PostgreSQL.
  ///
  /// Rows stay as they are, so only the texts of the schema change (https://sqlite.org/lang_altertable.html, section 7).
  /// ALTER TABLE would parse all tables again for each of 70 names, which takes a third of a second.
  static func takeNamesOfPostgres(_ database: Database) throws {
    let version = try Int.fetchOne(database, sql: "PRAGMA schema_version") ?? 0
    try database.execute(sql: "PRAGMA writable_schema = ON")
    for row in try Row.fetchAll(database, sql: "SELECT name, tbl_name, sql, rowid FROM sqlite_schema") {
      let texts = (0..<3).map { (row[$0] as String?).map { inSnakeCase($0) } }
      try database.execute(
        sql: "UPDATE sqlite_schema SET name = ?, tbl_name = ?, sql = ? WHERE rowid = ?",
        arguments: StatementArguments(texts) + [row[3] as Int64]
      )
    }
    try database.execute(sql: "PRAGMA schema_version = \(version + 1); PRAGMA writable_schema = RESET")
    database.clearSchemaCache()
  }

  /// Writes `camelCase` as `snake_case`, but for values between apostrophes.
  private static func inSnakeCase(_ text: String) -> String {
    var bytes: [UInt8] = []
    var isValue = false
    for byte in text.utf8 {
      if byte == UInt8(ascii: "'") { isValue.toggle() }
      let isUppercase = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
      if !isValue, isUppercase, let last = bytes.last, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(last)
      {
        bytes += [UInt8(ascii: "_"), byte | 0x20]
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Two names differ in more than their spelling.
  ///
  /// `fetch` is a keyword in PostgreSQL. `counter` numbers changes as there.
  /// A claim of a message names its node and ends by itself, also where there is one node only.
  static let otherNamesCountersAndClaims = """
    ALTER TABLE fetch RENAME TO comic_fetch;
    ALTER TABLE explanation RENAME COLUMN timestamp TO written_at;
    CREATE INDEX subscription_by_library ON subscription (library);
    ALTER TABLE subscription ADD COLUMN claimed_by TEXT;
    ALTER TABLE subscription ADD COLUMN claimed_until INTEGER;
    CREATE TABLE counter (
      name TEXT PRIMARY KEY,
      value INTEGER NOT NULL CHECK (value >= 0)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO counter SELECT 'comics', coalesce(max(revision), 0) FROM comic;
    INSERT INTO counter SELECT 'explanations', coalesce(max(change), 0) FROM explanation;
    """
}
