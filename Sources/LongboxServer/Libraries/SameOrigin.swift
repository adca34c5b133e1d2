// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Hummingbird

/// Rejects forms from other sites, which would use the reader's cookie (cross-site request forgery).
///
/// Browsers send the form's origin in `Origin` (Fetch Standard, section 3.2) and in `Sec-Fetch-Site` (Fetch
/// Metadata). Text browsers send neither, but the page's address in `Referer`, which no site can give a form of its own
/// (RFC 9110, section 10.1.3). A request with none of them is rejected.
enum SameOrigin {
  /// Checks that one of our own pages sent a request.
  /// - Throws: `HTTPError` if not.
  static func check(_ request: Request) throws {
    guard sent(request) else {
      throw HTTPError(.forbidden, message: "This was not sent by a page of this server.")
    }
  }

  private static func sent(_ request: Request) -> Bool {
    if let origin = request.headers[.origin] { return isOwn(origin, request) }
    if let name = HTTPField.Name("Sec-Fetch-Site"), let site = request.headers[name] {
      return site == "same-origin"
    }
    guard let page = request.headers[.referer], let scheme = page.range(of: "://") else { return false }
    let end = page[scheme.upperBound...].firstIndex { "/?#".contains($0) } ?? page.endIndex
    return isOwn(String(page[..<end]), request)
  }

  /// Whether an origin, such as `https://box.lan:8353`, is the one that a request was sent to.
  private static func isOwn(_ origin: String, _ request: Request) -> Bool {
    guard let host = request.head.authority, let separator = origin.range(of: "://") else { return false }
    // HTTP and HTTPS may share a port, and anybody in the network can answer for us without encryption.
    if request.isSecure, origin[..<separator.lowerBound] != "https" { return false }
    return origin[separator.upperBound...].lowercased() == host.lowercased()
  }
}
