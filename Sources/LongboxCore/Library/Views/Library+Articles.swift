// Longbox
// SPDX-License-Identifier: MIT

/// Choices of articles about albums: `saved/article/1440857781`.
extension Library {
  /// The article that the reader chose for an album; nil without a choice.
  public func articlePick(for album: StoreID) -> ArticlePick? {
    value(Self.articleKey(album)).flatMap { ArticlePick($0) }
  }

  /// Sets the article for an album; nil removes the choice.
  /// - Throws: `LibraryError.full`.
  @discardableResult
  public mutating func pickArticle(
    _ pick: ArticlePick?,
    for album: StoreID,
    at editTime: EditTime
  ) throws(LibraryError) -> Undo {
    try set(Self.articleKey(album), to: pick?.value, timestamp: editTime.timestamp)
  }

  private static func articleKey(_ album: StoreID) -> LibraryKey {
    LibraryKey(known: "saved/article/" + album.text)
  }
}
