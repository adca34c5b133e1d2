// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import Hummingbird
import LongboxCatalog
import LongboxCore
import LongboxReaders
import LongboxStore

/// Serves `/device.json`: what an installed app should store.
struct InstallManifestController: Controller {
  let catalog: Catalog
  let assets: AssetController
  let version: String
  /// Whether devices sign in to this server.
  var hasSignIn = false

  var endpoints: [Endpoint] {
    [.get("device.json") { request, _ in try await manifest(request) }]
  }

  private func manifest(_ request: Request) async throws -> Response {
    let totals = try await catalog.explanationTotals()
    let snapshot = catalog.snapshot
    var device = InstallManifest(
      version: version,
      assets: assets,
      archive: snapshot.archive,
      explanationIndex: snapshot.explanationIndex,
      totals: totals
    )
    device.library = LibraryCookie(of: request) != nil
    device.hasSignIn = hasSignIn
    let bytes = [UInt8](try JSONEncoder.stable.encode(device))
    return EncodedBody(
      bytes,
      mediaType: "application/json",
      cacheControl: "private, no-cache",
      variesByCookie: true
    ).response(to: request)
  }
}

/// `device.json`: what an installed app should store.
struct InstallManifest: Encodable {
  struct Archive: Encodable {
    var revision: Int
    var rules: Int
    var comics: Int
    var samples: Bool
    /// The size of its segments before compression, in bytes.
    var size: Int
  }

  struct Explanations: Encodable {
    var count: Int
    /// How many of them the search index has.
    var indexed: Int
    /// The approximate size on a device in bytes, including the index.
    var size: Int
  }

  var version: String
  var assets: String
  var files: [ShellFile]
  var archive: Archive
  var explanations: Explanations
  /// Whether the browser has a library cookie, so that the app has to sync before it takes over.
  var library = false
  /// Whether devices sign in to this server.
  var hasSignIn = false
  /// The files of a static copy that answer what a server answers; nil for a server.
  var copy: StaticCopyManifest?

  /// A stored page is about this much longer than its wikitext, measured on 2,734 pages.
  private static let sizeOfWikitext = 1.15

  init(
    version: String,
    assets: AssetController,
    archive: LongboxCore.Archive,
    explanationIndex: ExplanationIndex,
    totals: ExplanationTotals
  ) {
    self.version = version
    self.assets = assets.version
    files = assets.shell
    self.archive = Archive(
      revision: archive.revision,
      rules: archive.rules,
      comics: archive.count,
      samples: archive.isSampleBox,
      size: Self.size(of: archive.segments)
    )
    explanations = Explanations(
      count: totals.pages,
      indexed: explanationIndex.count,
      size: Int(Double(totals.bytes) * Self.sizeOfWikitext) + Self.size(of: explanationIndex.segments)
    )
  }

  private static func size(of segments: [Segment]) -> Int {
    segments.reduce(0) { $0 + $1.bytes.count }
  }
}
