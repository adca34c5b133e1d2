// Longbox
// SPDX-License-Identifier: MIT

/// A name for comparison, without case, diacritics, width and punctuation.
///
/// A name that consists only of symbols, such as “÷” or “???”, is compared by its bytes.
struct FoldedName: Equatable {
  let words: [[UInt8]]

  init(_ name: Text) {
    var tokenizer = Tokenizer(name)
    var words: [[UInt8]] = []
    while tokenizer.next() {
      if !tokenizer.isCompound { words.append(tokenizer.word) }
    }
    self.words = words.isEmpty && !name.isEmpty ? [Array(name.bytes)] : words
  }

  var isEmpty: Bool { words.isEmpty }

  func has(_ word: StaticString) -> Bool {
    words.contains { word.isEqual(to: $0) }
  }

  func hasAny(_ candidates: [StaticString]) -> Bool {
    candidates.contains { has($0) }
  }

  /// Whether another name's words occur consecutively in this one.
  func contains(_ other: FoldedName) -> Bool {
    guard !other.isEmpty, other.words.count <= words.count else { return false }
    for start in 0...(words.count - other.words.count) where matches(other, at: start) { return true }
    return false
  }

  func begins(with other: FoldedName) -> Bool {
    !other.isEmpty && other.words.count <= words.count && matches(other, at: 0)
  }

  private func matches(_ other: FoldedName, at start: Int) -> Bool {
    for place in 0..<other.words.count where words[start + place] != other.words[place] { return false }
    return true
  }
}
