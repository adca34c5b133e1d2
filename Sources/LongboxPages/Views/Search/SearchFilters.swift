// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// The `is:` filters of a search.
enum SearchFilters {
  static let names: [Text] = ["is:favorite", "is:unread", "is:read", "is:interactive", "is:album"]

  /// The filters in a search that don't exist.
  /// - Parameter isTyping: ignores the beginning of a filter, which may still be completed.
  static func unknown(in search: Text, isTyping: Bool) -> [Text] {
    search.bytes.split(separator: UInt8(ascii: " ")).map { Text($0) }.filter { word in
      word.bytes.starts(with: ("is:" as StaticString).utf8Bytes) && word != "is:favourite"
        && !names.contains { $0 == word || isTyping && $0.bytes.starts(with: word.bytes) }
    }
  }
}
