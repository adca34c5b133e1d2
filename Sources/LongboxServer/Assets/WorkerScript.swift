// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import LongboxPages

/// The service worker's script, with what to install on its first line.
enum WorkerScript {
  private struct Build: Encodable {
    /// What the worker of a static copy has to know of it.
    struct Copy: Encodable {
      /// As ``LongboxPages/Site/Pictures``.
      var pictures: UInt8
    }

    var version: String
    var assets: String
    var files: [ShellFile]
    /// The headers for pages that the worker makes: the same as the server's.
    var headers: [String: String]
    /// The path below which the site is, or empty.
    var base: String
    /// What links start with that readers share; nil if people elsewhere can't reach the server.
    var shared: String?
    /// Only in a static copy.
    var copy: Copy?
  }

  /// The script; nil if the web application is not installed.
  /// - Parameter mayBeFramed: whether other pages of the same origin may show its pages in frames.
  static func bytes(
    assets: AssetController,
    version: String,
    basePath: BasePath,
    shared: String? = nil,
    mayBeFramed: Bool = false,
    site: Site = Site()
  ) throws -> [UInt8]? {
    guard let script = assets.workerScript else { return nil }
    var guarding = HTTPFields.guarding
    if mayBeFramed { guarding.allowOwnFrames() }
    let fields = guarding.map { ($0.name.rawName, $0.value) }
    let build = Build(
      version: version,
      assets: assets.version,
      files: assets.shell,
      headers: Dictionary(fields, uniquingKeysWith: { first, _ in first }),
      base: basePath.text,
      shared: shared,
      copy: site.isStaticCopy ? .init(pictures: site.pictures.rawValue) : nil
    )
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    // On the script's own first line, to keep the line numbers of the source map correct.
    return Array("\"use strict\";const build=".utf8) + (try encoder.encode(build)) + Array(";".utf8) + script
  }
}

/// A file of the web application, as the build lists it and the installed app stores it.
struct ShellFile: Codable, Equatable, Sendable {
  /// The name below `/assets/`.
  var name: String
  /// A hash of the content.
  ///
  /// The entity tag starts with it, so an unchanged file is not downloaded again.
  var hash: String
}
