// Longbox
// SPDX-License-Identifier: MIT

/// A table that both engines have, with its columns.
struct CopiedTable: Sendable {
  /// The type of a column.
  enum Kind: Sendable {
    case integer, text, bytes
    /// Stored as an integer in SQLite.
    case boolean
  }

  /// A column.
  struct Column: Sendable {
    /// Its name in SQLite.
    let name: String
    let kind: Kind

    /// Its name in PostgreSQL.
    var postgresName: String { name == "timestamp" ? "written_at" : CopiedTable.snakeCase(name) }
  }

  /// Its name in SQLite.
  let name: String
  /// The number of columns in the primary key, which come first.
  let keyCount: Int
  let columns: [Column]
  /// The number of rows that are copied together.
  let batch: Int
  /// Whether ids are never reused, so the last assigned id is copied, too.
  let hasLastID: Bool

  /// Its name in PostgreSQL, where `fetch` is a keyword.
  var postgresName: String { name == "fetch" ? "comic_fetch" : Self.snakeCase(name) }

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

  private static func snakeCase(_ name: String) -> String {
    name.reduce(into: "") { $0 += $1.isUppercase ? "_\($1.lowercased())" : "\($1)" }
  }
}

extension CopiedTable {
  /// All tables, each after the tables that it refers to.
  static let all = [
    CopiedTable("comic", "number:i raw:b etag:t lastModified:t fetchedAt:i revision:i"),
    CopiedTable("comicChange", "number:i changedAt:i"),
    CopiedTable("fetch", "thing:t number:i state:t reason:t attempts:i nextTry:i", keyCount: 2),
    CopiedTable(
      "newestCheck",
      "id:i newest:i etag:t lastModified:t checkedAt:i succeededAt:i failure:t"
    ),
    CopiedTable(
      "picture",
      "number:i width:i height:i byteCount:i frames:i format:i isTransparent:x colourPermille:i lightness:i "
        + "doubleSize:i version:i rulesVersion:i larger:i"
    ),
    CopiedTable("pictureFile", "number:i kind:t name:t byteCount:i", keyCount: 2),
    CopiedTable(
      "explanation",
      "number:i outcome:t pageRevision:i timestamp:t wikitext:b fetchedAt:i lookAgain:i change:i",
      batch: 200
    ),
    CopiedTable("albumAnswer", "question:t kind:t body:b fetchedAt:i", batch: 20),
    CopiedTable("albumArticle", "album:i language:t body:b fetchedAt:i", keyCount: 2, batch: 20),
    CopiedTable("artworkAddress", "album:i address:t heardAt:i"),
    CopiedTable("artworkFile", "album:i size:t address:t name:t byteCount:i fetchedAt:i", keyCount: 2),
    CopiedTable(
      "library",
      "id:i name:b device:i sequence:i changedAt:i createdOn:i isEstablished:x idleDays:i byteCount:i"
    ),
    CopiedTable(
      "libraryRegister",
      "library:i key:b value:b time:i counter:i device:i sequence:i",
      keyCount: 2
    ),
    CopiedTable("libraryAlias", "name:b home:b pairedAt:i"),
    CopiedTable("unreadableLibrary", "name:b content:b reason:t changedAt:i", batch: 10),
    CopiedTable("libraryExpiry", "id:i day:i"),
    CopiedTable(
      "subscription",
      "id:i endpoint:t service:t publicKey:b secret:b library:b hidesSpoilers:x quietFrom:i quietUntil:i "
        + "timeZone:t createdAt:i announced:i claimed:i attempts:i nextTry:i failure:t failedAt:i givenUp:i "
        + "hasReceived:x",
      hasLastID: true
    ),
    CopiedTable(
      "hookDelivery",
      "hook:b comic:i state:t attempts:i since:i nextTry:i failure:t changedAt:i",
      keyCount: 2
    ),
    CopiedTable("favoritesFeed", "token:t library:b createdAt:i"),
    CopiedTable("accessPassphrase", "id:i hash:t changedAt:i"),
    CopiedTable(
      "credential",
      "id:i kind:t hash:b owner:i name:t createdAt:i renewedAt:i seenAt:i",
      hasLastID: true
    ),
  ]
}
