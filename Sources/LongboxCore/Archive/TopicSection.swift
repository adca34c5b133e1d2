// Longbox
// SPDX-License-Identifier: MIT

/// The topics of a segment's comics, read in place.
///
///     0  u32 offset of the names
///     4  the lists of the records, each a u8 count and that many varints, which are numbers of names
///     names: u32 count; for each the u32 end of its bytes, counted from the first; the bytes, each a u8 kind and UTF-8
///
/// A record has the offset of its list. Opening checks the table of names; lists are checked where they are read, and a
/// list or a number outside of the section reads as none.
struct TopicSection: Sendable {
  /// The maximum number of names; a comic's further topics are left out.
  static let mostNames = 4096

  let count: Int
  private let start: Int
  /// The place of the names' ends, where the lists have ended.
  private let ends: Int
  private var names: Int { ends + 4 * count }

  /// Opens a section; nil if its table points outside of it or is out of order.
  init?(_ bytes: [UInt8], at range: Range<Int>) {
    let span = bytes.span.bytes
    guard
      range.count >= 8, let offset = span.count32(at: range.lowerBound), offset >= 4,
      offset <= range.count - 4,
      let count = span.count32(at: range.lowerBound + offset), count <= Self.mostNames,
      4 * count <= range.count - offset - 4
    else { return nil }
    start = range.lowerBound
    ends = start + offset + 4
    self.count = count
    var previous = 0
    for index in 0..<count {
      guard let end = span.count32(at: ends + 4 * index), end > previous else { return nil }
      previous = end
    }
    guard previous <= range.upperBound - ends - 4 * count else { return nil }
  }

  /// The topic with a number below ``count``; nil if its kind is unknown.
  func topic(_ number: Int, in bytes: [UInt8]) -> Topic? {
    guard number >= 0, number < count else { return nil }
    let span = bytes.span.bytes
    let from = number == 0 ? 0 : Int(truncatingIfNeeded: span.word32(at: ends + 4 * (number - 1)))
    let end = Int(truncatingIfNeeded: span.word32(at: ends + 4 * number))
    guard let kind = Topic.Kind(rawValue: span.byte(at: names + from)) else { return nil }
    return Topic(kind: kind, name: Text(bytes[(names + from + 1)..<(names + end)]))
  }

  /// Calls a closure with each number of a list.
  @inline(__always)
  func visit(listAt offset: Int, in bytes: [UInt8], _ body: (Int) -> Void) {
    let end = ends - 4
    guard offset >= 4, offset < end - start else { return }
    let span = bytes.span.bytes
    var index = start + offset + 1
    for _ in 0..<span.byte(at: start + offset) {
      guard let number = span.varint(at: &index, end: end) else { return }
      if number < count { body(number) }
    }
  }
}

/// Collects the topics of a segment's comics.
struct TopicSectionWriter {
  private var lists: [UInt8] = []
  private var ends: [UInt8] = []
  private var names: [UInt8] = []
  /// The keys of the names, and their numbers in the order of the keys.
  private var keys: [Text] = []
  private var order: [Int] = []

  var isEmpty: Bool { lists.isEmpty }

  /// Adds the topics of a comic.
  /// - Returns: the offset of its list; 0 if it has none.
  mutating func append(_ topics: [Topic]) -> UInt32 {
    var list: [UInt8] = []
    var count: UInt8 = 0
    for topic in topics.prefix(Topic.mostOfComic) {
      guard let number = number(of: topic) else { continue }
      list.appendVarint(UInt32(number))
      count += 1
    }
    guard count > 0 else { return 0 }
    let offset = 4 + lists.count
    lists.append(count)
    lists += list
    return UInt32(offset)
  }

  private mutating func number(of topic: Topic) -> Int? {
    let key = topic.key
    let index = order.indices.partitioningIndex {
      !keys[order[$0]].bytes.lexicographicallyPrecedes(key.bytes)
    }
    if index < order.count, keys[order[index]] == key { return order[index] }
    guard keys.count < TopicSection.mostNames, topic.name.count <= Topic.longestName else { return nil }
    order.insert(keys.count, at: index)
    keys.append(key)
    names.append(topic.kind.rawValue)
    names += topic.name.bytes
    ends.append32(UInt32(names.count))
    return keys.count - 1
  }

  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.append32(UInt32(4 + lists.count))
    bytes += lists
    bytes.append32(UInt32(keys.count))
    return bytes + ends + names
  }
}
