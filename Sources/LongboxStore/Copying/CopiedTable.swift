// Longbox
// SPDX-License-Identifier: MIT

import Crypto

/// A table that is copied from one database to the other.
struct CopiedTable: Sendable {
  /// The type of a column.
  enum Kind: Sendable {
    case integer, text, bytes
    /// Stored as an integer in SQLite.
    case boolean
  }

  struct Column: Sendable {
    let name: String
    let kind: Kind
  }

  let name: String
  /// The number of columns in the primary key, which come first.
  let keyCount: Int
  let columns: [Column]
  /// The number of rows that are copied together.
  let batch: Int
  /// Whether ids are never reused, so the last assigned id is copied, too.
  let hasLastID: Bool

  /// Creates a table.
  /// - Parameter columns: names and types, such as `number:i raw:b`: `i` integer, `t` text, `b` bytes, `x` boolean.
  init(_ name: String, _ columns: String, keyCount: Int = 1, batch: Int = 1_000, hasLastID: Bool = false) {
    self.name = name
    self.keyCount = keyCount
    self.batch = batch
    self.hasLastID = hasLastID
    self.columns = columns.split(separator: " ").map { column in
      let parts = column.split(separator: ":")
      let kind: Kind =
        switch parts.last {
        case "i": .integer
        case "b": .bytes
        case "x": .boolean
        default: .text
        }
      return Column(name: String(parts[0]), kind: kind)
    }
  }

  /// All tables, each after the tables that it refers to.
  ///
  /// `counter` follows from the others, and a claim of a message ends with its node.
  static let all = [
    CopiedTable("comic", "number:i raw:b etag:t last_modified:t fetched_at:i revision:i"),
    CopiedTable("comic_change", "number:i changed_at:i"),
    CopiedTable("comic_fetch", "thing:t number:i state:t reason:t attempts:i next_try:i", keyCount: 2),
    CopiedTable(
      "newest_check",
      "id:i newest:i etag:t last_modified:t checked_at:i succeeded_at:i failure:t"
    ),
    CopiedTable(
      "picture",
      "number:i width:i height:i byte_count:i frames:i format:i is_transparent:x colour_permille:i lightness:i "
        + "double_size:i version:i rules_version:i larger:i"
    ),
    CopiedTable("picture_file", "number:i kind:t name:t byte_count:i", keyCount: 2),
    CopiedTable(
      "explanation",
      "number:i outcome:t page_revision:i written_at:t wikitext:b fetched_at:i look_again:i change:i",
      batch: 200
    ),
    CopiedTable("album_answer", "question:t kind:t body:b fetched_at:i", batch: 20),
    CopiedTable("album_article", "album:i language:t body:b fetched_at:i", keyCount: 2, batch: 20),
    CopiedTable("artwork_address", "album:i address:t heard_at:i"),
    CopiedTable("artwork_file", "album:i size:t address:t name:t byte_count:i fetched_at:i", keyCount: 2),
    CopiedTable(
      "library",
      "id:i name:b device:i sequence:i changed_at:i created_on:i is_established:x idle_days:i byte_count:i"
    ),
    CopiedTable(
      "library_register",
      "library:i key:b value:b time:i counter:i device:i sequence:i",
      keyCount: 2
    ),
    CopiedTable("library_alias", "name:b home:b paired_at:i"),
    CopiedTable("unreadable_library", "name:b content:b reason:t changed_at:i", batch: 10),
    CopiedTable("library_expiry", "id:i day:i"),
    CopiedTable(
      "subscription",
      "id:i endpoint:t service:t public_key:b secret:b library:b hides_spoilers:x quiet_from:i quiet_until:i "
        + "time_zone:t created_at:i announced:i claimed:i attempts:i next_try:i failure:t failed_at:i given_up:i "
        + "has_received:x",
      hasLastID: true
    ),
    CopiedTable(
      "hook_delivery",
      "hook:b comic:i state:t attempts:i since:i next_try:i failure:t changed_at:i",
      keyCount: 2
    ),
    CopiedTable("favorites_feed", "token:t library:b created_at:i"),
    CopiedTable("access_passphrase", "id:i hash:t changed_at:i"),
    CopiedTable(
      "credential",
      "id:i kind:t hash:b owner:i name:t created_at:i renewed_at:i seen_at:i",
      hasLastID: true
    ),
  ]
}

// The rows of a table in one of the databases.
extension CopiedTable {
  typealias Row = [SQLValue]

  private func names(_ columns: some Sequence<Column>, _ ending: String = "") -> String {
    columns.map { "\"\($0.name)\"\(ending)" }.joined(separator: ", ")
  }

  private static func parameters(_ count: Int) -> String {
    (1...count).map { "$\($0)" }.joined(separator: ", ")
  }

  /// The next batch of rows, in the order of their keys.
  /// - Parameter key: the key of the row before; nil for the first batch.
  func rows(after key: Row?, in database: any SQLConnection) throws -> [Row] {
    let keys = names(columns.prefix(keyCount))
    let condition = key == nil ? "" : "WHERE (\(keys)) > (\(Self.parameters(keyCount)))"
    let sql = "SELECT \(names(columns)) FROM \(name) \(condition) ORDER BY \(keys) LIMIT \(batch)"
    return try database.rows(sql, key ?? []) { row in try values(columns, row) }
  }

  /// The greatest key; nil if there are no rows.
  func lastKey(in database: any SQLConnection) throws -> Row? {
    let keys = columns.prefix(keyCount)
    let sql = "SELECT \(names(keys)) FROM \(name) ORDER BY \(names(keys, " DESC")) LIMIT 1"
    return try database.first(sql) { row in try values(keys, row) }
  }

  private func values(_ columns: some Collection<Column>, _ row: SQLRow) throws -> Row {
    try columns.enumerated().map { index, column in
      if row.isNull(index) { return .null }
      return switch column.kind {
      case .integer: .integer(try row.int64(index))
      case .boolean: .boolean(try row.bool(index))
      // PostgreSQL has no U+0000 in texts.
      case .text: .text(try row.text(index).replacing("\0", with: "\u{FFFD}"))
      case .bytes: .bytes(try row.bytes(index))
      }
    }
  }

  /// Adds rows in one transaction.
  func insert(_ rows: [Row], into database: any SQLConnection) throws {
    let sql = "INSERT INTO \(name) (\(names(columns))) VALUES (\(Self.parameters(columns.count)))"
    try database.transaction { try database.change(sql, each: rows) }
  }

  /// The hash of the rows in the order of their keys, up to a key.
  func hash(in database: any SQLConnection, upTo end: Row? = nil) throws -> [UInt8] {
    var hash = SHA256()
    var key: Row?
    while true {
      let rows = try rows(after: key, in: database)
      guard let last = rows.last else { break }
      for row in rows {
        for value in row { Self.add(value, to: &hash) }
        if let end, Array(row.prefix(keyCount)) == end { return Array(hash.finalize()) }
      }
      key = Array(last.prefix(keyCount))
    }
    return Array(hash.finalize())
  }

  /// Adds a value to a hash with its type and length, so different sequences of values have different hashes.
  private static func add(_ value: SQLValue, to hash: inout SHA256) {
    func add(_ tag: UInt8, _ bytes: some Collection<UInt8>) {
      var head = [tag]
      withUnsafeBytes(of: UInt64(bytes.count).bigEndian) { head += $0 }
      hash.update(data: head)
      hash.update(data: Array(bytes))
    }
    switch value {
    case .integer(let value): withUnsafeBytes(of: value.bigEndian) { add(1, Array($0)) }
    case .boolean(let value): add(1, [value ? 1 : 0])
    case .text(let value): add(2, value.utf8)
    case .bytes(let value): add(3, value)
    case .null, .integers, .texts, .byteArrays: add(0, [])
    }
  }
}
