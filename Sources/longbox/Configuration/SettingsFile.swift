// Longbox
// SPDX-License-Identifier: MIT

/// Changes single settings in the text of a YAML file, and keeps its other lines and comments.
enum SettingsFile {
  /// The text with other values for some settings of the first level.
  /// - Parameter changes: values by key; a setting with nil is removed.
  /// - Returns: nil if a line of the first level isn't `key: value`.
  static func changing(_ text: String, _ changes: [String: String?]) -> String? {
    var kept: [Substring] = []
    var isRemoving = false
    for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      switch line.first {
      case "#", nil:
        kept.append(line)
        continue
      case " ", "\t", "-":
        // The line belongs to the setting above it, or begins the document ("---").
        break
      default:
        guard let key = key(of: line) else { return nil }
        isRemoving = changes.keys.contains(key)
      }
      if !isRemoving { kept.append(line) }
    }
    while kept.last?.isEmpty == true { kept.removeLast() }
    return (kept.map(String.init) + lines(changes)).map { $0 + "\n" }.joined()
  }

  /// A line for each setting that has a value, in the order of keys.
  static func lines(_ changes: [String: String?]) -> [String] {
    changes.sorted { $0.key < $1.key }.compactMap { key, value in value.map { "\(key): \"\($0)\"" } }
  }

  private static func key(of line: Substring) -> String? {
    guard let colon = line.firstIndex(of: ":") else { return nil }
    let key = line[..<colon].filter { $0 != "\"" && $0 != "'" && $0 != " " }
    return key.isEmpty || key.contains("{") ? nil : String(key)
  }
}
