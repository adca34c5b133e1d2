// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// The `is:` filters of a search.
public enum SearchFilters {
  private static let names: [Text] = ["is:favorite", "is:unread", "is:read", "is:interactive", "is:album"]

  /// The filters that a site has.
  public static func names(on site: Site) -> [Text] { site.isStaticCopy ? names.dropLast() : names }

  /// The filters in a search that don't exist.
  /// - Parameters:
  ///   - search: the words of the search.
  ///   - isTyping: ignores the beginning of a filter, which may still be completed.
  public static func unknown(in search: Text, isTyping: Bool) -> [Text] {
    search.bytes.split(separator: UInt8(ascii: " ")).map { Text($0) }.filter { word in
      word.bytes.starts(with: ("is:" as StaticString).utf8Bytes) && word != "is:favourite"
        && !names.contains { $0 == word || isTyping && $0.bytes.starts(with: word.bytes) }
    }
  }
}
