// Longbox
// SPDX-License-Identifier: MIT

/// Exceptions from ``Setting/darkPictures``: `setting/drawn/353` for a comic that stays as it was drawn.
extension Library {
  /// Whether a comic is shown as it was drawn on dark pages, whatever the setting says.
  public func isShownAsDrawn(_ comic: Comic.Number) -> Bool {
    value(Self.drawnKey(comic)) != nil
  }

  /// Makes or ends an exception for a comic.
  /// - Throws: `LibraryError.full`.
  @discardableResult
  public mutating func setShownAsDrawn(
    _ isDrawn: Bool,
    comic: Comic.Number,
    at editTime: EditTime
  ) throws(LibraryError) -> Undo {
    try set(Self.drawnKey(comic), to: isDrawn ? true.word : nil, timestamp: editTime.timestamp)
  }

  private static func drawnKey(_ comic: Comic.Number) -> LibraryKey { LibraryKey("setting/drawn/", comic) }
}
