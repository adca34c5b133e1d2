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

/// The slashes of xkcd's transcripts: in each record a line break has replaced them.
private enum LostSlashes {
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

/// Repairs text whose UTF-8 was decoded as Latin-1, and Windows-1252 bytes that became C1 controls.
private enum Mojibake {
  /// The Windows-1252 characters 0x80 to 0x9F; 0 if undefined.
  private static let windows1252: [UInt32] = [
    0x20AC, 0, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0,
    0x017D, 0,
    0, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0,
    0x017E, 0x0178,
  ]

  /// Returns the repaired text, or the same bytes if there is nothing to repair.
  ///
  /// It decodes only runs that are strictly valid UTF-8: a lead in U+00C2...U+00F4 and continuations in
  /// U+0080...U+00BF. Decoding the whole text would break a correct accent ("Dalí", 2175) next to such a run.
  static func repaired(_ text: Text) -> Text {
    // Any broken text contains 0xC2 or 0xC3 in UTF-8.
    guard text.bytes.contains(where: { $0 == 0xC2 || $0 == 0xC3 }) else { return text }
    let scalars = Array(String(decoding: text.bytes, as: UTF8.self).unicodeScalars)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count)
    var index = 0
    while index < scalars.count {
      if let (scalar, length) = decodedTwice(scalars[index...]) {
        append(scalar, to: &bytes)
        index += length
      } else {
        append(meaning(of: scalars[index]), to: &bytes)
        index += 1
      }
    }
    return Text(bytes)
  }

  /// The scalar whose UTF-8 is a run of Latin-1 characters, and the length of the run.
  private static func decodedTwice(_ run: ArraySlice<Unicode.Scalar>) -> (
    scalar: Unicode.Scalar, length: Int
  )? {
    guard let lead = run.first?.value, (0xC2...0xF4).contains(lead) else { return nil }
    let length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
    guard run.count >= length else { return nil }
    var value = lead & (lead < 0xE0 ? 0x1F : lead < 0xF0 ? 0x0F : 0x07)
    for continuation in run.prefix(length).dropFirst() {
      guard (0x80...0xBF).contains(continuation.value) else { return nil }
      value = value << 6 | (continuation.value & 0x3F)
    }
    let least: UInt32 = length == 2 ? 0x80 : length == 3 ? 0x800 : 0x10000
    guard value >= least, let scalar = Unicode.Scalar(value) else { return nil }
    return (scalar, length)
  }

  private static func meaning(of scalar: Unicode.Scalar) -> Unicode.Scalar? {
    guard (0x80...0x9F).contains(scalar.value) else { return scalar }
    let value = windows1252[Int(scalar.value - 0x80)]
    return value == 0 ? nil : Unicode.Scalar(value)
  }

  private static func append(_ scalar: Unicode.Scalar?, to bytes: inout [UInt8]) {
    guard let scalar, let encoded = UTF8.encode(scalar) else { return }
    bytes.append(contentsOf: encoded)
  }
}
