// Longbox
// SPDX-License-Identifier: MIT

import ArgumentParser
import LongboxCore

/// The number of an album on the command line.
struct AlbumNumber: ExpressibleByArgument {
  let id: StoreID

  init?(argument: String) {
    guard let id = StoreID(Text(string: argument)) else { return nil }
    self.id = id
  }
}
