// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

enum AlbumCredit {
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
