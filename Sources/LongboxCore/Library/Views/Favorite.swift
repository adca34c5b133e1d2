// Longbox
// SPDX-License-Identifier: MIT

/// A favorite comic.
public struct Favorite: Equatable, Sendable {
  /// The comic.
  public let comic: Comic.Number
  /// When it was added: milliseconds since 1970-01-01 UTC, by the device's clock.
  public let added: UInt64
  /// The reader's note, or empty; UTF-8 as the browser sent it.
  public let note: Text

  /// Creates a favorite.
  public init(comic: Comic.Number, added: UInt64, note: Text = .empty) {
    self.comic = comic
    self.added = added
    self.note = note
  }

  /// Decodes a favorite from its register, or nil.
  ///
  /// A value in a newer format still counts; its date is then that of the timestamp.
  init?(_ entry: LibraryEntry) {
    guard let comic = entry.key.comic(after: Self.prefix), let value = entry.value else { return nil }
    self = Self(comic, value) ?? Self(comic: comic, added: entry.timestamp.time)
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

  /// The encoding of the value: u8 format, varint date, the note.
  var value: Text {
    var bytes = [Self.format]
    bytes.appendVarint(added)
    bytes.append(contentsOf: note.bytes)
    return Text(bytes)
  }

  private static var format: UInt8 { 1 }
  static var prefix: Text { "favorite/comic/" }
}
