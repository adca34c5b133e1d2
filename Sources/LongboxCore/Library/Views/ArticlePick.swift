// Longbox
// SPDX-License-Identifier: MIT

/// A reader's choice of the Wikipedia page about an album.
public struct ArticlePick: Equatable, Sendable {
  /// The language code of the Wikipedia, such as `en`: each has page numbers of its own.
  public let language: Text
  /// The page's number, or 0 if none of the pages found is about the album.
  public let page: Int

  /// The maximum length of a language code; the longest of Wikipedia's has 12 characters.
  private static let languageLength = 20
  /// The greatest page number; Wikipedia's have eight digits, and `Text.number` reads nine.
  private static let greatestPage = 999_999_999

  /// Creates a choice; nil if the page's number or the language code is invalid.
  public init?(language: Text, page: Int) {
    guard (0...Self.greatestPage).contains(page), (1...Self.languageLength).contains(language.count),
      language.bytes.allSatisfy({ $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "-") })
    else { return nil }
    self.language = language
    self.page = page
  }

  /// Decodes a register's value; nil for an unknown format.
  init?(_ value: Text) {
    let parts = value.bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard parts.count == 2, let page = Text(parts[1]).number else { return nil }
    self.init(language: Text(parts[0]), page: page)
  }

  /// The encoding of the value: `en/4512`.
  var value: Text { language + "/" + Text(decimal: page) }
}
