// Longbox
// SPDX-License-Identifier: MIT

@testable import LongboxCatalog

extension Catalog {
  /// Looks for a new comic and discards the stand-in, like the refresh service; ignores errors.
  func lookForNewest() async {
    try? await refresher.checkNewest()
    await shown.discardStandIn()
  }
}
