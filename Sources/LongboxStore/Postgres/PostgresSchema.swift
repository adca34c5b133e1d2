// Longbox
// SPDX-License-Identifier: MIT

/// What each migration changes in PostgreSQL; these have shipped, so they are frozen.
///
/// Texts that are compared or sorted have the collation `C`, which compares bytes as SQLite does.
enum PostgresSchema {
  static let first = [
    foundation, comics, pictures, explanations, albums, libraries, subscriptions, feeds, access,
  ]

  /// `counter` numbers changes.
  ///
  /// Its row is locked until the commit, so a reader that has seen a number has seen all numbers before it. A
  /// sequence or `max(revision) + 1` wouldn't guarantee that.
  ///
  /// `store.is_complete` is false while `longbox migrate-store` fills the tables.
  private static let foundation = """
    CREATE TABLE store (
      id bigint PRIMARY KEY CHECK (id = 1),
      is_complete boolean NOT NULL
    );
    INSERT INTO store VALUES (1, true);
    CREATE TABLE counter (
      name text PRIMARY KEY,
      value bigint NOT NULL CHECK (value >= 0)
    );
    INSERT INTO counter VALUES ('comics', 0), ('explanations', 0);
    """

  /// `raw` is what xkcd sent; nothing decoded is stored, so better rules need no migration.
  private static let comics = """
    CREATE TABLE comic (
      number bigint PRIMARY KEY CHECK (number BETWEEN 1 AND 999999 AND number <> 404),
      raw bytea NOT NULL CHECK (octet_length(raw) BETWEEN 1 AND 1048576),
      etag text,
      last_modified text,
      fetched_at bigint NOT NULL,
      revision bigint NOT NULL CHECK (revision > 0)
    );
    CREATE INDEX comic_by_revision ON comic (revision);
    CREATE TABLE comic_fetch (
      number bigint NOT NULL CHECK (number BETWEEN 1 AND 999999 AND number <> 404),
      thing text COLLATE "C" NOT NULL CHECK (thing IN ('record', 'picture', 'doubleSize')),
      state text NOT NULL CHECK (state IN ('fetched', 'absent', 'failed')),
      reason text,
      attempts bigint NOT NULL CHECK (attempts >= 0),
      next_try bigint,
      PRIMARY KEY (thing, number)
    );
    CREATE TABLE newest_check (
      id bigint PRIMARY KEY CHECK (id = 1),
      newest bigint CHECK (newest BETWEEN 1 AND 999999 AND newest <> 404),
      etag text,
      last_modified text,
      checked_at bigint NOT NULL,
      succeeded_at bigint,
      failure text
    );
    """

  /// `blob` has the bytes of pictures and covers by their names, without compression: pictures are compressed already.
  ///
  /// A sweep removes those without a row that are older than an hour, see `PostgresBlobs`.
  private static let pictures = """
    CREATE TABLE picture (
      number bigint PRIMARY KEY REFERENCES comic (number),
      width bigint NOT NULL CHECK (width > 0),
      height bigint NOT NULL CHECK (height > 0),
      byte_count bigint NOT NULL CHECK (byte_count > 0),
      frames bigint NOT NULL CHECK (frames > 0),
      format bigint NOT NULL,
      is_transparent boolean NOT NULL,
      colour_permille bigint NOT NULL CHECK (colour_permille BETWEEN 0 AND 1000),
      lightness bigint NOT NULL CHECK (lightness BETWEEN 0 AND 255),
      double_size bigint NOT NULL,
      version bigint NOT NULL CHECK (version BETWEEN 0 AND 4294967295),
      rules_version bigint NOT NULL
    );
    CREATE TABLE picture_file (
      number bigint NOT NULL REFERENCES picture (number),
      kind text COLLATE "C" NOT NULL CHECK (kind IN ('standard', 'doubleSize', 'thumbnail')),
      name text COLLATE "C" NOT NULL,
      byte_count bigint NOT NULL CHECK (byte_count > 0),
      PRIMARY KEY (number, kind)
    );
    CREATE INDEX picture_file_by_name ON picture_file (name);
    CREATE TABLE blob (
      name text COLLATE "C" PRIMARY KEY,
      bytes bytea NOT NULL,
      stored_at bigint NOT NULL
    );
    ALTER TABLE blob ALTER COLUMN bytes SET STORAGE EXTERNAL;
    """

  private static let explanations = """
    CREATE TABLE explanation (
      number bigint PRIMARY KEY CHECK (number BETWEEN 1 AND 999999 AND number <> 404),
      outcome text NOT NULL CHECK (outcome IN ('page', 'missing', 'tooLong', 'failed')),
      page_revision bigint,
      written_at text,
      wikitext bytea CHECK (octet_length(wikitext) <= 16777216),
      fetched_at bigint NOT NULL,
      look_again bigint,
      change bigint NOT NULL UNIQUE CHECK (change > 0),
      CHECK ((wikitext IS NULL) = (page_revision IS NULL) AND (wikitext IS NULL) = (written_at IS NULL)),
      CHECK (outcome <> 'page' OR wikitext IS NOT NULL)
    );
    CREATE INDEX explanation_by_look ON explanation (look_again);
    """

  private static let albums = """
    CREATE TABLE album_answer (
      question text COLLATE "C" PRIMARY KEY CHECK (length(question) BETWEEN 3 AND 400),
      kind text NOT NULL CHECK (kind IN ('artists', 'albums', 'tracks')),
      body bytea NOT NULL CHECK (octet_length(body) BETWEEN 1 AND 8388608),
      fetched_at bigint NOT NULL
    );
    CREATE INDEX album_answer_by_age ON album_answer (kind, fetched_at);
    CREATE TABLE album_article (
      album bigint NOT NULL CHECK (album > 0),
      language text COLLATE "C" NOT NULL,
      body bytea NOT NULL CHECK (octet_length(body) BETWEEN 1 AND 8388608),
      fetched_at bigint NOT NULL,
      PRIMARY KEY (album, language)
    );
    CREATE INDEX album_article_by_age ON album_article (fetched_at);
    CREATE TABLE artwork_address (
      album bigint PRIMARY KEY CHECK (album > 0),
      address text NOT NULL,
      heard_at bigint NOT NULL
    );
    CREATE INDEX artwork_address_by_age ON artwork_address (heard_at);
    CREATE TABLE artwork_file (
      album bigint NOT NULL REFERENCES artwork_address (album),
      size text COLLATE "C" NOT NULL CHECK (size IN ('cover', 'small')),
      address text NOT NULL,
      name text COLLATE "C" NOT NULL,
      byte_count bigint NOT NULL CHECK (byte_count > 0),
      fetched_at bigint NOT NULL,
      PRIMARY KEY (album, size)
    );
    CREATE INDEX artwork_file_by_name ON artwork_file (name);
    CREATE INDEX artwork_file_by_age ON artwork_file (fetched_at);
    """

  /// A library's row is the lock for its changes.
  ///
  /// The index by sequence finds what is new to a node or a device. `time` of a register is in milliseconds since 1970
  /// UTC; `created_on` and `day` are days since then.
  private static let libraries = """
    CREATE TABLE library (
      id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
      name bytea NOT NULL UNIQUE CHECK (octet_length(name) = 32),
      device bigint NOT NULL,
      sequence bigint NOT NULL CHECK (sequence >= 0),
      changed_at bigint NOT NULL,
      created_on bigint NOT NULL DEFAULT 0,
      is_established boolean NOT NULL,
      idle_days bigint NOT NULL DEFAULT 0 CHECK (idle_days >= 0),
      byte_count bigint NOT NULL DEFAULT 0 CHECK (byte_count >= 0)
    );
    CREATE TABLE library_register (
      library bigint NOT NULL REFERENCES library (id) ON DELETE CASCADE,
      key bytea NOT NULL CHECK (octet_length(key) BETWEEN 1 AND 200),
      value bytea CHECK (octet_length(value) <= 4096),
      time bigint NOT NULL CHECK (time BETWEEN 0 AND 281474976710655),
      counter bigint NOT NULL CHECK (counter BETWEEN 0 AND 4294967295),
      device bigint NOT NULL,
      sequence bigint NOT NULL CHECK (sequence >= 0),
      PRIMARY KEY (library, key)
    );
    CREATE INDEX library_register_by_sequence ON library_register (library, sequence);
    CREATE TABLE library_alias (
      name bytea PRIMARY KEY CHECK (octet_length(name) = 32),
      home bytea NOT NULL CHECK (octet_length(home) = 32 AND home <> name),
      paired_at bigint NOT NULL
    );
    CREATE INDEX library_alias_by_home ON library_alias (home);
    CREATE TABLE unreadable_library (
      name bytea PRIMARY KEY CHECK (octet_length(name) = 32),
      content bytea NOT NULL,
      reason text NOT NULL,
      changed_at bigint NOT NULL
    );
    CREATE TABLE library_expiry (
      id bigint PRIMARY KEY CHECK (id = 1),
      day bigint NOT NULL
    );
    """

  private static let subscriptions = """
    CREATE TABLE subscription (
      id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
      endpoint text COLLATE "C" NOT NULL UNIQUE CHECK (length(endpoint) BETWEEN 1 AND 2048),
      service text COLLATE "C" NOT NULL,
      public_key bytea NOT NULL CHECK (octet_length(public_key) = 65),
      secret bytea NOT NULL CHECK (octet_length(secret) = 16),
      library bytea CHECK (octet_length(library) = 32),
      hides_spoilers boolean NOT NULL,
      quiet_from bigint CHECK (quiet_from BETWEEN 0 AND 1439),
      quiet_until bigint CHECK (quiet_until BETWEEN 0 AND 1439),
      time_zone text NOT NULL CHECK (length(time_zone) BETWEEN 1 AND 64),
      created_at bigint NOT NULL,
      announced bigint CHECK (announced BETWEEN 0 AND 999999),
      claimed bigint CHECK (claimed > announced),
      attempts bigint NOT NULL DEFAULT 0 CHECK (attempts >= 0),
      next_try bigint,
      failure text,
      failed_at bigint,
      given_up bigint NOT NULL DEFAULT 0 CHECK (given_up >= 0),
      has_received boolean NOT NULL,
      CHECK ((quiet_from IS NULL) = (quiet_until IS NULL))
    );
    CREATE INDEX subscription_by_service ON subscription (service, announced, id);
    CREATE INDEX subscription_by_library ON subscription (library);
    """

  private static let feeds = """
    CREATE TABLE comic_change (
      number bigint PRIMARY KEY REFERENCES comic (number),
      changed_at bigint NOT NULL
    );
    CREATE TABLE favorites_feed (
      token text COLLATE "C" PRIMARY KEY CHECK (length(token) BETWEEN 16 AND 64),
      library bytea NOT NULL CHECK (octet_length(library) = 32),
      created_at bigint NOT NULL
    );
    CREATE INDEX favorites_feed_by_library ON favorites_feed (library);
    """

  private static let access = """
    CREATE TABLE access_passphrase (
      id bigint PRIMARY KEY CHECK (id = 1),
      hash text NOT NULL CHECK (length(hash) BETWEEN 1 AND 400),
      changed_at bigint NOT NULL
    );
    CREATE TABLE credential (
      id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
      kind text NOT NULL CHECK (kind IN ('session', 'key')),
      hash bytea NOT NULL UNIQUE CHECK (octet_length(hash) = 32),
      owner bigint NOT NULL DEFAULT 1,
      name text NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
      created_at bigint NOT NULL,
      renewed_at bigint NOT NULL,
      seen_at bigint
    );
    """

  /// Each new leader raises the term, so later writes of the previous leader are rejected.
  ///
  /// A subscription that is `claimed` belongs to the node `claimed_by` until `claimed_until`, by the database's clock.
  /// `wanted` has what followers ask of the leader, see ``LeaderRequestQueue``.
  static let leader = """
    CREATE TABLE leader (
      id bigint PRIMARY KEY CHECK (id = 1),
      term bigint NOT NULL CHECK (term >= 0),
      node text NOT NULL,
      since bigint NOT NULL
    );
    INSERT INTO leader VALUES (1, 0, '', 0);
    ALTER TABLE subscription ADD COLUMN claimed_by text, ADD COLUMN claimed_until bigint;
    CREATE TABLE wanted (
      thing text COLLATE "C" NOT NULL CHECK (thing IN ('record', 'picture', 'doubleSize', 'explanation')),
      number bigint NOT NULL CHECK (number BETWEEN 1 AND 999999 AND number <> 404),
      asked_at bigint NOT NULL,
      failure text,
      PRIMARY KEY (thing, number)
    );
    """

  /// The tables of ``SharedStore``; `longbox migrate-store` doesn't copy them.
  ///
  /// Codes expire at milliseconds since 1970 UTC; limits use microseconds. `code` has the hash of a code, and its content
  /// encrypted with the code. The row of a limit with an empty address counts all addresses together, and is the
  /// limit's lock.
  static let codesAndLimits = """
    CREATE TABLE code (
      kind text COLLATE "C" NOT NULL CHECK (kind IN ('pairing', 'signIn')),
      hash bytea NOT NULL CHECK (octet_length(hash) = 32),
      owner bytea CHECK (octet_length(owner) = 32),
      content bytea NOT NULL CHECK (octet_length(content) <= 200),
      expires_at bigint NOT NULL,
      is_used boolean NOT NULL DEFAULT false,
      PRIMARY KEY (kind, hash)
    );
    CREATE TABLE rate_limit (
      name text COLLATE "C" NOT NULL,
      address text COLLATE "C" NOT NULL,
      full_at bigint NOT NULL,
      PRIMARY KEY (name, address)
    );
    CREATE TABLE secret (
      name text COLLATE "C" PRIMARY KEY,
      content bytea NOT NULL CHECK (octet_length(content) <= 65536)
    );
    """

  static let largerVersions = """
    ALTER TABLE picture ADD COLUMN larger bigint NOT NULL DEFAULT 0;
    ALTER TABLE picture_file DROP CONSTRAINT picture_file_kind_check,
      ADD CONSTRAINT picture_file_kind_check
        CHECK (kind IN ('standard', 'doubleSize', 'thumbnail', 'larger'));
    ALTER TABLE comic_fetch DROP CONSTRAINT comic_fetch_thing_check,
      ADD CONSTRAINT comic_fetch_thing_check CHECK (thing IN ('record', 'picture', 'doubleSize', 'larger'));
    ALTER TABLE wanted DROP CONSTRAINT wanted_thing_check,
      ADD CONSTRAINT wanted_thing_check
        CHECK (thing IN ('record', 'picture', 'doubleSize', 'larger', 'explanation'));
    """

  /// `hook` is the SHA-256 of a hook's address.
  ///
  /// `next_try` is NULL once nothing is sent any more.
  static let hooks = """
    CREATE TABLE hook_delivery (
      hook bytea NOT NULL CHECK (octet_length(hook) = 32),
      comic bigint NOT NULL CHECK (comic BETWEEN 1 AND 999999 AND comic <> 404),
      state text NOT NULL CHECK (state IN ('due', 'delivered', 'failed', 'skipped')),
      attempts bigint NOT NULL CHECK (attempts >= 0),
      since bigint NOT NULL,
      next_try bigint,
      failure text,
      changed_at bigint NOT NULL,
      PRIMARY KEY (hook, comic),
      CHECK ((state = 'due') = (next_try IS NOT NULL))
    );
    """
}
