// Longbox
// SPDX-License-Identifier: MIT

/// The topics of an archive's comics, numbered alike for all segments.
///
/// Each segment numbers its topics by itself. Adding a delta takes as long as it has records and topics.
struct TopicTable: Sendable {
  struct Entry: Sendable {
    var topic: Topic
    var key: Text
    /// The number of comics.
    var count: Int
  }

  /// All topics; the place of a topic is its number.
  ///
  /// Those without comics stay, so that numbers don't change.
  private(set) var entries: [Entry] = []
  /// For each segment, the numbers here of its topics.
  private var numbers: [[Int]] = []
  /// The topics' numbers in the order of their keys.
  private var order: [Int] = []

  /// Adds the next segment.
  /// - Parameter older: the record that a comic's new one replaces, and the segment that holds it.
  mutating func add(_ segment: Segment, replacing older: (Int) -> (ArchivedComic, Int)?) {
    let place = numbers.count
    numbers.append([])
    if let section = segment.topics {
      numbers[place].reserveCapacity(section.count)
      for number in 0..<section.count {
        numbers[place].append(self.number(of: section.topic(number, in: segment.bytes)))
      }
    }
    for row in 0..<segment.count {
      let comic = segment[row: row]
      if let (old, segment) = older(comic.rawNumber) { count(old, in: segment, by: -1) }
      count(comic, in: place, by: 1)
    }
  }

  /// Calls a closure with the number of each topic of a comic.
  @inline(__always)
  func visit(_ comic: ArchivedComic, in segment: Int, _ body: (Int) -> Void) {
    comic.visitTopics { number in
      let found = numbers[segment][number]
      if found >= 0 { body(found) }
    }
  }

  /// The number of the topic with a key, or nil.
  func number(ofKey key: Text) -> Int? {
    let place = place(ofKey: key)
    return place < order.count && entries[order[place]].key == key ? order[place] : nil
  }

  /// The numbers of the topics that have comics, in the order of their keys.
  var sorted: [Int] { order.filter { entries[$0].count > 0 } }

  private func place(ofKey key: Text) -> Int {
    (0..<order.count).partitioningIndex { !entries[order[$0]].key.bytes.lexicographicallyPrecedes(key.bytes) }
  }

  /// The number of a segment's topic, which may be new; -1 if it can't be read.
  private mutating func number(of topic: Topic?) -> Int {
    guard let topic else { return -1 }
    let key = topic.key
    guard !key.isEmpty else { return -1 }
    let place = place(ofKey: key)
    if place < order.count, entries[order[place]].key == key { return order[place] }
    order.insert(entries.count, at: place)
    entries.append(Entry(topic: topic, key: key, count: 0))
    return entries.count - 1
  }

  private mutating func count(_ comic: ArchivedComic, in segment: Int, by step: Int) {
    comic.visitTopics { number in
      let found = numbers[segment][number]
      if found >= 0 { entries[found].count += step }
    }
  }
}
