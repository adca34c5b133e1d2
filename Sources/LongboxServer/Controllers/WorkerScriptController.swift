// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Hummingbird
import Synchronization

/// Sends the service worker: `/sw.js`, at the root so that it may answer for every page.
///
/// Before the script stands what it is to install. So its bytes change whenever a file of the application does, and a
/// browser that finds them changed installs the worker and the files anew, as one. It is the only file that is
/// compressed while the server runs, by the first request for it.
final class WorkerScriptController: Controller {
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

  private let assets: AssetController
  private let version: String
  /// The script, once somebody has asked for it.
  private let made = Mutex<EncodedBody?>(nil)

  init(assets: AssetController, version: String) {
    self.assets = assets
    self.version = version
  }

  /// Makes the script with what is to be installed on its first line.
  private func make() throws -> EncodedBody {
    guard let script = assets.workerScript else {
      throw HTTPError(.notFound, message: "The web application is not installed.")
    }
    let fields = HTTPFields.guarding.map { ($0.name.rawName, $0.value) }
    let build = Build(
      version: version,
      assets: assets.version,
      files: assets.shell,
      headers: Dictionary(fields, uniquingKeysWith: { first, _ in first })
    )
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    // On the script's own first line, so that the line numbers of a source map stay right.
    let bytes =
      Array("\"use strict\";const build=".utf8) + (try encoder.encode(build)) + Array(";".utf8) + script
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
    let payload = try made.withLock { made in
      if let made { return made }
      let payload = try make()
      made = payload
      return payload
    }
    var response = payload.response(to: request)
    if let name = HTTPField.Name("Content-Security-Policy") { response.headers[name] = Self.policy }
    return response
  }
}
