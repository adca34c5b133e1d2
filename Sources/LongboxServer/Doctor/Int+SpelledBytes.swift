// Longbox
// SPDX-License-Identifier: MIT

import Foundation

extension Int {
  /// This number of bytes in words, such as "1.2 GB".
  public var spelledAsBytes: String {
    ByteCountFormatStyle(style: .file, spellsOutZero: false, locale: Locale(identifier: "en_US")).format(
      Int64(self)
    )
  }
}
