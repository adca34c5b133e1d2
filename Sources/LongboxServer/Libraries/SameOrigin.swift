// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Hummingbird

/// Rejects forms from other sites, which would use the reader's cookie (cross-site request forgery).
///
/// Browsers send the form's origin in `Origin` (Fetch Standard, section 3.2) and in `Sec-Fetch-Site` (Fetch
/// Metadata). A request with neither is rejected.
enum SameOrigin {
  /// Checks that one of our own pages sent a request.
  /// - Throws: `HTTPError` if not.
  static func check(_ request: Request) throws {
    guard sent(request) else {
      throw HTTPError(.forbidden, message: "This was not sent by a page of this server.")
    }
  }

  private static func sent(_ request: Request) -> Bool {
    if let origin = request.headers[.origin] {
      guard let host = request.head.authority, let separator = origin.range(of: "://") else { return false }
      // HTTP and HTTPS may share a port, and anybody in the network can answer for us without encryption.
      if request.isSecure, origin[..<separator.lowerBound] != "https" { return false }
      return origin[separator.upperBound...].lowercased() == host.lowercased()
    }
    guard let name = HTTPField.Name("Sec-Fetch-Site") else { return false }
    return request.headers[name] == "same-origin"
  }
}
