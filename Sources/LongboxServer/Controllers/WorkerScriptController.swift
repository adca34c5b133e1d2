// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Hummingbird
import Synchronization

/// Serves the service worker, `/sw.js`, at the root so that its scope is the whole site.
///
/// The list of files to install precedes the script. When any file changes, the worker changes too, and
/// browsers install the worker and all files together. The first request compresses the script.
final class WorkerScriptController: Controller {
  /// Unlike a page, the worker may compile WebAssembly; the only pictures it loads are those of
  /// notifications.
  private static let policy =
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; img-src 'self' data:; frame-ancestors 'none'"

  private let assets: AssetController
  private let version: String
  private let site: SiteAddress
  private let made = Mutex<EncodedBody?>(nil)

  init(assets: AssetController, version: String, site: SiteAddress = SiteAddress()) {
    self.assets = assets
    self.site = site
    self.version = version
  }

  /// Makes the script, with what to install on its first line.
  private func make() throws -> EncodedBody {
    let bytes = try WorkerScript.bytes(
      assets: assets,
      version: version,
      basePath: site.basePath,
      shared: site.shared
    )
    guard let bytes else {
      throw HTTPError(.notFound, message: "The web application is not installed.")
    }
    var bodies: [ContentCoding?: [UInt8]] = [nil: bytes]
    for coding in ContentCoding.allCases { bodies[coding] = coding.compress(bytes) }
    return EncodedBody(
      bodies: bodies,
      hash: EncodedBody.hash(of: bytes),
      mediaType: "text/javascript; charset=utf-8",
      cacheControl: "no-cache",
      varying: ["Accept-Encoding"]
    )
  }

  var endpoints: [Endpoint] {
    [.get("sw.js") { [self] request, _ in try script(request) }]
  }

  func script(_ request: Request) throws -> Response {
    let body = try made.withLock { made in
      if let made { return made }
      let body = try make()
      made = body
      return body
    }
    var response = body.response(to: request)
    if let name = HTTPField.Name("Content-Security-Policy") { response.headers[name] = Self.policy }
    return response
  }
}
