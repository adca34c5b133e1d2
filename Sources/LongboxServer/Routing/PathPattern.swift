// Longbox
// SPDX-License-Identifier: MIT

/// The path of an endpoint, parsed so that matching allocates no memory.
struct PathPattern: Sendable {
  /// One part of a path between slashes.
  private enum Part: Sendable {
    case literal(String)
    /// A parameter, such as `{number}` or `{token}.atom`.
    case parameter(prefix: String, suffix: String)

    init(_ text: Substring) {
      guard let start = text.firstIndex(of: "{"), let end = text.lastIndex(of: "}") else {
        self = .literal(String(text))
        return
      }
      self = .parameter(prefix: String(text[..<start]), suffix: String(text[text.index(after: end)...]))
    }

    func matches(_ part: Substring) -> Bool {
      switch self {
      // The lengths usually differ, and comparing them is much cheaper.
      case .literal(let word): part.utf8.count == word.utf8.count && part == word
      case .parameter(let prefix, let suffix):
        (prefix.isEmpty || part.hasPrefix(prefix)) && (suffix.isEmpty || part.hasSuffix(suffix))
      }
    }

    /// Higher means more specific, in the order of Hummingbird's router.
    var precision: Int {
      switch self {
      case .literal: 2
      case .parameter(let prefix, let suffix): prefix.isEmpty && suffix.isEmpty ? 0 : 1
      }
    }
  }

  let text: String
  /// Whether it also matches every address below it.
  let isCatchAll: Bool
  private let parts: [Part]

  init(_ text: String) {
    self.text = text
    let parts = text.split(separator: "/")
    isCatchAll = parts.last == "**"
    self.parts = parts.prefix { $0 != "**" }.map { Part($0) }
  }

  /// The number of parts before the catch-all.
  var count: Int { parts.count }

  /// Whether a path, split at its slashes, matches.
  func matches(_ path: [Substring]) -> Bool {
    guard isCatchAll ? path.count >= parts.count : path.count == parts.count else { return false }
    for index in parts.indices where !parts[index].matches(path[index]) { return false }
    return true
  }

  /// The value of the first parameter in a matching path.
  func firstParameter(in path: [Substring]) -> Substring? {
    for (part, value) in zip(parts, path) {
      if case .parameter(let prefix, let suffix) = part {
        return value.dropFirst(prefix.count).dropLast(suffix.count)
      }
    }
    return nil
  }

  /// Whether it is tried before another pattern.
  func precedes(_ other: PathPattern) -> Bool {
    guard isCatchAll == other.isCatchAll else { return other.isCatchAll }
    if isCatchAll { return count > other.count }
    return other.parts.map(\.precision).lexicographicallyPrecedes(parts.map(\.precision))
  }
}
