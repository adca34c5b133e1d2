// Longbox
// SPDX-License-Identifier: MIT

extension WikiInlineParser {
  /// Parses the link that starts with a bracket here and returns the index after it; nil if there is none.
  mutating func link(at start: Int, _ end: Int, into writer: inout WikiDocumentWriter) -> Int? {
    if start + 1 < end, source[start + 1] == UInt8(ascii: "[") {
      return internalLink(at: start, end, into: &writer)
    }
    let addressEnd = endOfAddress(at: start + 1, end)
    guard let addressEnd, let close = findClosingBracket(after: addressEnd, end) else { return nil }
    let address = addressBytes((start + 1)..<addressEnd)
    var label = addressEnd..<close
    while label.lowerBound < label.upperBound, source[label.lowerBound] == 0x20 {
      label = (label.lowerBound + 1)..<label.upperBound
    }
    let number = label.isEmpty ? writer.countLink() : 0
    link(to: WikiLink.external(address[...]), into: &writer) { parser, writer in
      if label.isEmpty {
        for byte in ("[" + Text(decimal: number) + "]").bytes { parser.append(byte) }
      } else {
        parser.walk(label, isInLink: true, into: &writer)
      }
    }
    return close + 1
  }

  /// Parses `[[...]]`; letters right after the link belong to its text: `[[comic]]s`.
  private mutating func internalLink(at start: Int, _ end: Int, into writer: inout WikiDocumentWriter) -> Int?
  {
    var close = findClosingBracket(after: start + 2, end)
    while let found = close, found + 1 >= end || source[found + 1] != UInt8(ascii: "]") {
      close = findClosingBracket(after: found + 1, end)
    }
    guard let close else { return nil }
    let inner = (start + 2)..<close
    let bar = inner.first { source[$0] == UInt8(ascii: "|") }
    var trailEnd = close + 2
    while trailEnd < end, (0x61...0x7A).contains(source[trailEnd]) { trailEnd += 1 }
    let target = WikiLink.target(
      source[inner.lowerBound..<(bar ?? inner.upperBound)],
      onPageOf: writer.ownNumber
    )
    link(to: target, into: &writer) { parser, writer in
      parser.walk((bar.map { $0 + 1 } ?? inner.lowerBound)..<inner.upperBound, isInLink: true, into: &writer)
      parser.walk((close + 2)..<trailEnd, isInLink: true, into: &writer)
    }
    return trailEnd
  }

  /// The index of the next `]`; cached, so that many `[` don't each search the whole line.
  private mutating func findClosingBracket(after start: Int, _ end: Int) -> Int? {
    if closingBracket < start {
      closingBracket = start
      while closingBracket < end, source[closingBracket] != UInt8(ascii: "]") {
        closingBracket += source[closingBracket] == WikiMarker.literal ? 2 : 1
      }
    }
    return closingBracket < end ? closingBracket : nil
  }

  /// The end of an address that starts here, or nil.
  private func endOfAddress(at start: Int, _ end: Int) -> Int? {
    guard start < end else { return nil }
    let schemes: [StaticString] = ["http://", "https://", "//", "ftp://", "mailto:"]
    let rest = source[start..<min(end, start + 2048)]
    guard schemes.contains(where: { rest.starts(with: $0.utf8Bytes) }) else { return nil }
    var index = start
    while index < rest.endIndex, !Self.endsAddress(source[index]) {
      if source[index] == UInt8(ascii: "'"), index + 1 < rest.endIndex, source[index + 1] == UInt8(ascii: "'")
      {
        break
      }
      index += 1
    }
    return index
  }

  private static func endsAddress(_ byte: UInt8) -> Bool {
    byte <= 0x20 || byte == UInt8(ascii: "[") || byte == UInt8(ascii: "]") || byte == UInt8(ascii: "<")
      || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "\"")
  }

  /// The bytes of an address, with entities decoded, as `&amp;` is common.
  private func addressBytes(_ range: Range<Int>) -> [UInt8] {
    WikiLink.decoded(source[range])
  }

  /// Parses a bare address as a link; a full stop after it isn't part of the link.
  mutating func bareAddress(
    at start: Int,
    _ range: Range<Int>,
    into writer: inout WikiDocumentWriter
  ) -> Int? {
    guard source[start...].starts(with: ("http" as StaticString).utf8Bytes) else { return nil }
    guard !last.isASCIILetter && !last.isASCIIDigit else { return nil }
    guard var end = endOfAddress(at: start, range.upperBound) else { return nil }
    let hasOpening = source[start..<end].contains(UInt8(ascii: "("))
    while end > start,
      Self.endsSentence(source[end - 1]) || source[end - 1] == UInt8(ascii: ")") && !hasOpening
    {
      end -= 1
    }
    let address = addressBytes(start..<end)
    guard WikiCode.isAddress(address[...]) else { return nil }
    link(to: WikiLink.external(address[...]), into: &writer) { parser, _ in
      for byte in address { parser.append(byte) }
    }
    return end
  }

  private static func endsSentence(_ byte: UInt8) -> Bool {
    (".,;:!?\\|{}" as StaticString).utf8Bytes.contains(byte)
  }
}
