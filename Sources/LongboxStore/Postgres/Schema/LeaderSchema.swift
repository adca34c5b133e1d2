// Longbox
// SPDX-License-Identifier: MIT

/// The tables and columns for several nodes: the leader's term, claims of messages, and requests to the leader.
enum LeaderSchema {
  /// Each new leader raises the term, so later writes of the previous leader are rejected.
  ///
  /// A subscription that is `claimed` belongs to the node `claimed_by` until `claimed_until`, by the database's clock.
  static let migration = PostgresSchema.Migration(
    name: "002 a leader of several nodes",
    sql: [
      """
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
    ]
  )
}
