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
