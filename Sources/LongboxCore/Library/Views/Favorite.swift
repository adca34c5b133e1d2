// Longbox
// SPDX-License-Identifier: MIT

/// A comic that the reader likes.
public struct Favorite: Equatable, Sendable {
  /// The comic.
  public let comic: Comic.Number
  /// When it became a favourite: milliseconds since 1970-01-01 UTC, by the clock of the device.
  public let added: UInt64
  /// What the reader wrote about it, or empty; UTF-8 as the reader's browser sent it.
  public let note: Text

  /// Makes a favourite.
  public init(comic: Comic.Number, added: UInt64, note: Text = .empty) {
    self.comic = comic
    self.added = added
    self.note = note
  }

  /// Reads a favourite from its register, or nothing where that holds none.
  ///
  /// A value that a newer version wrote is still a favourite: its date is then that of the stamp.
  init?(_ entry: LibraryEntry) {
    guard let comic = entry.key.comic(after: Self.prefix), let value = entry.value else { return nil }
    self = Self(comic, value) ?? Self(comic: comic, added: entry.stamp.time)
  }

  private init?(_ comic: Comic.Number, _ value: Text) {
    var reader = ByteReader(value.bytes)
    do throws(LibraryError) {
      guard try reader.byte() == Self.format else { return nil }
      self.init(comic: comic, added: try reader.time(), note: Text(reader.rest))
    } catch {
      return nil
    }
  }

  /// The value of the register: u8 format, varint date, the note.
  var value: Text {
    var bytes = [Self.format]
    bytes.appendVarint(added)
    bytes.append(contentsOf: note.bytes)
    return Text(bytes)
  }

  private static var format: UInt8 { 1 }
  static var prefix: Text { "favorite/comic/" }
}
