// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore

/// Covers of albums.
extension PostgresAlbumTable {
  func artworkAddress(of album: StoreID) throws -> String? {
    try session.execute("SELECT address FROM artwork_address WHERE album = $1", .init(album)).first?.text(0)
  }

  func putArtworkAddresses(_ addresses: [StoreID: String], heardAt: Date, keeping limit: Int) throws {
    guard !addresses.isEmpty else { return }
    // Always in the same order, so two nodes can't deadlock.
    let sorted = addresses.sorted { $0.key.value < $1.key.value }
    try session.execute(
      """
      INSERT INTO artwork_address (album, address, heard_at)
        SELECT new.*, $3 FROM unnest($1::bigint[], $2::text[]) AS new
      ON CONFLICT (album) DO UPDATE SET address = excluded.address, heard_at = excluded.heard_at
      """,
      .integers(sorted.map { Int64($0.key.value) }),
      .texts(sorted.map(\.value)),
      .init(heardAt)
    )
    try session.execute(
      """
      DELETE FROM artwork_address WHERE album IN (
        SELECT album FROM artwork_address ORDER BY heard_at DESC OFFSET $1
      ) AND NOT EXISTS (SELECT FROM artwork_file WHERE artwork_file.album = artwork_address.album)
      """,
      .init(limit)
    )
  }

  func artwork(_ size: ArtworkSize, of album: StoreID) throws -> PictureFile? {
    try session.execute(
      """
      SELECT name, byte_count FROM artwork_file JOIN artwork_address USING (album, address)
      WHERE album = $1 AND size = $2
      """,
      .init(album),
      .text(size.rawValue)
    )
    .first.map { try PictureFile($0) }
  }

  func anyArtwork(_ size: ArtworkSize, of album: StoreID) throws -> PictureFile? {
    try session.execute(
      "SELECT name, byte_count FROM artwork_file WHERE album = $1 AND size = $2",
      .init(album),
      .text(size.rawValue)
    )
    .first.map { try PictureFile($0) }
  }

  func put(
    _ file: PictureFile,
    at address: String,
    _ size: ArtworkSize,
    of album: StoreID,
    fetchedAt: Date
  ) throws {
    try session.execute(
      """
      INSERT INTO artwork_file (album, size, address, name, byte_count, fetched_at)
      VALUES ($1, $2, $3, $4, $5, $6)
      ON CONFLICT (album, size) DO UPDATE SET address = excluded.address, name = excluded.name,
        byte_count = excluded.byte_count, fetched_at = excluded.fetched_at
      """,
      .init(album),
      .text(size.rawValue),
      .text(address),
      .text(file.name.value),
      .init(file.byteCount),
      .init(fetchedAt)
    )
  }

  func forgetArtwork(keeping limit: Int) throws -> Set<ContentName> {
    let rows = try session.execute(
      """
      DELETE FROM artwork_file WHERE (album, size) IN (
        SELECT album, size FROM artwork_file ORDER BY fetched_at DESC OFFSET $1
      ) RETURNING name, byte_count
      """,
      .init(limit)
    )
    return Set(try rows.map { try PictureFile($0).name })
  }

  func artworkFiles() throws -> Set<PictureFile> {
    Set(
      try session.execute("SELECT DISTINCT name, byte_count FROM artwork_file").map { try PictureFile($0) }
    )
  }

  func hasArtwork(_ name: ContentName) throws -> Bool {
    try session.execute("SELECT EXISTS (SELECT FROM artwork_file WHERE name = $1)", .text(name.value))
      .first?.bool(0) ?? false
  }
}
