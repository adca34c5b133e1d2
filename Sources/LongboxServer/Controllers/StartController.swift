// Longbox
// SPDX-License-Identifier: MIT

import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import LongboxCore
import LongboxPages
import NIOCore

/// Shows new devices how to trust this server at `/start`, and gives them the authority's certificate at `/ca.crt`.
struct StartController: Controller {
  static let path = "/start"

  let reach: Reach
  let site: SiteAddress

  var endpoints: [Endpoint] {
    [
      .get("start") { request, _ in page(request) },
      .get("ca.crt") { _, _ in try certificate() },
    ]
  }

  private func page(_ request: Hummingbird.Request) -> Hummingbird.Response {
    var offer = StartOffer()
    offer.platform = BrowserName(request.headers[.userAgent]).platform
    offer.isSecure = request.isSecure
    offer.hasSignIn = reach.access != nil
    offer.fingerprint = reach.certificates?.authority.map { Text(string: $0.fingerprint) }
    let port = HostField(request.head.authority)?.port ?? ""
    let roots = reach.roots(port: port, of: site)
    offer.secureAddress = secureRoot(for: request, among: roots).map { Text(string: $0 + Self.path) }
    offer.addresses = roots.map { Text(string: $0) }
    offer.symbol = reach.startAddress(port: port, of: site).flatMap { QRCode.symbol(of: $0) }
    return Hummingbird.Response(
      status: .ok,
      headers: [
        .contentType: "text/html; charset=utf-8", .cacheControl: "no-store",
        .contentSecurityPolicy: Self.policy, .xContentTypeOptions: "nosniff",
      ],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: offer.document(below: site.basePath.inPages)))
    )
  }

  /// The address of the site with HTTPS; nil if it has none.
  ///
  /// With certificates of our own it is the address that was asked for, since the device has found that.
  private func secureRoot(for request: Hummingbird.Request, among roots: [String]) -> String? {
    if let address = site.publicAddress, address.scheme == "https" { return address.root }
    guard reach.certificates != nil else { return nil }
    let asked = site.address(of: request.head).flatMap { $0.isLoopback ? nil : $0.authority }
    return asked.map { "https://\($0)\(site.basePath.text)" } ?? roots.first
  }

  private func certificate() throws -> Hummingbird.Response {
    guard let authority = reach.certificates?.authority else {
      throw HTTPError(.notFound, message: "This server has no certificate authority of its own.")
    }
    var fields: HTTPFields = [.contentType: "application/x-x509-ca-cert", .cacheControl: "no-store"]
    fields[.contentDisposition] = "attachment; filename=\"longbox-ca.crt\""
    return Hummingbird.Response(
      status: .ok,
      headers: fields,
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: authority.bytes))
    )
  }

  private static let policy = StartOffer.policy(
    style: source(of: StartOffer.style),
    script: source(of: StartOffer.script)
  )

  private static func source(of text: StaticString) -> String {
    let bytes = Array(text.description.utf8)
    return "sha256-" + Data(SHA256.hash(data: bytes)).base64EncodedString()
  }
}
