// Longbox
// SPDX-License-Identifier: MIT

@testable import LongboxCatalog

extension Catalog {
  /// What the upkeep does when it is time to look for a new comic, whether xkcd answers or not.
  func lookForNewest() async {
    try? await checkNewest()
    discardStandIn()
  }
}
