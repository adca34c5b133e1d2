// Longbox
// SPDX-License-Identifier: MIT

import HTTPTypes
import Hummingbird
import LongboxCore
import LongboxPages

extension Hummingbird.Response {
  /// Redirects to a page after a form: 303, which is not stored.
  static func seeOther(_ link: Link, fragment: String = "") -> Hummingbird.Response {
    Hummingbird.Response(
      status: .seeOther,
      headers: [.location: link.address.description + fragment, .cacheControl: "no-store"]
    )
  }
}
