// Longbox
// SPDX-License-Identifier: MIT

/// Which requests a fault strikes.
///
/// What isn't given matches everything.
struct FaultMatch: Sendable, Equatable {
  /// A path, in which `*` stands for any run of characters, slashes too.
  ///
  /// It is compared with the path as it was sent and
  /// with the path inside the source; with the query only where the pattern has a question mark.
  var path: String?
  /// The name of a source: `xkcd`, `imgs`, `explain`, `itunes`, `artwork` or `wikipedia`.
  var source: String?

  /// Whether a request is meant: its source, its path as sent, its path inside the source, and its query.
  func matches(source name: String?, path sent: String, inner: String, query: String?) -> Bool {
    if let source, source != name { return false }
    guard let path else { return true }
    let suffix = path.contains("?") ? query.map { "?\($0)" } ?? "" : ""
    return [sent, inner].contains { Self.glob(path.utf8, matches: "\($0)\(suffix)".utf8) }
  }

  /// Whether a text is covered by a pattern: each `*` takes as little as it can, and more when that fails.
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
