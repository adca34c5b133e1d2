// Longbox
// SPDX-License-Identifier: MIT

/// Everything that a search depends on but the archive, as a value that can be handed to who searches.
///
/// In bytes: u8 1 deep, 2 typing; varint offset, varint limit; the text, the favourites and what was read, each a varint
/// length and as many bytes.
public struct SearchQuestion: Equatable, Sendable {
  /// What was typed.
  public var text: Text
  /// Whether all texts are searched, or titles and numbers only.
  public var isDeep: Bool
  /// Whether the reader is still typing, so that the last word may be the beginning of one.
  public var isTyping: Bool
  /// How many hits are left out at the start.
  public var offset: Int
  /// The most hits that are handed out.
  public var limit: Int
  /// What `is:favorite` admits.
  public var favorites: ComicSet
  /// What `is:read` admits.
  public var read: ComicSet

  /// Makes a question.
  public init(
    text: Text,
    isDeep: Bool = true,
    isTyping: Bool = false,
    offset: Int = 0,
    limit: Int = 50,
    favorites: ComicSet = .empty,
    read: ComicSet = .empty
  ) {
    self.text = text
    self.isDeep = isDeep
    self.isTyping = isTyping
    self.offset = offset
    self.limit = limit
    self.favorites = favorites
    self.read = read
  }

  /// The question in bytes.
  public func encoded() -> [UInt8] {
    var bytes: [UInt8] = [(isDeep ? 1 : 0) | (isTyping ? 2 : 0)]
    bytes.appendCount(offset)
    bytes.appendCount(limit)
    bytes.appendBlock(text.bytes)
    bytes.appendBlock(favorites.bits[...])
    bytes.appendBlock(read.bits[...])
    return bytes
  }

  /// Reads a question; nothing where the bytes are none.
  public init?(decoding bytes: [UInt8]) {
    var reader = ByteReader(bytes[...])
    do throws(LibraryError) {
      let flags = try reader.byte()
      let offset = try reader.count(atMost: SearchResults.most)
      let limit = try reader.count(atMost: SearchResults.most)
      let text = Text(try reader.block())
      let favorites = ComicSet(bits: Array(try reader.block()))
      let read = ComicSet(bits: Array(try reader.block()))
      guard reader.isAtEnd, flags < 4 else { return nil }
      self.init(
        text: text,
        isDeep: flags & 1 != 0,
        isTyping: flags & 2 != 0,
        offset: offset,
        limit: limit,
        favorites: favorites,
        read: read
      )
    } catch {
      return nil
    }
  }
}

extension Search {
  /// Answers a question.
  /// - Parameters:
  ///   - question: what is asked.
  ///   - explanation: the plain text of a comic's explanation, for a snippet, where the host has it at hand.
  public func results(
    for question: SearchQuestion,
    explanation: @escaping (Comic.Number) -> Text? = { _ in nil }
  ) -> SearchResults {
    results(
      for: question.text,
      options: SearchOptions(
        isDeep: question.isDeep,
        isTyping: question.isTyping,
        offset: question.offset,
        limit: question.limit,
        isFavorite: { question.favorites.contains($0) },
        isRead: { question.read.contains($0) },
        explanation: explanation
      )
    )
  }
}

extension ByteReader {
  /// A varint length, and as many bytes.
  mutating func block() throws(LibraryError) -> ArraySlice<UInt8> {
    try slice(try count(atMost: rest.count))
  }
}

extension [UInt8] {
  /// Adds a varint length, and the bytes.
  mutating func appendBlock(_ bytes: ArraySlice<UInt8>) {
    appendCount(bytes.count)
    append(contentsOf: bytes)
  }
}
