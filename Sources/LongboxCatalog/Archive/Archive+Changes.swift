// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

extension Archive {
  /// Filters comics to those that look different than in an earlier archive.
  ///
  /// New comics don't count, nor do comics whose picture was unknown before.
  func changed(since before: Archive, among numbers: [Comic.Number]) -> [Comic.Number] {
    numbers.filter { number in
      guard let old = before.comic(number), let new = comic(number) else { return false }
      return old.title != new.title || old.alt != new.alt || old.transcript != new.transcript
        || old.date != new.date || old.link != new.link || old.news != new.news
        || old.isInteractive != new.isInteractive || old.hasOtherPicture(than: new)
    }
  }
}

extension ArchivedComic {
  fileprivate func hasOtherPicture(than other: ArchivedComic) -> Bool {
    guard let old = picture?.version, old != 0, let new = other.picture?.version else { return false }
    return old != new
  }
}
