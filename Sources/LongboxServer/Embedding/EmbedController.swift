// Longbox
// SPDX-License-Identifier: MIT

import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import LongboxCatalog
import LongboxCore
import LongboxPages
import LongboxReaders

/// Serves comics for frames on other sites' pages: `/embed/latest`, `/embed/random`, `/embed/353`.
///
/// They are the only pages that may be framed, by the sites that the operator names. They have no forms, no cookies and no
/// scripts, so a site around them gains nothing by it. Parameters but `key` are ignored, since some dashboards add their own.
struct EmbedController: Controller {
  let comics: EmbeddedComics
  let basePath: BasePath
  let policy: String

  init(comics: EmbeddedComics, basePath: BasePath, ancestors: FrameAncestors) {
    self.comics = comics
    self.basePath = basePath
    policy = Self.policy(for: ancestors)
  }

  var endpoints: [Endpoint] {
    [.get("embed/{comic}") { try await page(of: $1.parameters.require("comic"), $0, $1.client) }]
  }

  private func page(of name: String, _ request: Hummingbird.Request, _ client: ClientAddress) async
    -> Hummingbird.Response
  {
    do throws(Problem) {
      switch name {
      case "latest": return response(try await comics.latest(for: client), "no-cache", to: request)
      case "random": return response(try await comics.random(for: client), "no-store", to: request)
      default: return response(try await comics.comic(name, for: client), "no-cache", to: request)
      }
    } catch {
      let page = EmbeddedPage(message: Text(string: error.detail))
      return response(page, error.status, "no-store", to: request)
    }
  }

  private func response(_ comic: ArchivedComic, _ caching: String, to request: Hummingbird.Request)
    -> Hummingbird.Response
  {
    let key = AccessKeyField.secret(inAddressOf: request.head) ?? ""
    let page = EmbeddedPage(comic, in: comics.catalog.snapshot.archive, key: Text(string: key))
    return response(page, .ok, caching, to: request)
  }

  private func response(
    _ page: EmbeddedPage,
    _ status: HTTPResponse.Status,
    _ caching: String,
    to request: Hummingbird.Request
  ) -> Hummingbird.Response {
    let body = EncodedBody(
      status: status,
      page.bytes(below: basePath.inPages),
      mediaType: "text/html; charset=utf-8",
      cacheControl: caching,
      for: request
    )
    var response = body.response(to: request)
    response.headers[.contentSecurityPolicy] = policy
    // The address may have an access key, which the links in the page must not pass on.
    if let name = HTTPField.Name("Referrer-Policy") { response.headers[name] = "no-referrer" }
    return response
  }

  /// The policy of a framed page: pictures of this site, its own style sheet, and no scripts.
  private static func policy(for ancestors: FrameAncestors) -> String {
    let hash = EmbeddedPage.style.withUTF8Buffer { Data(SHA256.hash(data: Data($0))) }
    return "default-src 'none'; img-src 'self'; style-src 'sha256-\(hash.base64EncodedString())'; "
      + "form-action 'none'; base-uri 'none'; frame-ancestors \(ancestors.sources)"
  }
}

/// The sites whose pages may show comics in frames (Content Security Policy Level 3, section 6.4.2).
public struct FrameAncestors: Equatable, Sendable {
  /// The maximum number of sites: each response to a frame names all of them.
  public static let most = 50

  private var sites: [String] = []

  /// No other site.
  public init() {}

  /// Adds a site, such as `https://dash.example.org`, all names below one, such as `https://*.example.org`, or `*` for all sites.
  /// - Returns: false if it is malformed, or if there are too many.
  public mutating func add(_ text: String) -> Bool {
    guard sites.count < Self.most, let site = Self.source(text) else { return false }
    if !sites.contains(site) { sites.append(site) }
    return true
  }

  /// The value of `frame-ancestors`; this site's own pages may always have such frames.
  var sources: String { sites.contains("*") ? "*" : (["'self'"] + sites).joined(separator: " ") }

  /// A site as the policy spells it; nil if it is malformed.
  private static func source(_ text: String) -> String? {
    if text == "*" { return text }
    let url = text.replacing("://*.", with: "://", maxReplacements: 1)
    // Policies can't name IPv6 addresses.
    guard let site = PublicAddress(url: url), site.basePath.isEmpty, !site.authority.hasPrefix("[")
    else { return nil }
    return "\(site.scheme)://\(url == text ? "" : "*.")\(site.authority)"
  }
}
