// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Hummingbird

/// Sends the service worker: `/sw.js`, at the root so that it may answer for every page.
///
/// Before the file stands what the worker is to install. So its bytes change whenever a file of the application does,
/// and a browser that finds them changed installs the worker and the files anew, as one.
struct WorkerRoute: Sendable {
  /// Unlike a page, the worker may compile WebAssembly; besides it loads the pictures of notifications only.
  private static let policy =
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; img-src 'self' data:; frame-ancestors 'none'"

  private struct Build: Encodable {
    var version: String
    var assets: String
    var files: [ShellFile]
    /// The headers of the pages that the worker makes: the server's own.
    var headers: [String: String]
  }

  /// The files that make up the worker, each building on those before it.
  private static let parts = [
    "worker-store.js", "worker-device.js", "worker-library.js", "worker-pictures.js",
    "worker-explanations.js", "worker-albums.js", "worker-quiz.js", "worker-push.js", "sw.js",
  ]

  private let payload: Payload?

  init(assets: AssetRoutes, version: String) {
    let fields = HTTPFields.guarding.map { ($0.name.rawName, $0.value) }
    let build = Build(
      version: version,
      assets: assets.version,
      files: assets.shell,
      headers: Dictionary(fields, uniquingKeysWith: { first, _ in first })
    )
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    let scripts = Self.parts.compactMap { assets.bytes(of: $0) }
    guard scripts.count == Self.parts.count, let build = try? encoder.encode(build) else {
      payload = nil
      return
    }
    payload = Payload(
      Array("\"use strict\";\nconst build = ".utf8) + build + Array(";\n".utf8) + scripts.joined(),
      mediaType: "text/javascript; charset=utf-8",
      cacheControl: "no-cache"
    )
  }

  func answer(_ request: Request) throws -> Response {
    guard let payload else { throw HTTPError(.notFound, message: "The web application is not installed.") }
    var response = payload.response(to: request)
    if let name = HTTPField.Name("Content-Security-Policy") { response.headers[name] = Self.policy }
    return response
  }
}
