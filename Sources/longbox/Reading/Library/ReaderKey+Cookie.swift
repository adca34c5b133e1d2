// Longbox
// SPDX-License-Identifier: MIT

import LongboxPush
import LongboxReaders

extension ReaderKey {
  /// The value of the library's cookie.
  var cookieValue: String { Base64URL.encode(bytes) }

  /// Reads the value of a cookie; nil if it is malformed.
  init?(cookieValue: String) {
    guard let key = Base64URL.decode(cookieValue).flatMap({ ReaderKey($0) }) else { return nil }
    self = key
  }
}
