// Longbox
// SPDX-License-Identifier: MIT

import Foundation

enum PrivateFiles {
  private static let mask: mode_t = 0o077
  /// The mask that the person's shell gave this program; the first use replaces it.
  private static let usualMask = umask(mask)

  /// From here on, new files get permissions 0600 and new folders 0700, also those that linked code such as SQLite makes.
  static func begin() {
    _ = usualMask
  }

  /// Runs work that starts another program, with the mask that the person's shell set.
  static func lifted(_ work: () -> Void) {
    umask(usualMask)
    work()
    umask(mask)
  }
}
