// Longbox
// SPDX-License-Identifier: MIT

/// Normalises text for search: drops case, diacritics, width and compatibility forms.
///
/// It is NFKD without diacritics, in lower case, for the scalars of ``FoldingTable``. Letters that Unicode
/// doesn't decompose become what people type for them (`ß` to `ss`, `ø` to `o`).
enum Folding {
  /// Calls a closure with the folding of a scalar: zero to three scalars.
  @inline(__always)
  static func fold(_ scalar: UInt32, _ body: (UInt32) -> Void) {
    if scalar < 0x80 {
      body((0x41...0x5A).contains(scalar) ? scalar | 0x20 : scalar)
      return
    }
    guard let key = UInt16(exactly: scalar) else { return body(scalar) }
    if let row = row(of: key, in: FoldingTable.singles, width: 2) {
      let folded = FoldingTable.singles[row + 1]
      if folded != 0 { body(UInt32(folded)) }
    } else if let row = row(of: key, in: FoldingTable.expansions, width: 4) {
      for column in 1...3 where FoldingTable.expansions[row + column] != 0 {
        body(UInt32(FoldingTable.expansions[row + column]))
      }
    } else {
      body(scalar)
    }
  }

  /// The role of a folded scalar in words.
  static func role(of scalar: UInt32) -> Role {
    switch scalar {
    case 0..<0x80:
      let byte = UInt8(truncatingIfNeeded: scalar)
      return byte.isASCIILetter || byte.isASCIIDigit ? .part : .separator
    case 0x80..<0x2190:
      return isInWords(UInt16(truncatingIfNeeded: scalar)) ? .part : .separator
    case 0x3041...0x30FF, 0xA000...0xD7FF, 0x2C00...0x2DFF: return .part
    // Ideographs and emoji are written without spaces, so each is a word.
    case 0x2E80...0x2FDF, 0x3400...0x9FFF, 0xF900...0xFAFF: return .whole
    case 0x2600...0x27BF, 0x1F000...0x1FAFF, 0x20000...0x3FFFF: return .whole
    case 0x10000..<0x1F000: return .part
    default: return .separator
    }
  }

  enum Role {
    /// Ends a word.
    case separator
    /// A letter, digit or combining sign.
    case part
    /// A word by itself.
    case whole
  }

  /// The index of the row that begins with a key, in a table sorted by the first column.
  private static func row(of key: UInt16, in table: [UInt16], width: Int) -> Int? {
    let index = (0..<table.count / width).partitioningIndex { table[$0 * width] >= key } * width
    return index < table.count && table[index] == key ? index : nil
  }

  private static func isInWords(_ key: UInt16) -> Bool {
    let words = FoldingTable.words
    let index = (0..<words.count / 2).partitioningIndex { words[$0 * 2 + 1] >= key } * 2
    return index < words.count && words[index] <= key
  }
}
