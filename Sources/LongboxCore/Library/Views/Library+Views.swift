// Longbox
// SPDX-License-Identifier: MIT

extension Library {
  /// Whether everything in the library comes from looking at pages.
  ///
  /// Such a library stays on its device: the server gets it with the first favorite, note or setting.
  public var hasOnlyViews: Bool {
    for entry in entries where !entry.key.isLocal {
      let key = entry.key.text
      guard
        key.starts(with: ReadMarks.singlePrefix) || key.starts(with: RecentArtist.prefix) || key == "place"
      else { return false }
    }
    return true
  }
}
