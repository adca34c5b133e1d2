// Longbox
// SPDX-License-Identifier: MIT

extension ComicRules {
  /// Converts a record's `transcript` to plain text; empty if the text belongs to another comic.
  ///
  /// It repairs broken encoding (38 comics) and drops a trailing `{{Title text: ...}}`, which repeats the alt
  /// text.
  /// - Parameters:
  ///   - raw: the field as the source sends it.
  ///   - number: the number of the comic.
  ///   - alt: the alt text of the same record.
  public static func transcript(_ raw: Text, of number: Comic.Number, alt: Text) -> Text {
    guard trustsTranscript(of: number) else { return .empty }
    let bytes = Mojibake.repaired(raw).bytes.trimmed()
    let alt = words(in: alt.bytes)
    return Text(withoutTitleText(bytes, alt: alt).trimmed())
  }

  /// Removes the last block or line if it is the alt text under one of its labels.
  private static func withoutTitleText(_ bytes: ArraySlice<UInt8>, alt: [UInt8]) -> ArraySlice<UInt8> {
    for start in [lastOpening(in: bytes), startOfLastLine(in: bytes)] {
      guard let start else { continue }
      let block = bytes[start...].drop(while: isBracketOrSpace)
      let label = Label(block)
      let body = words(in: block.dropFirst(label.length))
      let repeatsAlt = !body.isEmpty && !alt.isEmpty && (body.starts(with: alt.prefix(24)) || body == alt)
      let opensWithBraces = isBracketOrSpace(bytes[start])
      if repeatsAlt || (label.isCertain && opensWithBraces && closesAtEnd(bytes[start...])) {
        return bytes[..<start]
      }
    }
    return bytes
  }

  /// The start of the last `{{`, `{[` or `{` whose text extends to the end.
  private static func lastOpening(in bytes: ArraySlice<UInt8>) -> Int? {
    guard var start = bytes.lastIndex(of: UInt8(ascii: "{")) else { return nil }
    while start > bytes.startIndex, bytes[start - 1] == UInt8(ascii: "{") { start -= 1 }
    return start
  }

  private static func startOfLastLine(in bytes: ArraySlice<UInt8>) -> Int? {
    bytes.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 }.flatMap { $0 < bytes.endIndex ? $0 : nil }
  }

  /// Whether only brackets and spaces follow the first closing brace.
  private static func closesAtEnd(_ block: ArraySlice<UInt8>) -> Bool {
    guard let close = block.firstIndex(of: UInt8(ascii: "}")) else { return true }
    return block[close...].allSatisfy(isBracketOrSpace)
  }

  private static func isBracketOrSpace(_ byte: UInt8) -> Bool {
    byte.isASCIISpace || byte == UInt8(ascii: "{") || byte == UInt8(ascii: "}") || byte == UInt8(ascii: "[")
      || byte == UInt8(ascii: "]")
  }

  /// Letters and digits in lower case, for comparing two spellings of a sentence.
  private static func words(in bytes: ArraySlice<UInt8>) -> [UInt8] {
    bytes.compactMap { byte in
      byte.isASCIILetter || byte.isASCIIDigit ? byte.lowercasedASCII : nil
    }
  }

  /// The label before the colon in `{{Alt-Text: ...}}` and its variants.
  private struct Label {
    private static let certain: [StaticString] = ["alt", "mouseover", "rollover", "tooltip", "titletext"]
    private static let parts: [StaticString] = [
      "alt", "image", "mouseover", "rollover", "tag", "text", "title", "tooltip",
    ]

    /// The length with the colon; 0 if there is no label.
    private(set) var length = 0
    /// Whether the label can only mean the alt text; "Title" alone may be the title of a panel.
    private(set) var isCertain = false

    init(_ block: ArraySlice<UInt8>) {
      var joined: [UInt8] = []
      var word: [UInt8] = []
      for (offset, byte) in block.prefix(32).enumerated() {
        if byte.isASCIILetter {
          word.append(byte.lowercasedASCII)
          continue
        }
        if !word.isEmpty {
          guard Self.parts.contains(where: { $0.utf8Bytes == word }) else { return }
          joined += word
          word = []
        }
        if byte == UInt8(ascii: ":")
          || byte == UInt8(ascii: "-") && joined.count > 5 && followsSpace(block, offset)
        {
          length = offset + 1
          isCertain = Self.certain.contains { joined.starts(with: $0.utf8Bytes) }
          return
        }
        guard byte.isASCIISpace || byte == UInt8(ascii: "-") else { return }
      }
    }

    private func followsSpace(_ block: ArraySlice<UInt8>, _ offset: Int) -> Bool {
      offset > 0 && block[block.startIndex + offset - 1].isASCIISpace
    }
  }
}
