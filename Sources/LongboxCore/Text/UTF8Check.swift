// Longbox
// SPDX-License-Identifier: MIT

extension ArraySlice<UInt8> {
  /// Whether the bytes are valid UTF-8 (Unicode, table 3-7): no overlong forms, no surrogates.
  package var isUTF8: Bool {
    var place = startIndex
    while place < endIndex {
      let first = self[place]
      place += 1
      if first < 0x80 { continue }
      let rest: Int
      var second: ClosedRange<UInt8> = 0x80...0xBF
      switch first {
      case 0xC2...0xDF: rest = 1
      case 0xE0: (rest, second) = (2, 0xA0...0xBF)
      case 0xED: (rest, second) = (2, 0x80...0x9F)
      case 0xE1...0xEF: rest = 2
      case 0xF0: (rest, second) = (3, 0x90...0xBF)
      case 0xF4: (rest, second) = (3, 0x80...0x8F)
      case 0xF1...0xF3: rest = 3
      default: return false
      }
      guard rest <= endIndex - place, second.contains(self[place]) else { return false }
      for other in self[(place + 1)..<(place + rest)] where !(0x80...0xBF).contains(other) { return false }
      place += rest
    }
    return true
  }
}

extension Text {
  /// The text if it is valid UTF-8; otherwise a copy with U+FFFD in place of every byte that isn't ASCII, also those of
  /// valid letters.
  package var valid: Text {
    guard !bytes.isUTF8 else { return self }
    var valid: [UInt8] = []
    for byte in bytes {
      if byte < 0x80 { valid.append(byte) } else { valid += UTF8.encodedReplacementCharacter }
    }
    return Text(valid)
  }

  /// The text up to a number of characters, with an ellipsis if it is longer; doesn't cut a character.
  func shortened(to limit: Int) -> Text {
    var characters = 0
    for (length, byte) in bytes.enumerated() where byte & 0xC0 != 0x80 {
      characters += 1
      if characters > limit { return Text(bytes.prefix(length)) + "…" }
    }
    return self
  }
}
