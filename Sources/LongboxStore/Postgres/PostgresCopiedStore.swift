// Longbox
// SPDX-License-Identifier: MIT

/// A PostgreSQL database as the source or target of a copy.
struct PostgresCopiedStore: CopyTarget {
  let session: PostgresSession

  func rows(of table: CopiedTable, after key: CopiedRow?) throws -> [CopiedRow] {
    let names = table.columns.map { "\"\($0.postgresName)\"" }
    let keys = names.prefix(table.keyCount).joined(separator: ", ")
    let marks = (1...table.keyCount).map { "$\($0)" }.joined(separator: ", ")
    let condition = key == nil ? "" : "WHERE (\(keys)) > (\(marks)) "
    return try session.execute(
      "SELECT \(names.joined(separator: ", ")) FROM \(table.postgresName) \(condition)ORDER BY \(keys) LIMIT \(table.batch)",
      values: (key ?? []).map(\.postgresValue)
    )
    .map { row in
      try table.columns.indices.map { try Self.value(row, $0, table.columns[$0].kind) }
    }
  }

  func lastKey(of table: CopiedTable) throws -> CopiedRow? {
    let columns = table.columns.prefix(table.keyCount)
    let names = columns.map { "\"\($0.postgresName)\"" }
    let order = names.map { "\($0) DESC" }.joined(separator: ", ")
    return try session.execute(
      "SELECT \(names.joined(separator: ", ")) FROM \(table.postgresName) ORDER BY \(order) LIMIT 1"
    )
    .first.map { row in try columns.indices.map { try Self.value(row, $0, columns[$0].kind) } }
  }

  func lastID(of table: CopiedTable) throws -> Int64 {
    try session.execute(
      "SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM \(table.postgresName)_id_seq"
    )
    .first?.int64(0) ?? 0
  }

  func pictures() throws -> [(folder: PictureFolder, file: PictureFile)] {
    try PostgresTables(session: session).pictureFiles()
  }

  func picture(_ file: PictureFile, in folder: PictureFolder) throws -> [UInt8]? {
    try PostgresBlobs(session: session).bytes(of: file)
  }

  func insert(_ rows: [CopiedRow], into table: CopiedTable) throws {
    let names = table.columns.map { "\"\($0.postgresName)\"" }.joined(separator: ", ")
    let arrays = table.columns.indices.map { "$\($0 + 1)::\(table.columns[$0].kind.arrayType)" }
    let values = table.columns.indices.map { index in rows.map { $0[index] } }
    let selected = table.columns.indices.map { index in
      table.columns[index].kind == .boolean ? "c\(index) <> 0" : "c\(index)"
    }
    let aliases = table.columns.indices.map { "c\($0)" }.joined(separator: ", ")
    _ = try session.transaction { session in
      try session.execute(
        """
        INSERT INTO \(table.postgresName) (\(names)) SELECT \(selected.joined(separator: ", "))
        FROM unnest(\(arrays.joined(separator: ", "))) AS new (\(aliases))
        """,
        values: zip(table.columns, values).map { column, values in column.kind.array(of: values) }
      )
    }
  }

  func skipIDs(of table: CopiedTable, upTo id: Int64) throws {
    guard id > 0 else { return }
    try session.execute("SELECT setval('\(table.postgresName)_id_seq', $1)", .integer(id))
  }

  func clear() throws {
    let names = CopiedTable.all.map(\.postgresName).joined(separator: ", ")
    try session.run("TRUNCATE \(names)")
  }

  func hasPicture(_ file: PictureFile, in folder: PictureFolder) throws -> Bool {
    try session.execute(
      "SELECT EXISTS (SELECT FROM blob WHERE name = $1 AND octet_length(bytes) = $2)",
      .text(file.name.value),
      .init(file.byteCount)
    )
    .first?.bool(0) ?? false
  }

  func put(_ picture: [UInt8], _ file: PictureFile, in folder: PictureFolder) throws {
    try session.transaction { session in
      try PostgresBlobs(session: session).put(picture, as: file.name)
    }
  }

  private static func value(_ row: PostgresRow, _ column: Int, _ kind: CopiedTable.Kind) throws
    -> CopiedValue
  {
    if row.isNull(column) { return .null }
    return switch kind {
    case .integer: .integer(try row.int64(column))
    case .boolean: .integer(try row.bool(column) ? 1 : 0)
    case .text: .text(try row.text(column))
    case .bytes: .bytes(try row.bytes(column))
    }
  }
}

extension CopiedTable.Kind {
  fileprivate var arrayType: String {
    switch self {
    case .integer, .boolean: "bigint[]"
    case .text: "text[]"
    case .bytes: "bytea[]"
    }
  }

  fileprivate func array(of values: [CopiedValue]) -> PostgresValue {
    switch self {
    case .integer, .boolean:
      .integers(values.map { if case .integer(let value) = $0 { value } else { nil } })
    case .text: .texts(values.map { if case .text(let value) = $0 { value } else { nil } })
    case .bytes: .byteArrays(values.map { if case .bytes(let value) = $0 { value } else { nil } })
    }
  }
}

extension CopiedValue {
  fileprivate var postgresValue: PostgresValue {
    switch self {
    case .null: .null
    case .integer(let value): .integer(value)
    case .text(let value): .text(value)
    case .bytes(let value): .bytes(value)
    }
  }
}
