// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Hummingbird
import LongboxCatalog
import LongboxCore
import LongboxWeb

/// Sends the files of the web application, in the forms that the build made of each.
///
/// At start only their list is read. A file is read when it is first asked for, and stays in memory.
struct AssetController: Controller {
  /// A hash of all files together, for their addresses.
  let version: String
  /// What the installed app keeps besides the archive, by name.
  let shell: [ShellFile]
  private static let workerName = "sw.js"
  private let folder: URL?
  /// The hashes of all files, by name: what is not in here is never looked for.
  private let hashes: [String: String]
  private let loaded = MemoryCache<String, EncodedBody>(limit: 16 << 20)

  /// What no page asks for: the worker itself, what the system shows of an installed app, what is for programs.
  private static func isOutsideShell(_ name: String) -> Bool {
    name == workerName || [".png", ".json", ".map"].contains { name.hasSuffix($0) }
  }

  /// Whether a name holds a hash of the content, as esbuild gives one to what several scripts share.
  private static func isNamedByContent(_ name: String) -> Bool {
    let parts = name.split(separator: ".")
    guard parts.count == 2, let hash = parts[0].split(separator: "-").dropFirst().last else { return false }
    return hash.utf8.count == 8 && hash.allSatisfy { "A"..."Z" ~= $0 || "2"..."7" ~= $0 }
  }

  /// Reads the list of files.
  /// - Parameter folder: where they are, or nil where they were not installed.
  init(folder: URL? = WebAssets.folder) {
    let list = folder.flatMap { try? Data(contentsOf: $0.appending(path: WebAssets.listName)) }
    let listed = list.flatMap { try? JSONDecoder().decode([ShellFile].self, from: $0) } ?? []
    let files = listed.filter { WebAssets.mediaType(of: $0.name) != nil }
    self.folder = folder
    hashes = Dictionary(files.map { ($0.name, $0.hash) }, uniquingKeysWith: { first, _ in first })
    shell = files.filter { !Self.isOutsideShell($0.name) }
    version = EncodedBody.hash(of: files.flatMap { Array("\($0.name) \($0.hash)\n".utf8) })
  }

  var endpoints: [Endpoint] {
    [
      .get("assets/{name}", cached: { cached(String($0.parameter), $0) }) {
        try asset($1.parameters.require("name"), $0)
      },
      file("favicon.ico", "icon.svg"),
      file("manifest.webmanifest", "manifest.webmanifest"),
    ]
  }

  private func file(_ path: String, _ name: String) -> Endpoint {
    .get(path, cached: { cached(name, $0) }) { request, _ in try asset(name, request) }
  }

  /// A file where it is in memory and may be kept for good.
  func cached(_ name: String, _ query: CacheQuery) -> CachedResponse? {
    query.query == "v=\(version)" || Self.isNamedByContent(name)
      ? loaded[name]?.response(to: query.request.headerFields) : nil
  }

  /// A file by its name.
  func asset(_ name: String, _ request: Request) throws -> Response {
    guard let asset = payload(of: name) else { throw HTTPError(.notFound, message: "There is no such file.") }
    var response = asset.response(to: request)
    // Without its version an address stands for whatever the file is now.
    if request.uri.queryParameters["v"].map(String.init) != version, !Self.isNamedByContent(name) {
      response.headers[.cacheControl] = "no-cache"
    }
    return response
  }

  /// The service worker's script as it was built.
  var workerScript: [UInt8]? { read(Self.workerName) }

  private func payload(of name: String) -> EncodedBody? {
    if let payload = loaded[name] { return payload }
    guard let hash = hashes[name], let mediaType = WebAssets.mediaType(of: name), let plain = read(name)
    else {
      return nil
    }
    var bodies: [ContentCoding?: [UInt8]] = [nil: plain]
    for coding in ContentCoding.allCases { bodies[coding] = read("\(name).\(coding.suffix)") }
    let payload = EncodedBody(
      bodies: bodies,
      hash: hash,
      mediaType: mediaType,
      cacheControl: "public, max-age=31536000, immutable",
      varying: bodies.count > 1 ? ["Accept-Encoding"] : []
    )
    loaded.insert(payload, for: name, cost: payload.cost)
    return payload
  }

  private func read(_ name: String) -> [UInt8]? {
    guard let folder else { return nil }
    return (try? Data(contentsOf: folder.appending(path: name))).map { [UInt8]($0) }
  }
}
