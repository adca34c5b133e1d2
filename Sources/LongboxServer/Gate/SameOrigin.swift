// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// Rejects forms from other sites, which would use the reader's cookie (cross-site request forgery).
///
/// Browsers send the form's origin in `Origin` (Fetch Standard, section 3.2) and in `Sec-Fetch-Site` (Fetch
/// Metadata). Text browsers send neither, but the page's address in `Referer`, which no site can give a form of its own
/// (RFC 9110, section 10.1.3). A request with none of them is rejected.
enum SameOrigin {
  private static let fetchSite = HTTPField.Name("Sec-Fetch-Site")

  /// Checks that one of our own pages sent a request.
  /// - Throws: ``ForeignForm`` if not.
  static func check(_ request: Request) throws(ForeignForm) {
    let site = request.headers.value(fetchSite)
    let page = origin(of: request)
    let isOwn =
      if request.headers[.origin] == nil, let site { site == "same-origin" } else {
        page.map { self.isOwn($0, request) } ?? false
      }
    guard !isOwn else { return }
    throw ForeignForm(page: page.flatMap(host), request: request.head.authority, site: site)
  }

  /// The origin of the page that sent a request, such as `https://box.lan:8353`, in `Origin` or else in `Referer`.
  private static func origin(of request: Request) -> String? {
    if let origin = request.headers[.origin] { return origin }
    guard let page = request.headers[.referer], let scheme = page.range(of: "://") else { return nil }
    let end = page[scheme.upperBound...].firstIndex { "/?#".contains($0) } ?? page.endIndex
    return String(page[..<end])
  }

  /// The host and port of an origin; nil for one that has none, such as `null`.
  private static func host(_ origin: String) -> String? {
    origin.range(of: "://").map { origin[$0.upperBound...].lowercased() }
  }

  /// Whether an origin is the one that a request was sent to.
  private static func isOwn(_ origin: String, _ request: Request) -> Bool {
    guard let host = request.head.authority else { return false }
    // HTTP and HTTPS may share a port, and anybody in the network can answer for us without encryption.
    if request.isSecure, !origin.hasPrefix("https://") { return false }
    return self.host(origin) == host.lowercased()
  }
}

/// A form that none of our pages has sent, or that a proxy has made look so.
///
/// A proxy that puts another `Host` into requests, as nginx does by default, makes our own pages look like those of another
/// site. What the browser itself calls another site is one.
struct ForeignForm: Error, Equatable {
  /// The hosts of the page and of the request, if a proxy may have replaced the latter, for the log.
  let replacedHost: String?

  /// Creates it.
  /// - Parameters:
  ///   - page: the host of the page; nil if unknown.
  ///   - request: the host that the request was sent to.
  ///   - site: what the browser says about the page (Fetch Metadata); browsers say it only to HTTPS and to this machine.
  init(page: String?, request: String?, site: String?) {
    guard let page, let request, page != request.lowercased(), site == nil || site == "same-origin" else {
      replacedHost = nil
      return
    }
    replacedHost = "\(page), sent as \(request)"
  }
}

extension ForeignForm: HTTPResponseError {
  var status: HTTPResponse.Status { .forbidden }

  /// A plain text: a browser shows it as it is.
  func response(from request: Request, context: some RequestContext) throws -> Response {
    var sentences = "This was not sent by a page of this server."
    if replacedHost != nil {
      sentences +=
        " If it was, a proxy in front of Longbox replaces the Host header, and must pass it on: see docs/proxies.md."
    }
    return Response(
      status: status,
      headers: [.contentType: "text/plain; charset=utf-8", .cacheControl: "no-store"],
      body: ResponseBody(byteBuffer: ByteBuffer(string: sentences + "\n"))
    )
  }
}
