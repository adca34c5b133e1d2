// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Hummingbird
import LongboxCatalog
import LongboxCore
import LongboxWeb

/// Serves the files of the web application, with the compressed variants that the build made.
///
/// Only the file list is read at start. A file is read at its first request and then stays in memory.
struct AssetController: Controller {
  /// A hash of all files, used in their addresses.
  let version: String
  /// The files that the installed app stores, by name.
  let shell: [ShellFile]
  private static let workerName = "sw.js"
  private static let manifestName = "manifest.webmanifest"
  /// The icon that every page links to, which Firefox loads with each page.
  private static let touchIconName = "icon-180.png"
  /// The files with paths of this site in them, and how each path begins.
  private static let beginnings = [
    manifestName: ["\"/"], "openapi.json": ["\"url\": \"/", "\"pattern\": \"^/"],
  ]
  private let folder: URL?
  private let basePath: BasePath
  /// The hash of each file by name; a name that is not listed is a 404.
  private let hashes: [String: String]
  private let loaded = MemoryCache<String, EncodedBody>(limit: 16 << 20)

  /// Without its version, an address always means the current file.
  private static let checkedEachTime = "no-cache"

  /// Whether no page loads the file: the worker itself, icons for the system, and files for programs.
  private static func isOutsideShell(_ name: String) -> Bool {
    guard name != touchIconName else { return false }
    return name == workerName || [".png", ".json", ".map"].contains { name.hasSuffix($0) }
  }

  /// Whether the name contains a hash of the content, as esbuild's shared chunks do.
  private static func isNamedByContent(_ name: String) -> Bool {
    let parts = name.split(separator: ".")
    guard parts.count == 2, let hash = parts[0].split(separator: "-").dropFirst().last else { return false }
    return hash.utf8.count == 8 && hash.allSatisfy { "A"..."Z" ~= $0 || "2"..."7" ~= $0 }
  }

  /// Reads the list of files.
  /// - Parameters:
  ///   - folder: the folder with the files; nil if the web application is not installed.
  ///   - basePath: the path below which the site is.
  init(folder: URL? = WebAssets.folder, basePath: BasePath = BasePath()) {
    self.basePath = basePath
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
      file(Self.manifestName, Self.manifestName),
    ]
  }

  private func file(_ path: String, _ name: String) -> Endpoint {
    .get(path, cached: { cached(name, $0) }) { request, _ in try asset(name, request) }
  }

  /// The response for a file that is in memory.
  func cached(_ name: String, _ query: CacheQuery) -> CachedResponse? {
    let isPermanent = query.query == "v=\(version)" || Self.isNamedByContent(name)
    // A file that depends on the path of the site is chosen by `asset`.
    guard isPermanent || Self.beginnings[name] == nil,
      var response = loaded[name]?.response(to: query.request.headerFields)
    else { return nil }
    if !isPermanent { response.head.headerFields[.cacheControl] = Self.checkedEachTime }
    return response
  }

  func asset(_ name: String, _ request: Request) throws -> Response {
    guard let asset = body(of: name, below: request.head.basePath(or: basePath)) else {
      throw HTTPError(.notFound, message: "There is no such file.")
    }
    var response = asset.response(to: request)
    if request.uri.queryParameters["v"].map(String.init) != version, !Self.isNamedByContent(name) {
      response.headers[.cacheControl] = Self.checkedEachTime
    }
    return response
  }

  /// The service worker's script as built.
  var workerScript: [UInt8]? { read(Self.workerName) }

  private func body(of name: String, below basePath: BasePath) -> EncodedBody? {
    let isPlaced = Self.beginnings[name] != nil && !basePath.isEmpty
    let key = isPlaced && basePath != self.basePath ? "\(basePath.text) \(name)" : name
    if let body = loaded[key] { return body }
    guard let hash = hashes[name], let mediaType = WebAssets.mediaType(of: name),
      let plain = content(of: name, below: basePath)
    else {
      return nil
    }
    var bodies: [ContentCoding?: [UInt8]] = [nil: plain]
    if !isPlaced {
      for coding in ContentCoding.allCases { bodies[coding] = read("\(name).\(coding.suffix)") }
    }
    let body = EncodedBody(
      bodies: bodies,
      hash: hash,
      mediaType: mediaType,
      cacheControl: "public, max-age=31536000, immutable",
      varying: bodies.count > 1 ? ["Accept-Encoding"] : []
    )
    loaded.insert(body, for: key, cost: body.cost)
    return body
  }

  /// The files that a static copy has, by name: all that pages or the manifest load.
  var namesInStaticCopy: [String] {
    hashes.keys.filter { name in
      ![Self.workerName, Self.manifestName].contains(name)
        && ![".json", ".map"].contains { name.hasSuffix($0) }
    }.sorted()
  }

  /// The manifest of a static copy, whose icons are where ``LongboxPages/StaticFiles`` says.
  var manifestInStaticCopy: [UInt8]? {
    content(of: Self.manifestName).map { manifest in
      let assets = "\(basePath.text)/assets/"
      return Array(
        String(decoding: manifest, as: UTF8.self).replacing("\"\(assets)", with: "\"\(assets)\(version)/")
          // A static copy doesn't sync.
          .replacing(" that follow you to your other devices", with: "").utf8
      )
    }
  }

  /// A file's bytes, with the base path of the settings before its paths of this site.
  func content(of name: String) -> [UInt8]? { content(of: name, below: basePath) }

  private func content(of name: String, below basePath: BasePath) -> [UInt8]? {
    guard let plain = read(name), let beginnings = Self.beginnings[name], !basePath.isEmpty else {
      return read(name)
    }
    let file = beginnings.reduce(String(decoding: plain, as: UTF8.self)) { file, beginning in
      file.replacing(beginning, with: "\(beginning.dropLast())\(basePath.text)/")
    }
    return Array(file.utf8)
  }

  private func read(_ name: String) -> [UInt8]? {
    guard let folder else { return nil }
    return (try? Data(contentsOf: folder.appending(path: name))).map { [UInt8]($0) }
  }
}

/// Serves the service worker, `/sw.js`, at the root so that its scope is the whole site.
///
/// The list of files to install precedes the script. When any file changes, the worker changes too, and
/// browsers install the worker and all files together. The first request below a base path compresses the script.
struct WorkerScriptController: Controller {
  /// Unlike a page, the worker may compile WebAssembly; the only pictures it loads are those of
  /// notifications.
  private static let policy =
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; img-src 'self' data:; frame-ancestors 'none'"

  private let assets: AssetController
  private let version: String
  private let site: SiteAddress
  /// The scripts by base path; proxies may name several.
  private let made = MemoryCache<String, EncodedBody>(limit: 4 << 20)

  init(assets: AssetController, version: String, site: SiteAddress = SiteAddress()) {
    self.assets = assets
    self.site = site
    self.version = version
  }

  /// Makes the script, with what to install on its first line.
  private func make(below basePath: BasePath) throws -> EncodedBody {
    let bytes = try WorkerScript.bytes(
      assets: assets,
      version: version,
      basePath: basePath,
      shared: site.shared,
      mayBeFramed: basePath != site.basePath
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
    [.get("sw.js") { request, _ in try script(request) }]
  }

  func script(_ request: Request) throws -> Response {
    let basePath = request.head.basePath(or: site.basePath)
    let known = made[basePath.text]
    let body = try known ?? make(below: basePath)
    if known == nil { made.insert(body, for: basePath.text, cost: body.cost) }
    var response = body.response(to: request)
    if let name = HTTPField.Name("Content-Security-Policy") { response.headers[name] = Self.policy }
    return response
  }
}
