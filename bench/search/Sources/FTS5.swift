// Longbox
// SPDX-License-Identifier: MIT

import GRDBSQLite

/// SQLite's full text search by its C interface: Porter stems, bm25 with weighted columns.
final class FTS5: Engine {
  /// SQLite's error message.
  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  /// Weights of title, alt text, transcript, explanation; the best tried on the development queries.
  private static let weights = "8.0, 2.0, 1.0, 0.5"

  private var database: OpaquePointer?
  private var question: OpaquePointer?

  /// Opens or creates a database for writing.
  init(at path: String) throws {
    try check(sqlite3_open(path, &database))
  }

  /// Opens a database for queries, with all of it in memory.
  init(inMemory path: String) throws {
    try check(sqlite3_open(":memory:", &database))
    var file: OpaquePointer?
    defer { sqlite3_close(file) }
    try check(sqlite3_open_v2(path, &file, SQLITE_OPEN_READONLY, nil))
    let backup = sqlite3_backup_init(database, "main", file, "main")
    sqlite3_backup_step(backup, -1)
    try check(sqlite3_backup_finish(backup))
    try prepare()
  }

  deinit {
    sqlite3_finalize(question)
    sqlite3_close(database)
  }

  func index(_ documents: [Document]) throws {
    try run(
      """
      CREATE VIRTUAL TABLE comic USING fts5(title, alt, transcript, explanation, content = '',
        tokenize = 'porter unicode61');
      INSERT INTO comic(comic, rank) VALUES ('rank', 'bm25(\(Self.weights))');
      BEGIN
      """
    )
    var insertion: OpaquePointer?
    defer { sqlite3_finalize(insertion) }
    let statement = "INSERT INTO comic(rowid, title, alt, transcript, explanation) VALUES (?, ?, ?, ?, ?)"
    try check(sqlite3_prepare_v2(database, statement, -1, &insertion, nil))
    for document in documents {
      sqlite3_bind_int64(insertion, 1, Int64(document.number))
      let texts = [document.title, document.alt, document.transcript, document.explanation]
      for (index, text) in texts.enumerated() { bind(text, to: insertion, at: Int32(index + 2)) }
      guard sqlite3_step(insertion) == SQLITE_DONE else { throw failure }
      sqlite3_reset(insertion)
    }
    try run("COMMIT; INSERT INTO comic(comic) VALUES ('optimize')")
  }

  func answers(to query: String) throws -> [Int] {
    let words = query.lowercased().split { !$0.isLetter && !$0.isNumber && $0 != "_" }
    guard !words.isEmpty else { return [] }
    bind(words.map { "\"\($0)\"" }.joined(separator: " OR "), to: question, at: 1)
    defer { sqlite3_reset(question) }
    var numbers: [Int] = []
    while true {
      switch sqlite3_step(question) {
      case SQLITE_ROW: numbers.append(Int(sqlite3_column_int64(question, 0)))
      case SQLITE_DONE: return numbers
      default: throw failure
      }
    }
  }

  func reopen() throws {
    try prepare()
  }

  private func prepare() throws {
    sqlite3_finalize(question)
    let statement = "SELECT rowid FROM comic WHERE comic MATCH ? ORDER BY rank LIMIT 10"
    try check(sqlite3_prepare_v2(database, statement, -1, &question, nil))
  }

  private func run(_ statements: String) throws {
    try check(sqlite3_exec(database, statements, nil, nil, nil))
  }

  private func bind(_ text: String, to statement: OpaquePointer?, at index: Int32) {
    // SQLite copies the bytes before this call returns.
    let copies = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    sqlite3_bind_text(statement, index, text, Int32(text.utf8.count), copies)
  }

  private func check(_ code: Int32) throws {
    guard code == SQLITE_OK else { throw failure }
  }

  private var failure: Failure {
    Failure(description: "SQLite: " + (sqlite3_errmsg(database).map { String(cString: $0) } ?? "no database"))
  }
}
