// Longbox
// SPDX-License-Identifier: MIT

/// Leaves out of our own scripts and style sheets what only their readers need.
///
/// That is comments that have lines of their own, indentation and empty lines: about a quarter of the bytes, without a
/// bundler, and what is sent can still be read. It relies on how our files are written: a comment begins its line, a
/// block comment ends its line, and no text of more than one line has a line that begins like a comment.
enum SourceCompaction {
  /// The files that it may be done to.
  static func applies(to name: String) -> Bool {
    name.hasSuffix(".js") || name.hasSuffix(".css")
  }

  /// The source without those lines.
  static func compact(_ source: some Collection<UInt8>) -> [UInt8] {
    var compacted: [UInt8] = []
    compacted.reserveCapacity(source.count)
    var isInComment = false
    for line in source.split(separator: UInt8(ascii: "\n")) {
      let text = line.drop { $0 == UInt8(ascii: " ") }
      if isInComment {
        isInComment = !endsComment(text)
        continue
      }
      if text.starts(with: "//".utf8) || text.isEmpty { continue }
      if text.starts(with: "/*".utf8), endsComment(text) || !text.contains("*/") {
        isInComment = !endsComment(text)
        continue
      }
      compacted.append(contentsOf: text)
      compacted.append(UInt8(ascii: "\n"))
    }
    return compacted
  }

  private static func endsComment(_ line: some Sequence<UInt8>) -> Bool {
    Array(line.suffix(2)) == Array("*/".utf8)
  }
}

extension Collection where Element == UInt8 {
  fileprivate func contains(_ text: StaticString) -> Bool {
    text.withUTF8Buffer { buffer in
      guard count >= buffer.count else { return false }
      return indices.contains { self[$0...].starts(with: buffer) }
    }
  }
}
