// Longbox
// SPDX-License-Identifier: MIT

extension ComicRules {
  /// Converts a record's `transcript` to plain text; empty if the text belongs to another comic.
  ///
  /// It repairs broken encoding (38 comics), drops `{{Title text: ...}}`, which repeats the alt text, and brings
  /// the notation into one form (see ``TranscriptNotation``).
  /// - Parameters:
  ///   - raw: the field as the source sends it.
  ///   - number: the number of the comic.
  ///   - alt: the alt text of the same record.
  ///   - wiki: the transcript on explain xkcd, or empty. It shows where the record has lost a slash.
  public static func transcript(
    _ raw: Text,
    of number: Comic.Number,
    alt: Text,
    comparedWith wiki: Text = .empty
  ) -> Text {
    guard trustsTranscript(of: number) else { return .empty }
    let bytes = Mojibake.repaired(raw).bytes.trimmed()
    let whole = LostSlashes.restored(in: withoutTitleText(bytes, alt: words(in: alt.bytes)), from: wiki.bytes)
    return Text(TranscriptNotation.normalized(whole[...])[...].trimmed())
  }

  /// Removes each block in braces, and the last line, that is the alt text.
  private static func withoutTitleText(_ bytes: ArraySlice<UInt8>, alt: [UInt8]) -> ArraySlice<UInt8> {
    var kept: [UInt8] = []
    var index = bytes.startIndex
    while index < bytes.endIndex {
      guard bytes[index] == UInt8(ascii: "{") else {
        kept.append(bytes[index])
        index += 1
        continue
      }
      let inner = bytes[index...].drop(while: isBracketOrSpace)
      if isTitleText(inner, alt: alt, isInBraces: true) {
        index = endOfBlock(bytes, after: inner.startIndex)
      } else {
        kept += bytes[index..<inner.startIndex]
        index = inner.startIndex
      }
    }
    let text = kept[...].trimmed()
    let lastLine = text.lastIndex(of: UInt8(ascii: "\n")).map { text[($0 + 1)...] } ?? []
    let isTitle = isTitleText(lastLine.drop(while: isBracketOrSpace), alt: alt, isInBraces: false)
    return isTitle ? text[..<lastLine.startIndex] : text
  }

  /// Whether a text starts with the alt text, or with a label that can only mean it.
  ///
  /// Without a label it may be part of the comic, unless it repeats enough words.
  private static func isTitleText(_ text: ArraySlice<UInt8>, alt: [UInt8], isInBraces: Bool) -> Bool {
    let label = Label(text)
    if label.isCertain, isInBraces { return true }
    let repeated = alt.prefix(24)
    guard !repeated.isEmpty, label.length > 0 || repeated.count > 12 else { return false }
    return words(in: text.dropFirst(label.length).prefix(200)).starts(with: repeated)
  }

  /// The index after a block's closing braces; without any it extends to the next block.
  private static func endOfBlock(_ bytes: ArraySlice<UInt8>, after start: Int) -> Int {
    let rest = bytes[start...]
    if let next = rest.firstIndex(of: ("[[" as StaticString).utf8Bytes, from: start),
      rest[..<next].lastIndex(of: UInt8(ascii: "}")) == nil
    {
      return next
    }
    guard
      let close = rest.firstIndex(of: ("}}" as StaticString).utf8Bytes, from: start)
        ?? rest.firstIndex(of: UInt8(ascii: "}"))
    else { return bytes.endIndex }
    return rest[close...].drop(while: { $0 == UInt8(ascii: "}") || $0 == UInt8(ascii: "]") }).startIndex
  }

  private static func isBracketOrSpace(_ byte: UInt8) -> Bool {
    byte.isASCIISpace || byte == UInt8(ascii: "{") || byte == UInt8(ascii: "}") || byte == UInt8(ascii: "[")
      || byte == UInt8(ascii: "]")
  }

  /// Letters and digits in lower case, for comparing two spellings of a sentence.
  static func words(in bytes: ArraySlice<UInt8>) -> [UInt8] {
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
