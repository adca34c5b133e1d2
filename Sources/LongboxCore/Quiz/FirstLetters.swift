// Longbox
// SPDX-License-Identifier: MIT

/// The hint *First letters*: a title with most letters hidden.
public enum FirstLetters {
  /// The number of hint levels; each shows more letters.
  public static var levels: Int { 2 }

  /// A title with hidden letters as middle dots, cut to 300 characters.
  /// - Parameters:
  ///   - title: the title.
  ///   - level: 1 shows the first letter of each word, 2 its first half.
  public static func hint(to title: Text, level: Int) -> Text {
    var hint: [UInt8] = []
    var word: [UInt32] = []
    for scalar in TitleLetters.scalars(of: title) {
      var letters: [UInt32] = []
      // Combining marks belong to the letter before, digits count as letters, and apostrophes don't split
      // words.
      if isApostrophe(scalar), !word.isEmpty {
        word.append(scalar)
        continue
      }
      if TitleLetters.append(scalar, to: &letters) != .separator {
        if !letters.isEmpty { word.append(scalar) }
        continue
      }
      append(word, level: level, to: &hint)
      word.removeAll()
      append(scalar, to: &hint)
    }
    append(word, level: level, to: &hint)
    return Text(hint)
  }

  private static func append(_ word: [UInt32], level: Int, to hint: inout [UInt8]) {
    let shown = level > 1 ? (word.count + 1) / 2 : 1
    for (place, scalar) in word.enumerated() {
      append(place < shown || isApostrophe(scalar) ? scalar : 0xB7, to: &hint)
    }
  }

  private static func isApostrophe(_ scalar: UInt32) -> Bool { scalar == 0x27 || scalar == 0x2019 }

  private static func append(_ scalar: UInt32, to hint: inout [UInt8]) {
    guard let scalar = Unicode.Scalar(scalar), let encoded = UTF8.encode(scalar) else { return }
    hint.append(contentsOf: encoded)
  }
}
