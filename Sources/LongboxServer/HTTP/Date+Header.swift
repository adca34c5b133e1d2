// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore
import LongboxStore

extension Date {
  /// The date for a header field, such as `Sat, 21 Nov 2026 10:56:45 GMT` (RFC 9110, section 5.6.7).
  var inHeader: String {
    HTTPDate(seconds: Int64(within: timeIntervalSince1970.rounded(.down))).text.description
  }
}
