// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Hummingbird
import LongboxCore
import LongboxWeb

/// Sends the files of the web application from memory: there are few, and all are small.
struct AssetRoutes: Sendable {
  /// A hash of all files together, for their addresses.
  let version: String
  /// What the installed app keeps besides the archive, by name.
  let shell: [ShellFile]
  private let assets: [String: Payload]
  /// What no page asks for: the worker itself, what the system shows of an installed app, what is for programs.
  private static func isOutsideShell(_ name: String) -> Bool {
    name == "sw.js" || name.hasPrefix("worker-") || name.hasSuffix(".png") || name.hasSuffix(".json")
  }

  /// Reads all files.
  /// - Parameter folder: where they are, or nothing where they were not installed.
  init(folder: URL? = WebAssets.folder) {
    let names = folder.flatMap { try? FileManager.default.contentsOfDirectory(atPath: $0.path) } ?? []
    var assets: [String: Payload] = [:]
    var tags = ""
    for name in names.sorted() {
      guard
        let mediaType = WebAssets.mediaType(of: name),
        let data = folder.flatMap({ try? Data(contentsOf: $0.appending(path: name)) })
      else { continue }
      let asset = Payload(
        SourceCompaction.applies(to: name) ? SourceCompaction.compact(data) : [UInt8](data),
        mediaType: mediaType,
        cacheControl: "public, max-age=31536000, immutable"
      )
      assets[name] = asset
      tags += name + asset.tag.value
    }
    self.assets = assets
    shell = assets.keys.sorted().filter { !Self.isOutsideShell($0) }
      .compactMap { name in assets[name].map { ShellFile(name: name, hash: $0.tag.value) } }
    version = String(XXH64.hash(Array(tags.utf8).span.bytes), radix: 36)
  }

  /// The bytes of a file.
  func bytes(of name: String) -> [UInt8]? {
    assets[name]?.bytes
  }

  /// A file by its name, where its address says which version is wanted and it is this one.
  func ready(_ name: String, query: String?, _ fields: HTTPFields) -> Answer? {
    query == "v=\(version)" ? assets[name]?.answer(to: fields) : nil
  }

  /// A file by its name.
  func asset(_ name: String, _ request: Request) throws -> Response {
    guard let asset = assets[name] else { throw HTTPError(.notFound, message: "There is no such file.") }
    var response = asset.response(to: request)
    // Without its version an address stands for whatever the file is now.
    if request.uri.queryParameters["v"].map(String.init) != version {
      response.headers[.cacheControl] = "no-cache"
    }
    return response
  }
}
