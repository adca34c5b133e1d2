// Longbox
// SPDX-License-Identifier: MIT

/// The requests that a fault affects; a missing criterion matches everything.
struct FaultMatch: Sendable, Equatable {
  /// A path pattern, in which `*` stands for any characters, including slashes.
  ///
  /// It is compared with the path as sent and the path inside the source. The query counts only if the
  /// pattern contains a question mark.
  var path: String?
  /// The name of a source: `xkcd`, `imgs`, `explain`, `itunes`, `artwork` or `wikipedia`.
  var source: String?

  /// Whether the fault affects a request; `sent` is the path as sent, `inner` the path inside the source.
  func matches(source name: String?, path sent: String, inner: String, query: String?) -> Bool {
    if let source, source != name { return false }
    guard let path else { return true }
    let suffix = path.contains("?") ? query.map { "?\($0)" } ?? "" : ""
    return [sent, inner].contains { Self.glob(path.utf8, matches: "\($0)\(suffix)".utf8) }
  }

  /// Matches a pattern: each `*` first takes as little as possible, and more on a mismatch.
  private static func glob(_ pattern: String.UTF8View, matches text: String.UTF8View) -> Bool {
    let star = UInt8(ascii: "*")
    var (here, there) = (pattern.startIndex, text.startIndex)
    var retry: (pattern: String.Index, text: String.Index)?
    while there < text.endIndex {
      if here < pattern.endIndex, pattern[here] == star {
        retry = (pattern.index(after: here), there)
        here = pattern.index(after: here)
      } else if here < pattern.endIndex, pattern[here] == text[there] {
        here = pattern.index(after: here)
        there = text.index(after: there)
      } else if let last = retry {
        there = text.index(after: last.text)
        retry = (last.pattern, there)
        here = last.pattern
      } else {
        return false
      }
    }
    return pattern[here...].allSatisfy { $0 == star }
  }
}
