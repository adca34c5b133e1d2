// Longbox
// SPDX-License-Identifier: MIT

import Foundation

extension Data {
  /// The bytes in the alphabet that needs no escaping in addresses and cookies, without padding (RFC 4648, section 5).
  var base64URL: String {
    base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }
}
