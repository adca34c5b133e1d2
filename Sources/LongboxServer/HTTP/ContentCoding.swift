// Longbox
// SPDX-License-Identifier: MIT

/// A compression of response bodies (RFC 9110, section 8.4.1), best first.
enum ContentCoding: String, CaseIterable, Sendable {
  case brotli = "br"
  case gzip

  /// The suffix of entity tags and file names, after `-` or `.`.
  var suffix: String {
    switch self {
    case .brotli: "br"
    case .gzip: "gz"
    }
  }

  /// The compressed bytes; nil if they would not be shorter.
  func compress(_ bytes: [UInt8]) -> [UInt8]? {
    switch self {
    case .brotli: Brotli.compress(bytes)
    case .gzip: Gzip.compress(bytes)
    }
  }

  /// The coding to use for an `Accept-Encoding` header (RFC 9110, section 12.5.3); nil for no compression.
  ///
  /// The highest quality wins; among equals, the earlier coding. Without the header nothing is compressed.
  /// - Parameters:
  ///   - header: the header's value.
  ///   - codings: the available codings, best first.
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
        // Bit 5 makes ASCII letters lowercase, and doesn't change `*`.
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
    // Identity competes with the codings only if the header names it.
    var best: (coding: ContentCoding?, quality: Double) = (nil, identity ?? 0)
    for coding in codings {
      // A quality for the coding itself takes precedence over `*`.
      let quality = (coding == .brotli ? brotli : gzip) ?? any ?? 0
      let isBetter = best.coding == nil ? quality >= best.quality : quality > best.quality
      if quality > 0, isBetter { best = (coding, quality) }
    }
    return best.coding
  }

  /// The quality in an item's parameters.
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
  fileprivate var trimmed: ArraySlice<UInt8> {
    func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
    var trimmed = drop(while: isSpace)
    while trimmed.last.map(isSpace) == true { trimmed.removeLast() }
    return trimmed
  }
}
