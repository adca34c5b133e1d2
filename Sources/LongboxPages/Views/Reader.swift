// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// The reader's library, and the notice about their last edit.
struct Reader {
  let library: Library
  /// Whether the reader has a library.
  let isRemembered: Bool
  /// The last edit's notice, if not shown yet.
  let notice: Notice?
  /// Whether showing a comic counts as a view.
  var recordsViews = true

  /// Whether viewing a comic marks it as read: not if the reader just marked it as unread.
  func reads(_ comic: Comic.Number) -> Bool {
    isRemembered && recordsViews && notice?.kind != .markedUnread(comic)
  }

  static var stranger: Reader { Reader(library: Library(), isRemembered: false, notice: nil) }
}
