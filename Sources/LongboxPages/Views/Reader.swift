// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// The reader as a page sees them: what they did, and what is to be said of their last edit.
struct Reader {
  let library: Library
  /// Whether they have a library already.
  let isRemembered: Bool
  /// What they did last, where no page has said so yet.
  let notice: Notice?

  /// Whether to look at a comic now is to read it: not where the reader has just called it unread.
  func reads(_ comic: Comic.Number) -> Bool {
    isRemembered && notice?.kind != .markedUnread(comic)
  }

  /// Who has done nothing so far.
  static var stranger: Reader { Reader(library: Library(), isRemembered: false, notice: nil) }
}
