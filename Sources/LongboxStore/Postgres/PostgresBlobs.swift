// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// The bytes of pictures and covers, by their names.
struct PostgresBlobs: CopiedPictures {
  let session: PostgresSession

  /// Minimum age of an unused blob before a sweep removes it, in seconds: a transaction may be about to use it.
  private static let grace: Int64 = 3_600

  /// Stores a picture's bytes.
  ///
  /// If they are stored already, their age restarts, so no sweep removes them.
  func put(_ bytes: [UInt8], as name: ContentName) throws {
    try session.execute(
      """
      INSERT INTO blob (name, bytes, stored_at) VALUES ($1, $2, extract(epoch FROM now())::bigint)
      ON CONFLICT (name) DO UPDATE SET bytes = excluded.bytes, stored_at = excluded.stored_at
      """,
      .text(name.value),
      .bytes(bytes)
    )
  }

  func put(_ bytes: [UInt8], as name: ContentName, in folder: PictureFolder) throws {
    try put(bytes, as: name)
  }

  func has(_ file: PictureFile, in folder: PictureFolder) throws -> Bool {
    try session.execute(
      "SELECT EXISTS (SELECT FROM blob WHERE name = $1 AND octet_length(bytes) = $2)",
      .text(file.name.value),
      .init(file.byteCount)
    )
    .first?.bool(0) ?? false
  }

  func bytes(of file: PictureFile, in folder: PictureFolder) throws -> [UInt8]? { try bytes(of: file) }

  /// A picture's bytes; nil if they are missing, or don't have its size and the hash in its name.
  func bytes(of file: PictureFile) throws -> [UInt8]? {
    let row = try session.execute("SELECT bytes FROM blob WHERE name = $1", .text(file.name.value)).first
    guard let bytes = try row?.bytes(0), file.isContent(bytes) else { return nil }
    return bytes
  }

  private static let isUnused = """
    stored_at < extract(epoch FROM now())::bigint - $1
      AND NOT EXISTS (SELECT FROM picture_file WHERE picture_file.name = blob.name)
      AND NOT EXISTS (SELECT FROM artwork_file WHERE artwork_file.name = blob.name)
    """

  /// How many blobs a sweep would remove.
  func unusedCount() throws -> Int {
    let sql = "SELECT count(*) FROM blob WHERE \(Self.isUnused)"
    return try session.execute(sql, .integer(Self.grace)).first?.int(0) ?? 0
  }

  /// Removes the blobs that no row refers to; returns what was removed.
  func sweep() throws -> PictureTotals {
    let rows = try session.execute(
      "DELETE FROM blob WHERE \(Self.isUnused) RETURNING octet_length(bytes)",
      .integer(Self.grace)
    )
    return PictureTotals(files: rows.count, bytes: try rows.map { try $0.int(0) }.reduce(0, +))
  }

  /// The files among some whose bytes are missing or have another size and, if they are read, another hash.
  func faults(in files: [PictureFile], reading: Bool) throws -> (missing: Set<String>, damaged: Set<String>) {
    let condition =
      reading
      ? "OR encode(sha256(blob.bytes), 'hex') <> replace(split_part(file.name, '.', 1), '/', '')" : ""
    let rows = try session.execute(
      """
      SELECT file.name, blob.name IS NULL FROM unnest($1::text[], $2::bigint[]) AS file (name, byte_count)
      LEFT JOIN blob ON blob.name = file.name
      WHERE blob.name IS NULL OR octet_length(blob.bytes) <> file.byte_count \(condition)
      """,
      .texts(files.map(\.name.value)),
      .integers(files.map { Int64($0.byteCount) })
    )
    let faults = try rows.map { (name: try $0.text(0), isMissing: try $0.bool(1)) }
    return (Set(faults.filter(\.isMissing).map(\.name)), Set(faults.filter { !$0.isMissing }.map(\.name)))
  }
}
