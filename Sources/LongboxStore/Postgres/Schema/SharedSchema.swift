// Longbox
// SPDX-License-Identifier: MIT

extension PostgresSchema {
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
}
