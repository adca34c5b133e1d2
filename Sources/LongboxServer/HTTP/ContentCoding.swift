// Longbox
// SPDX-License-Identifier: MIT

/// How a body is compressed for the way to the reader (RFC 9110, section 8.4.1), best first.
enum ContentCoding: String, CaseIterable, Sendable {
  case brotli = "br"
  case gzip

  /// What an entity tag and a file's name end in for this form, after `-` or `.`.
  var suffix: String {
    switch self {
    case .brotli: "br"
    case .gzip: "gz"
    }
  }

  /// The compressed bytes, or nil where they would not be shorter.
  func compress(_ bytes: [UInt8]) -> [UInt8]? {
    switch self {
    case .brotli: Brotli.compress(bytes)
    case .gzip: Gzip.compress(bytes)
    }
  }

  /// The coding to use for a reader who sends this `Accept-Encoding` (RFC 9110, section 12.5.3), or nil for none.
  ///
  /// The reader's highest quality wins; among equals, the earlier coding. Without the header nothing is compressed.
  /// - Parameters:
  ///   - header: the value of the header field.
  ///   - codings: what there is to choose from, best first.
  static func preferred(by header: String?, among codings: some Sequence<ContentCoding> = allCases)
    -> ContentCoding?
  {
    guard let header else { return nil }
    var brotli: Double?
    var gzip: Double?
    var identity: Double?
    var any: Double?
    for item in Array(header.utf8).split(separator: UInt8(ascii: ",")) {
      let end = item.firstIndex(of: UInt8(ascii: ";")) ?? item.endIndex
      let name = item[..<end].trimmed
      func names(_ other: String) -> Bool {
        // Bit 5 makes ASCII letters lowercase, and leaves `*` as it is.
        name.elementsEqual(other.utf8) { $0 | 0x20 == $1 }
      }
      if names("br") {
        brotli = quality(item[end...])
      } else if names("gzip") {
        gzip = quality(item[end...])
      } else if names("identity") {
        identity = quality(item[end...])
      } else if names("*") {
        any = quality(item[end...])
      }
    }
    // No compression is as good as a coding, but only where the reader names it.
    var best: (coding: ContentCoding?, quality: Double) = (nil, identity ?? 0)
    for coding in codings {
      // What is said of a coding itself goes before what is said of any.
      let quality = (coding == .brotli ? brotli : gzip) ?? any ?? 0
      let isBetter = best.coding == nil ? quality >= best.quality : quality > best.quality
      if quality > 0, isBetter { best = (coding, quality) }
    }
    return best.coding
  }

  /// The quality that the parameters of an item give.
  private static func quality(_ parameters: ArraySlice<UInt8>) -> Double {
    for parameter in parameters.split(separator: UInt8(ascii: ";")).map(\.trimmed) {
      let start = parameter.prefix(2)
      guard start.elementsEqual("q=".utf8, by: { $0 | 0x20 == $1 | 0x20 }) else { continue }
      return Double(String(decoding: parameter[start.endIndex...], as: UTF8.self)) ?? 1
    }
    return 1
  }
}

extension ArraySlice<UInt8> {
  /// The same without spaces and tabs around it.
  fileprivate var trimmed: ArraySlice<UInt8> {
    func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
    var trimmed = drop(while: isSpace)
    while trimmed.last.map(isSpace) == true { trimmed.removeLast() }
    return trimmed
  }
}
