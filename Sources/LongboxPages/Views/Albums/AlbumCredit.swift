// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// Whose the facts about albums are.
enum AlbumCredit {
  /// The line at the end of a page.
  static func html(isSample: Bool) -> HTML {
    p(.class("credit hint")) {
      if isSample {
        "Artists and albums of the sample box were invented for Longbox."
      } else {
        "Names, dates and covers as the iTunes Store gives them. Covers are © their owners."
      }
    }
  }
}
