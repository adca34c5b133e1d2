// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore
import LongboxStore

/// The expected contents of all libraries.
struct LibraryModel {
  var homes: [LibraryName: LibraryName] = [:]
  var libraries: [LibraryName: Library] = [:]

  func home(_ name: LibraryName) -> LibraryName { homes[name] ?? name }

  mutating func pair(_ name: LibraryName, with other: LibraryName) throws {
    let (leaving, home) = (home(name), home(other))
    guard leaving != home else {
      // A library that is shared with a new device is there, even if it is empty.
      libraries[home] = libraries[home] ?? Library()
      return
    }
    var merged = libraries[home] ?? Library()
    if let left = libraries.removeValue(forKey: leaving) { try merged.merge(left.changes(since: nil)) }
    libraries[home] = merged
    homes = homes.mapValues { $0 == leaving ? home : $0 }
    homes[leaving] = home
  }
}
