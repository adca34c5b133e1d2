// Longbox
// SPDX-License-Identifier: MIT

/// The slashes of xkcd's transcripts: in each record a line break has replaced them.
enum LostSlashes {
  /// The transcript with the slashes that another transcript of the comic has between the same two words, and those of
  /// addresses.
  static func restored(in transcript: ArraySlice<UInt8>, from other: ArraySlice<UInt8>) -> [UInt8] {
    let pairs = pairs(in: other)
    var restored: [UInt8] = []
    restored.reserveCapacity(transcript.count)
    /// Whether an address extends to here.
    var isInAddress = false
    for line in transcript.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      if restored.isEmpty {
        restored += line
        continue
      }
      let last = lastWord(of: restored)
      let first = firstWord(of: line)
      let isScheme = isScheme(restored[...])
      let isPath =
        isInAddress && !line.isEmpty && !line.contains { $0.isASCIISpace || $0 == UInt8(ascii: ":") }
      if isScheme || isPath {
        restored += (isScheme ? "//" as StaticString : "/").utf8Bytes
        isInAddress = !line.contains { $0.isASCIISpace }
      } else if !last.isEmpty, !first.isEmpty,
        let pair = pairs.first(where: { $0.before == last && $0.after == first })
      {
        while restored.last == 0x20 { restored.removeLast() }
        restored += pair.between
        restored += line.drop { $0 == 0x20 }
        continue
      } else {
        isInAddress = false
        restored.append(UInt8(ascii: "\n"))
      }
      restored += line
    }
    return restored
  }

  private struct Pair {
    let before: [UInt8]
    /// The slashes, with the spaces around them.
    let between: ArraySlice<UInt8>
    let after: [UInt8]
  }

  /// The words around each slash.
  private static func pairs(in text: ArraySlice<UInt8>) -> [Pair] {
    var pairs: [Pair] = []
    var index = text.startIndex
    while let slash = text[index...].firstIndex(of: UInt8(ascii: "/")), pairs.count < 400 {
      var start = slash
      while start > text.startIndex, text[start - 1] == 0x20 { start -= 1 }
      let end = text[slash...].drop { $0 == UInt8(ascii: "/") || $0 == 0x20 }.startIndex
      let before = lastWord(of: Array(text[..<start].suffix(40)))
      let after = firstWord(of: text[end...].prefix(40))
      if !before.isEmpty, !after.isEmpty {
        pairs.append(Pair(before: before, between: text[start..<end], after: after))
      }
      index = end
    }
    return pairs
  }

  private static func isScheme(_ text: ArraySlice<UInt8>) -> Bool {
    text.suffix(5).elementsEqual(("http:" as StaticString).utf8Bytes)
      || text.suffix(6).elementsEqual(("https:" as StaticString).utf8Bytes)
  }

  /// The letters and digits at the end, in lower case, before punctuation such as `)` and spaces.
  private static func lastWord(of text: [UInt8]) -> [UInt8] {
    var end = text.count
    while end > 0, !isWord(text[end - 1]), text[end - 1] != UInt8(ascii: "\n"), text.count - end < 3 {
      end -= 1
    }
    var start = end
    while start > 0, isWord(text[start - 1]) { start -= 1 }
    return text[start..<end].map { $0.lowercasedASCII }
  }

  private static func firstWord(of text: ArraySlice<UInt8>) -> [UInt8] {
    var start = text.startIndex
    while start < text.endIndex, !isWord(text[start]), start - text.startIndex < 3 { start += 1 }
    return text[start...].prefix(while: isWord).map { $0.lowercasedASCII }
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    byte.isASCIILetter || byte.isASCIIDigit || byte >= 0x80 || byte == UInt8(ascii: "'")
  }
}
