// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Hummingbird

/// Tells forms of our own pages from those of others, who would have a reader's browser send them with its cookie.
///
/// Browsers say where a form comes from in `Origin` (Fetch Standard, section 3.2), and in `Sec-Fetch-Site` (Fetch
/// Metadata). One that says neither is not believed.
enum SameOrigin {
  /// Makes sure that a request was sent by a page of ours.
  /// - Throws: `HTTPError` where it was not.
  static func check(_ request: Request) throws {
    guard sent(request) else {
      throw HTTPError(.forbidden, message: "This was not sent by a page of this server.")
    }
  }

  private static func sent(_ request: Request) -> Bool {
    if let origin = request.headers[.origin] {
      guard let host = request.head.authority, let separator = origin.range(of: "://") else { return false }
      return origin[separator.upperBound...].lowercased() == host.lowercased()
    }
    guard let name = HTTPField.Name("Sec-Fetch-Site") else { return false }
    return request.headers[name] == "same-origin"
  }
}
