// Longbox
// SPDX-License-Identifier: MIT

extension Archive {
  /// A topic, with the number of its comics.
  public struct ListedTopic: Equatable, Sendable {
    public let topic: Topic
    /// Its key, as in addresses.
    public let key: Text
    /// The number of comics that have it.
    public let count: Int
    /// Whether three in four of its comics, and at least three, have its name at the start of their title.
    ///
    /// Only ``Archive/topics`` finds that out.
    public var isSeries = false
  }

  /// All topics, in the order of their keys.
  public var topics: [ListedTopic] {
    let entries = topicTable.entries
    var titled = Array(repeating: 0, count: entries.count)
    visitWithSegments { comic, segment in
      let title = Topic.key(of: comic.title).bytes
      topicTable.visit(comic, in: segment) { number in
        // "xkcd Phones" are titled "xkcd Phone 2" and the like.
        let key = entries[number].key.bytes
        let singular = key.last == UInt8(ascii: "s") ? key.dropLast() : key
        if entries[number].count > 2, title.starts(with: singular) { titled[number] += 1 }
      }
      return true
    }
    return topicTable.sorted.map { number in
      let entry = entries[number]
      var listed = ListedTopic(topic: entry.topic, key: entry.key, count: entry.count)
      listed.isSeries = entry.count > 2 && titled[number] * 4 >= entry.count * 3
      return listed
    }
  }

  /// The topic with a key; nil if no comic has it.
  public func topic(_ key: Text) -> ListedTopic? {
    guard let number = topicTable.number(ofKey: key) else { return nil }
    let entry = topicTable.entries[number]
    return entry.count > 0 ? ListedTopic(topic: entry.topic, key: key, count: entry.count) : nil
  }

  /// The comics with a topic that has a name as a person types it.
  ///
  /// If no topic has just this name, those count that have it at the start of a word: "donald" finds "Donald Knuth" and
  /// "chart" finds "Charts".
  public func comics(about name: Text) -> ComicSet {
    guard let latest, let isWanted = topics(named: name) else { return .empty }
    var bits: [UInt8] = Array(repeating: 0, count: latest.rawNumber / 8 + 1)
    visitWithSegments { comic, segment in
      topicTable.visit(comic, in: segment) { number in
        if isWanted[number] { bits[comic.rawNumber / 8] |= 1 << UInt8(comic.rawNumber % 8) }
      }
      return true
    }
    return ComicSet(bits: bits)
  }

  /// The names in `with:` and `about:` of a search that no topic has.
  public func unknownTopics(in search: Text) -> [Text] {
    SearchQuery(search).topics.map { $0.name }.filter { topics(named: $0) == nil }
  }

  /// By number, whether a topic is meant by a name; nil if none is.
  private func topics(named name: Text) -> [Bool]? {
    let key = Topic.key(of: name)
    guard !key.isEmpty else { return nil }
    var isWanted = Array(repeating: false, count: topicTable.entries.count)
    if let number = topicTable.number(ofKey: key), topicTable.entries[number].count > 0 {
      isWanted[number] = true
      return isWanted
    }
    var isFound = false
    for number in isWanted.indices {
      let entry = topicTable.entries[number]
      guard entry.count > 0, Self.has(key, entry.key) else { continue }
      isWanted[number] = true
      isFound = true
    }
    return isFound ? isWanted : nil
  }

  private static func has(_ typed: Text, _ key: Text) -> Bool {
    var rest = key.bytes
    while !rest.isEmpty {
      if rest.starts(with: typed.bytes) { return true }
      guard let hyphen = rest.firstIndex(of: UInt8(ascii: "-")) else { return false }
      rest = rest[(hyphen + 1)...]
    }
    return false
  }

  /// The comics that share the rarest topics, and the rarest words of title and alt text, with a comic; best first.
  ///
  /// A shared topic or word counts by its inverse document frequency, a word half. What many comics have finds none.
  /// - Parameter limit: the maximum number of comics.
  public func comics(like number: Comic.Number, limit: Int) -> [ArchivedComic] {
    guard limit > 0, let place = overlay(of: number.value), let latest else { return [] }
    let comic = comic(place)
    var weights: [Float] = Array(repeating: 0, count: topicTable.entries.count)
    topicTable.visit(comic, in: place.segment) { topic in
      weights[topic] = rarity(topicTable.entries[topic].count)
    }
    var scores: [Float] = Array(repeating: 0, count: latest.rawNumber + 1)
    visitWithSegments { other, segment in
      topicTable.visit(other, in: segment) { scores[other.rawNumber] += weights[$0] }
      return true
    }
    addWords(of: comic, to: &scores)
    scores[comic.rawNumber] = 0
    // Many pairs share less: two frequent topics, or a word.
    let least = rarity(1) * 0.45
    var best: [Int] = []
    for candidate in scores.indices where scores[candidate] > 0 && scores[candidate] >= least {
      if best.count == limit, scores[candidate] <= scores[best[limit - 1]] { continue }
      var index = best.count
      while index > 0, scores[best[index - 1]] < scores[candidate] { index -= 1 }
      best.insert(candidate, at: index)
      if best.count > limit { best.removeLast() }
    }
    return best.compactMap { value in overlay(of: value).map { self.comic($0) } }
  }

  /// The base-2 logarithm of how rare something is that a number of comics have.
  private func rarity(_ count: Int) -> Float {
    Logarithm.log2(Float(max(self.count, count)) / Float(max(count, 1)))
  }

  /// Adds the words of title and alt text that few comics have.
  private func addWords(of comic: ArchivedComic, to scores: inout [Float]) {
    let most = max(count / 100, 2)
    let indexes = segments.map { segment in segment.searchIndex.flatMap { SearchIndex(segment.bytes, at: $0) }
    }
    var words: [[UInt8]] = []
    for text in [comic.title, comic.alt] {
      var tokenizer = Tokenizer(text)
      while words.count < 64, tokenizer.next() {
        if !words.contains(tokenizer.word) { words.append(tokenizer.word) }
      }
    }
    for word in words {
      var having: [Int] = []
      var isCommon = false
      for (segment, index) in indexes.enumerated() {
        guard let index, index.fieldCount == 3, let found = index.find(word[...]) else { continue }
        // What is common in one segment may be rare in a small delta.
        isCommon = found.documents > 2 * most
        if isCommon { break }
        index.visitDocuments(of: found) { number in
          if segments.count == 1 || overlay(of: number)?.segment == segment { having.append(number) }
        }
      }
      guard !isCommon, having.count > 1, having.count <= most else { continue }
      for number in having where number < scores.count { scores[number] += rarity(having.count) / 2 }
    }
  }
}

/// The topics of an archive's comics, numbered alike for all segments.
///
/// Each segment numbers its topics by itself. Adding a delta takes as long as it has records and topics.
struct TopicTable: Sendable {
  struct Entry: Sendable {
    var topic: Topic
    var key: Text
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
    let index = numbers.count
    numbers.append([])
    if let section = segment.topics {
      numbers[index].reserveCapacity(section.count)
      for number in 0..<section.count {
        numbers[index].append(self.number(of: section.topic(number, in: segment.bytes)))
      }
    }
    for row in 0..<segment.count {
      let comic = segment[row: row]
      if let (old, segment) = older(comic.rawNumber) { count(old, in: segment, by: -1) }
      count(comic, in: index, by: 1)
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
    let index = orderIndex(ofKey: key)
    return index < order.count && entries[order[index]].key == key ? order[index] : nil
  }

  /// The numbers of the topics that have comics, in the order of their keys.
  var sorted: [Int] { order.filter { entries[$0].count > 0 } }

  private func orderIndex(ofKey key: Text) -> Int {
    (0..<order.count).partitioningIndex { !entries[order[$0]].key.bytes.lexicographicallyPrecedes(key.bytes) }
  }

  /// The number of a segment's topic, which may be new; -1 if it can't be read.
  private mutating func number(of topic: Topic?) -> Int {
    guard let topic else { return -1 }
    let key = topic.key
    guard !key.isEmpty else { return -1 }
    let index = orderIndex(ofKey: key)
    if index < order.count, entries[order[index]].key == key { return order[index] }
    order.insert(entries.count, at: index)
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
